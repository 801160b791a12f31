"""A plan of what goes wrong on a virtual disk, and when.

    files.faults.add(Fault("sync", "*.log", skip=2))                   the third sync of a log: EIO
    files.faults.add(Fault("append", error=DiskFullError, short=100))  100 bytes, then no room
    files.faults.room = 1 << 20                                        after 1 MiB: no room
    files.faults.read_only = True                                      remounted by the kernel

An operation has the name of the port's method. A plan is consulted in the order in which its
faults were added, and a fault that struck `times` times is over.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from moldau.errors import (
    DiskFailedError,
    DiskFullError,
    PermissionDeniedError,
    StorageError,
)
from moldau.platform.quick_dataclass import dataclass

CHANGING = frozenset(
    ["append", "write_at", "truncate", "create", "make_directory", "rename", "remove", "lock"]
)
"""Operations that a read-only file system refuses; `create` is an `open` that makes the file."""

REASONS: dict[type[StorageError], str] = {
    DiskFailedError: "the device failed (by plan)",
    DiskFullError: "no room is left on the device (by plan)",
    PermissionDeniedError: "the process may not do this (by plan)",
}


@dataclass(slots=True)
class Fault:
    """One kind of call on files of matching names that fails."""

    operation: str
    pattern: str = "*"
    """For the whole path, as a shell would match it."""
    error: type[StorageError] = DiskFailedError
    skip: int = 0
    """Matching calls that go well before the first that fails."""
    times: int | None = 1
    """Calls that fail; None for all of them."""
    short: int = 0
    """Of a write that fails: bytes that went into the file before."""

    def strikes(self, operation: str, path: str) -> bool:
        if operation != self.operation or not fnmatchcase(path, self.pattern) or self.times == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


class FaultPlan:
    """All faults of one disk."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.read_only = False
        self.room: int | None = None
        """Bytes that may still be written before the disk is full; None for no end."""

    def __repr__(self) -> str:
        return f"<FaultPlan {self.faults} room={self.room} read_only={self.read_only}>"

    def add(self, fault: Fault) -> None:
        self.faults.append(fault)

    def check(self, operation: str, path: str) -> None:
        """Return, or raise what this call must fail with."""
        fault = self._struck(operation, path)
        if fault is not None:
            raise fault.error(path, REASONS.get(fault.error, "the call failed (by plan)"))

    def check_write(self, operation: str, path: str, size: int) -> tuple[int, StorageError] | None:
        """None when the write is made, else how much of it gets there and what it fails with."""
        fault = self._struck(operation, path)
        if fault is not None:
            reason = REASONS.get(fault.error, "the call failed (by plan)")
            return min(fault.short, size), fault.error(path, reason)
        if self.room is None:
            return None
        written, self.room = min(size, self.room), max(self.room - size, 0)
        full = DiskFullError(path, REASONS[DiskFullError])
        return (written, full) if written < size else None

    def _struck(self, operation: str, path: str) -> Fault | None:
        if self.read_only and operation in CHANGING:
            return Fault(operation, path, PermissionDeniedError)
        return next((fault for fault in self.faults if fault.strikes(operation, path)), None)
