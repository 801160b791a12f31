"""An answer that does not fit its format: texts have at most 32,767 bytes on the wire.

Two ways lead there, and both begin with what a client sent. A message to people that quotes a long
name may outgrow a string: `fit` cuts it, and the answer goes. A name whose bytes were no UTF-8 has
replacement characters, of three bytes each, in place of single bytes; to repeat it may take three
times its size. Such an answer cannot be given, in Kafka neither: the connection is closed, and
`has_malformed_text` decides that this is no bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.protocol.wire.schema import Struct

__all__ = ["MESSAGE_CHARACTERS_MAX", "fit", "has_malformed_text"]

MESSAGE_CHARACTERS_MAX = 1_000
"""Of an error message that did not fit: more than can be read."""
MESSAGES = "error_message"
"""How the names of such fields end."""
REPLACEMENT = "\ufffd"


def fit(answer: Struct) -> bool:
    """Cut the messages in this answer that are too long; whether there were any."""
    found = False
    for struct, name, text in _texts(answer):
        if name.endswith(MESSAGES) and len(text) > MESSAGE_CHARACTERS_MAX:
            setattr(struct, name, text[:MESSAGE_CHARACTERS_MAX])
            found = True
    return found


def has_malformed_text(request: Struct) -> bool:
    """Whether some of it was not UTF-8, or may not have been."""
    return any(REPLACEMENT in text for _struct, _name, text in _texts(request))


def _texts(struct: Struct) -> Iterator[tuple[Struct, str, str]]:
    for name in struct.DECLARED:
        value = getattr(struct, name)
        for element in value if isinstance(value, list) else (value,):
            if isinstance(element, str):
                yield struct, name, element
            elif isinstance(element, Struct):
                yield from _texts(element)
