"""Both sides of a mechanism, without a network between them."""

from __future__ import annotations


def converse(asking, serving, change=lambda token: token):
    """What the server makes of it; `change` may spoil what the client sends."""
    next(serving)
    challenge = None
    while True:
        token = next(asking) if challenge is None else asking.send(challenge)
        try:
            challenge = serving.send(change(token))
        except StopIteration as end:
            if end.value.last:
                finish(asking, end.value.last)
            return end.value


def finish(asking, last):
    try:
        asking.send(last)
    except StopIteration:
        return
    raise AssertionError("the client goes on when all is over")
