"""What ends with its `with`, or its `async with`: `close` does it, whatever happened inside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ["AsyncClosing", "Closing"]


class Closing(ABC):
    """Closed at the end of its `with`."""

    @abstractmethod
    def close(self) -> None:
        """End; doing it again does nothing."""

    def _has_failed(self) -> None:  # noqa: B027 (most have nothing to do)
        """An error ends the `with`; called before `close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._has_failed()
        self.close()


class AsyncClosing(ABC):
    """Started at the beginning of its `async with`, and closed at the end."""

    @abstractmethod
    def start(self) -> None:
        """Begin, on the loop that runs."""

    @abstractmethod
    async def close(self) -> None:
        """End; doing it again does nothing."""

    def _has_failed(self) -> None:  # noqa: B027 (most have nothing to do)
        """An error ends the `async with`; called before `close`."""

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._has_failed()
        await self.close()
