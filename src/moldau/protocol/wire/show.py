"""The generated codec of a message and version, as text for people."""

from __future__ import annotations

from moldau.protocol.wire.compile import decoder_for, encoder_for
from moldau.protocol.wire.schema import Message


def show_codec(message: type[Message], version: int) -> str:
    """The source of both functions."""
    decoder = decoder_for(message, version)
    encoder = encoder_for(message, version)
    return "\n".join((decoder.__dict__["source"], encoder.__dict__["source"]))
