"""What functions of the user's raise, of whatever class, kept where it must not end a client.

And what they must not be, where nothing awaits it: coroutine functions.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Self

from moldau.client.errors import InvalidArgumentError
from moldau.platform.lazy_log import LazyLog

__all__ = ["Failure", "Logged", "ensure_done"]

log = LazyLog(__name__)


class Failure:
    """What was raised inside its `with`."""

    __slots__ = ("error",)

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        if isinstance(error, Exception):
            self.error = error
        return self.error is not None


class Logged(Failure):
    """The same for what is a side effect: as with Java's clients it is logged, and all goes on."""

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        is_failure = super().__exit__(kind, error, trace)
        if is_failure:
            log.error("%s has failed, and the client goes on", self._what, exc_info=self.error)
        return is_failure


def ensure_done(answer: object, what: str, remedy: str = "give a plain function") -> None:
    """What a coroutine function returns has done nothing yet."""
    if isinstance(answer, Coroutine):
        answer.close()
        raise InvalidArgumentError(
            f"{what} is a coroutine function, which nothing awaits here: {remedy}"
        )
