"""PLAIN, both sides."""

import pytest

from moldau.network.sasl.dialogue import Identity, SaslError, SaslRefusedError
from moldau.network.sasl.plain import ask_plain, serve_plain
from tests.network.sasl.dialogues import converse


def knows_alice(name, password):
    return (name, password) == ("alice", "wonder")


def serve(token):
    return converse(iter_of(token), serve_plain(knows_alice))


def iter_of(token):
    yield token


def test_both_sides_agree():
    assert converse(ask_plain("alice", "wonder"), serve_plain(knows_alice)) == Identity("alice")
    assert serve(b"alice\0alice\0wonder") == Identity("alice")


@pytest.mark.parametrize("token", [b"\0alice\0wander", b"\0bob\0wonder", b"bob\0alice\0wander"])
def test_unknown_names_and_wrong_passwords_get_the_same_sentence(token):
    with pytest.raises(
        SaslRefusedError, match=r"^Authentication failed: Invalid username or password$"
    ):
        serve(token)


def test_no_user_logs_in_as_another():
    with pytest.raises(SaslRefusedError, match="different from username"):
        serve(b"bob\0alice\0wonder")


@pytest.mark.parametrize(
    "token",
    [b"", b"\0", b"\0alice", b"\0alice\0", b"\0\0wonder", b"\0alice\0won\0der", b"\0\xff\0wonder"],
)
def test_a_malformed_token_is_refused(token):
    with pytest.raises(SaslError):
        serve(token)
