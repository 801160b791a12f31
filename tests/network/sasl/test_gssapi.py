"""GSSAPI, both sides, over a library that is played; a real one is in tests/interop/security."""

from __future__ import annotations

import pytest

from moldau.errors import KerberosError
from moldau.network.sasl.dialogue import Identity, SaslError
from moldau.network.sasl.gssapi import STEPS_MAX, ask_gssapi, serve_gssapi
from tests.network.sasl.dialogues import converse

TICKET, PROOF = b"ticket", b"proof"


class Context:
    """One step on either side; wrapping is a letter."""

    initiator = "alice@OURS.ORG"

    def __init__(self, script):
        self._script = dict(script)
        self.is_complete = False

    def step(self, token):
        if token not in self._script:
            raise KerberosError(f"what is {token!r}?")
        answer, self.is_complete = self._script[token]
        return answer

    def wrap(self, message):
        return b"w" + message

    def unwrap(self, token):
        if not token.startswith(b"w"):
            raise KerberosError("it is not wrapped")
        return token[1:]


def client():
    context = Context({b"": (TICKET, False), PROOF: (b"", True)})
    return ask_gssapi(context, context.step(b""))


def server(proof=PROOF):
    return serve_gssapi(lambda: Context({TICKET: (proof, True)}), lambda name: name.split("@")[0])


def test_both_sides_agree():
    assert converse(client(), server()) == Identity("alice")


def test_a_server_without_proof_offers_at_once():
    serving = server(b"")
    next(serving)
    assert serving.send(TICKET) == b"w\1\0\0\0"


@pytest.mark.parametrize("change", [lambda token: b"", lambda token: token + b"x"])
def test_what_the_library_refuses_is_no_login(change):
    with pytest.raises(SaslError, match="what is"):
        converse(client(), server(), change)


@pytest.mark.parametrize(
    ("chosen", "clause"),
    [(b"w\2\0\0\0", "wrapped"), (b"w\1", "wrapped"), (b"\1\0\0\0", "not wrap")],
)
def test_a_client_that_wants_a_layer_is_refused(chosen, clause):
    serving = server()
    next(serving)
    serving.send(TICKET)
    serving.send(b"")
    with pytest.raises(SaslError, match=clause):
        serving.send(chosen)


def test_an_exchange_without_an_end_is_ended():
    serving = serve_gssapi(lambda: Context({b"again": (b"more", False)}), str)
    next(serving)
    for _ in range(STEPS_MAX):
        serving.send(b"again")
    with pytest.raises(SaslError, match="is not over"):
        serving.send(b"again")


def test_a_server_that_insists_on_a_layer_is_refused():
    asking = client()
    next(asking)
    asking.send(PROOF)
    with pytest.raises(SaslError, match="use TLS"):
        asking.send(b"w\4\0\0\0")
