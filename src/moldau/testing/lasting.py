"""What the faults of requests and those of disks have in common: they last until they are ended."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from moldau.errors import MoldauError
from moldau.platform.closing import Closing

__all__ = ["LastingFault", "LastingFaults", "UnknownFaultError", "seconds_of"]


class UnknownFaultError(MoldauError):
    """A fault for what Kafka does not have."""


def seconds_of(seconds: object, what: str) -> float:
    """More than none."""
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        raise UnknownFaultError(f"{what} more than 0 seconds, and not {seconds!r}")
    return seconds


class LastingFault(Closing):
    """How much it has met, and its end, which comes with its `with` or by `end()`."""

    def __init__(self) -> None:
        self.met = 0
        """How many requests, or writes and syncs."""

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @abstractmethod
    def end(self) -> None:
        """Everything is as it was before."""

    def close(self) -> None:
        self.end()


AnyFault = TypeVar("AnyFault", bound=LastingFault)


class LastingFaults(Generic[AnyFault]):
    """All faults of one kind that a node has; none at first."""

    def __init__(self) -> None:
        self._faults: tuple[AnyFault, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(map(repr, self._lasting())) or 'none'}>"

    def clear(self) -> None:
        """End all of them."""
        for fault in self._faults:
            fault.end()
        self._faults = ()

    def _add(self, fault: AnyFault) -> AnyFault:
        self._faults = (*self._lasting(), fault)
        return fault

    def _lasting(self) -> list[AnyFault]:
        return [fault for fault in self._faults if not fault.is_over]
