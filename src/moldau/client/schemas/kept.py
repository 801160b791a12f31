"""What is kept of what a registry answered: bounded, the least used forgotten first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

__all__ = ["Kept", "KeptAnswers"]

KEPT_MAX: Final = 1000
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """Made once for each key, as long as it is used."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make
        self._known: OrderedDict[Key, Value] = OrderedDict()

    def __repr__(self) -> str:
        return f"<Kept of {len(self._known)}>"

    def get(self, key: Key) -> Value:
        found = self._known.get(key)
        if found is not None:
            self._known.move_to_end(key)
            return found
        found = self._known[key] = self._make(key)
        if len(self._known) > KEPT_MAX:
            self._known.popitem(last=False)
        return found


class KeptAnswers(Generic[Key, Value]):
    """The same on a loop: what is asked for twice at once is requested twice, and kept once."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Value] = OrderedDict()

    def __repr__(self) -> str:
        return f"<KeptAnswers of {len(self._known)}>"

    async def get(self, key: Key, make: Callable[[], Awaitable[Value]]) -> Value:
        """What fails is not kept."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = await make()
            if len(self._known) > KEPT_MAX:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        return found
