"""A change that is asked for twice is made once.

A browser sends a request again when its connection is lost before the answer came, and so does a
person. Each dialogue therefore has an id, and what was made for one is not made for it again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from moldau.programs.http.messages import HttpError
from moldau.programs.rest.refusals import bad_request

__all__ = ["ONCE", "Once"]

ONCE: Final = "once"
"""The field of a request that has the id."""
REMEMBERED_MAX: Final = 1_000
LETTERS_MAX: Final = 100
BEING_MADE: Final = "This change is being made already: look at it in a moment"

Made: TypeAlias = Mapping[str, Any]


class Once:
    """The answers of the last changes, by id."""

    def __init__(self) -> None:
        self._answers: dict[str, Made | None] = {}
        """The oldest first; None while the change is being made."""

    async def of(self, identity: object, make: Callable[[], Awaitable[Made]]) -> Made:
        """What was made for this id, or is made now; what failed may be tried again."""
        if identity is None:
            return await make()
        if not isinstance(identity, str) or not 0 < len(identity) <= LETTERS_MAX:
            raise bad_request(f"{ONCE} is a text of 1 to {LETTERS_MAX} letters")
        if identity in self._answers:
            return self._known(identity)
        return await self._made(identity, make)

    def _known(self, identity: str) -> Made:
        answer = self._answers[identity]
        if answer is None:
            raise HttpError(409, BEING_MADE)
        return answer

    async def _made(self, identity: str, make: Callable[[], Awaitable[Made]]) -> Made:
        if len(self._answers) >= REMEMBERED_MAX:
            del self._answers[next(iter(self._answers))]
        self._answers[identity] = None
        try:
            answer = self._answers[identity] = await make()
        finally:
            if self._answers.get(identity) is None:
                self._answers.pop(identity, None)
        return answer
