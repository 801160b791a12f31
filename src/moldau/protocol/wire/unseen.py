"""A default struct that is made when it is first read.

Some structs hold structs that are almost never set: each partition of a Fetch response has three,
for replies to a follower whose log has diverged. To make them for every partition would take as
long as all the rest of it. So their slot holds None until they are read or set; the compiled
codecs look into the slot itself where None stands for the default.
"""

from __future__ import annotations

from typing import Any

from moldau.protocol.wire.construct import blank


class UnseenDefault:
    """Stands before the slot of such a field, under the field's own name."""

    def __init__(self, name: str, cls: type) -> None:
        self.slot = slot_of(name)
        self.cls = cls

    def __get__(self, struct: object, owner: type | None = None) -> Any:
        if struct is None:
            return self
        value = getattr(struct, self.slot)
        if value is None:
            value = blank(self.cls)
            setattr(struct, self.slot, value)
        return value

    def __set__(self, struct: object, value: object) -> None:
        setattr(struct, self.slot, value)


def slot_of(name: str) -> str:
    """The slot behind a field of that name."""
    return f"_{name}"


def is_seen(struct: object, name: str) -> bool:
    """Whether such a field was set, or read; if not it is its default, and need not be made."""
    return getattr(struct, slot_of(name)) is not None
