"""The clients that log in say what SCRAM wants, and end where it ends."""

from __future__ import annotations

from bench.versus.generators.logins import MECHANISM, tokens
from moldau.network.sasl.scram import Account, Decoys, serve_scram
from moldau.network.sasl.scram_keys import credential_of, salt_password
from moldau.platform.simulated.randomness import SeededRandom


def test_a_login_is_two_tokens_and_is_one():
    salted = salt_password(MECHANISM, "wonder", b"a salt", 4096)
    account = Account("alice", credential_of(MECHANISM, salted, b"a salt", 4096))
    random = SeededRandom(1)
    serving = serve_scram(MECHANISM, lambda *_: account, Decoys(random), random)
    next(serving)
    sent = []
    for token, answers in tokens("alice", "wonder"):
        sent.append(token)
        try:
            answers.append(serving.send(token))
        except StopIteration as end:
            answers.append(end.value.last)
            name = end.value.name
    assert (len(sent), name) == (2, "alice")
