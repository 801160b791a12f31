"""Where a table's files lie: a folder of this machine, or a prefix in an object store.

Folders are reached through Arrow's file system. For an object store the `deltalake` package brings
the client, so that log and data take the same settings and the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa
from deltalake.exceptions import DeltaError
from deltalake.fs import DeltaStorageHandler
from pyarrow import fs

from moldau.spark.lake.errors import TableError, cause_of

__all__ = ["Store"]

NO_ROOM = "No space left on device"
"""Linux's words for it; Arrow hands them on, and no number."""


class Store:
    """Files under one root, by their path from there."""

    def __init__(self, root: str, storage: Mapping[str, str]) -> None:
        self.root = root
        self.is_local = "://" not in root
        self._storage = dict(storage)
        self._files: fs.FileSystem = fs.LocalFileSystem() if self.is_local else self._objects()
        self._folders: set[str] = set()

    def __repr__(self) -> str:
        return f"<Store {self.root}>"

    def _objects(self) -> fs.FileSystem:
        try:
            return fs.PyFileSystem(DeltaStorageHandler(self.root, self._storage))
        except (DeltaError, OSError, ValueError) as error:
            raise TableError(f"{self.root} cannot be reached: {cause_of(error)}") from error

    def open_output(self, path: str) -> pa.NativeFile:
        """A new file to write to; its folder comes with it."""
        try:
            if self.is_local:
                self._make_folder(path.rpartition("/")[0])
            return self._files.open_output_stream(self._whole(path))
        except OSError as error:
            raise self.refused(path, error) from error

    def open_input(self, path: str) -> pa.NativeFile:
        """A file to read from, wherever in it; FileNotFoundError where there is none."""
        try:
            return self._files.open_input_file(self._whole(path))
        except FileNotFoundError:
            raise
        except OSError as error:
            raise TableError(f"{self.root}/{path} cannot be read: {cause_of(error)}") from error

    def _make_folder(self, folder: str) -> None:
        if folder not in self._folders:
            self._files.create_dir(self._whole(folder), recursive=True)
            self._folders.add(folder)

    def remove(self, paths: Iterable[str]) -> None:
        """Remove these files; one that is gone already is fine."""
        for path in paths:
            try:
                self._files.delete_file(self._whole(path))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise self.refused(path, error) from error

    def named(self, beginning: str) -> list[str]:
        """All files whose name begins so, in whichever folder."""
        root = fs.FileSelector(self._whole(""), allow_not_found=True, recursive=True)
        found = [each for each in self._files.get_file_info(root) if each.is_file]
        start = len(self._whole(""))
        return [each.path[start:] for each in found if each.base_name.startswith(beginning)]

    def take(self, folder: str, path: str) -> None:
        """Give a folder from elsewhere its place here, at once; a place that is taken stays so."""
        assert self.is_local
        try:
            self._make_folder(path.rpartition("/")[0])
            self._files.move(folder, self._whole(path))
        except OSError as error:
            if not self.has(path):
                raise self.refused(path, error) from error

    def remove_folder(self, path: str) -> None:
        """Remove a folder with all it holds; a missing one is fine."""
        try:
            self._files.delete_dir(self._whole(path))
        except FileNotFoundError:
            return
        except OSError as error:
            raise self.refused(path, error) from error

    def has(self, path: str) -> bool:
        """Whether a file or folder is there."""
        return bool(self._files.get_file_info(self._whole(path)).type != fs.FileType.NotFound)

    def modified_ns(self, path: str) -> int:
        """When a file was last written, since 1970; 0 where there is none."""
        return int(self._files.get_file_info(self._whole(path)).mtime_ns or 0)

    def refused(self, path: str, error: OSError) -> TableError:
        """Our error for the file system's."""
        if NO_ROOM in str(error):
            return TableError(
                f"{self.root}/{path} cannot be written: {NO_ROOM}; make room, and start again"
            )
        return TableError(
            f"{self.root}/{path} cannot be written: {error.strerror or cause_of(error)}"
        )

    def _whole(self, path: str) -> str:
        return f"{self.root}/{path}" if self.is_local else path
