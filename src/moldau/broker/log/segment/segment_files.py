"""The files of one segment: where they lie, and the two that are opened when they are needed.

All bear the segment's base offset, and one suffix while the segment comes or goes. Offset and time
index can be rebuilt from the `.log` alone, the transaction index cannot, so it is never missing
beside a `.log` that counts: on the way out the `.log` vanishes first, on the way in it appears
last, and the directory is synced in between.
"""

from __future__ import annotations

from moldau.broker.log.segment.file_names import (
    DELETED,
    LOG,
    SEGMENT_KINDS,
    TRANSACTION_INDEX,
    file_name,
)
from moldau.broker.log.segment.transaction_index import TransactionIndex
from moldau.errors import FileMissingError
from moldau.platform.ports.files import File, Files


class SegmentFiles:
    """Names, the `.log` and the `.txnindex`."""

    def __init__(self, files: Files, directory: str, base_offset: int, suffix: str) -> None:
        self._files = files
        self._directory = directory
        self._base_offset = base_offset
        self._suffix = suffix
        self.opened_log: File | None = None
        self._transaction_index: TransactionIndex | None = None

    def path(self, kind: str) -> str:
        """Where the file of this kind lies, whether there is one or not."""
        return f"{self._directory}/{file_name(self._base_offset, kind, self._suffix)}"

    def create_log(self) -> None:
        """Make an empty `.log`; files that lie in the segment's way go."""
        self.remove()
        self.opened_log = self._files.open(self.path(LOG), create=True)

    @property
    def log(self) -> File:
        if self.opened_log is None:
            self.opened_log = self._files.open(self.path(LOG))
        return self.opened_log

    @property
    def transaction_index(self) -> TransactionIndex:
        if self._transaction_index is None:
            path = self.path(TRANSACTION_INDEX)
            self._transaction_index = TransactionIndex(self._files, path)
        return self._transaction_index

    @property
    def modified_ms(self) -> int:
        """When the `.log` was written last."""
        status = self._files.status(self.path(LOG))
        if status is None:
            raise FileMissingError(self.path(LOG), "the segment's file is gone")
        return status.modified_ms

    def change_suffix(self, suffix: str) -> None:
        """Rename every file; open ones stay open."""
        order = SEGMENT_KINDS if suffix == DELETED else tuple(reversed(SEGMENT_KINDS))
        renames = [(self.path(kind), kind) for kind in order]
        self._suffix = suffix
        for path, kind in renames:
            if self._files.status(path) is None:
                continue
            self._files.rename(path, self.path(kind))
            if kind == (LOG if suffix == DELETED else TRANSACTION_INDEX):
                self._files.sync_directory(self._directory)
        self._transaction_index = None

    def close_log(self) -> None:
        if self.opened_log is not None:
            self.opened_log.close()
            self.opened_log = None

    def close(self) -> None:
        self.close_log()
        if self._transaction_index is not None:
            self._transaction_index.close()
            self._transaction_index = None

    def remove(self) -> None:
        """Remove every file, whichever of them are there."""
        for kind in SEGMENT_KINDS:
            self._files.remove(self.path(kind))
