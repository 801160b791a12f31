"""SCRAM, both sides, and what breaks between them."""

import re

import pytest

from moldau.network.sasl.dialogue import Identity, SaslError, SaslRefusedError
from moldau.network.sasl.scram import Account, Decoys, ask_scram, serve_scram
from moldau.network.sasl.scram_keys import ScramMechanism, credential_of, salt_password
from moldau.platform.simulated.randomness import SeededRandom
from tests.network.sasl.dialogues import converse

NAME = "al,i=ce"
SHA_256 = ScramMechanism.SHA_256


def account(mechanism, password="wonder", iterations=4096):
    salted = salt_password(mechanism, password, b"a salt", iterations)
    return Account(NAME, credential_of(mechanism, salted, b"a salt", iterations))


def serving(mechanism=SHA_256, seed=2, iterations=4096):
    known = {(NAME, False): account(mechanism, iterations=iterations)}
    known["token", True] = account(mechanism)._replace(owner="alice", is_token=True)
    return serve_scram(
        mechanism,
        lambda name, is_token: known.get((name, is_token)),
        Decoys(SeededRandom(9)),
        SeededRandom(seed),
    )


def asking(mechanism=SHA_256, name=NAME, password="wonder", **more):
    return ask_scram(mechanism, name, password, SeededRandom(1), **more)


@pytest.mark.parametrize("mechanism", ScramMechanism)
def test_both_sides_agree_and_the_server_is_proved_too(mechanism):
    identity = converse(asking(mechanism), serving(mechanism))
    assert identity.name == NAME
    assert identity.last.startswith(b"v=")


def test_a_token_logs_in_its_owner():
    identity = converse(asking(name="token", is_token=True), serving())
    assert identity[:2] == ("alice", True)
    with pytest.raises(SaslError):
        converse(asking(name="token"), serving())


def test_an_unknown_user_gets_an_offer_as_all_do_and_fails_at_the_same_place():
    texts = set()
    for name, password in ((NAME, "wander"), ("absent", "wonder")):
        client, server = asking(name=name, password=password), serving()
        next(server)
        offer = server.send(next(client))
        assert re.fullmatch(rb"r=\S+,s=[^,]+,i=4096", offer)
        with pytest.raises(SaslError) as refused:
            server.send(client.send(offer))
        texts.add(str(refused.value))
    assert len(texts) == 1


def test_the_offer_to_who_does_not_exist_is_the_same_each_time():
    decoys = Decoys(SeededRandom(9))
    assert (
        decoys.of(SHA_256, "a").salt == decoys.of(SHA_256, "a").salt != decoys.of(SHA_256, "b").salt
    )


def test_a_replayed_login_is_worth_nothing():
    tokens = []

    def keep(token):
        tokens.append(token)
        return token

    converse(asking(), serving(), keep)
    again = serving(seed=3)
    next(again)
    again.send(tokens[0])
    with pytest.raises(SaslError, match="nonce"):
        again.send(tokens[1])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb",p=.*", b",p="),
        (rb",p=.*", b",p=AAAA"),
        (rb",p=(.)", b",p=="),
        (rb"c=biws", b"c=eSws"),
        (rb"^n,,", b"y,,"),
        (rb"^n,,", b"p=tls-unique,,"),
        (rb"^n,,n=", b"n,a=bob,n="),
        (rb"n=[^,]*,", b"n=a=b,"),
        (rb"n=[^,]*,", b"n=,"),
        (rb"n=[^,]*,", b"n=\xff,"),
        (rb"^.*$", b""),
    ],
)
def test_a_spoiled_message_is_refused(old, new):
    with pytest.raises(SaslError):
        converse(asking(), serving(), lambda token: re.sub(old, new, token, count=1))


def test_no_user_logs_in_as_another():
    with pytest.raises(SaslRefusedError, match="different from username"):
        converse(asking(), serving(), lambda token: token.replace(b"n,,n=", b"n,a=bob,n="))


@pytest.mark.parametrize("count", [1, 4095, 16_385, 999_999_999])
def test_a_client_does_not_work_for_a_server_that_asks_too_much_or_too_little(count):
    client = asking()
    ours = next(client).rpartition(b"r=")[2]
    with pytest.raises(SaslError, match="iterations"):
        client.send(b"r=%sMORE,s=c2FsdA==,i=%d" % (ours, count))


@pytest.mark.parametrize("offer", [b"r=another,s=c2FsdA==,i=4096", b"e=other-error", b"\xff"])
def test_a_client_wants_its_own_nonce_back(offer):
    client = asking()
    next(client)
    with pytest.raises(SaslError):
        client.send(offer)


def test_a_client_refuses_a_server_without_the_password():
    client, server = asking(), serving()
    next(server)
    client.send(server.send(next(client)))
    with pytest.raises(SaslError, match="does not know the password"):
        client.send(b"v=AAAA")


def test_an_identity_has_no_end_unless_its_proof_has():
    assert converse(asking(), serving()) == Identity(NAME, last=converse(asking(), serving()).last)
