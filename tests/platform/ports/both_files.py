"""The two implementations of the Files port, each with an empty directory to work in."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from moldau.platform.ports.files import Files, read_whole
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.system.files import SystemFiles


@dataclass(frozen=True)
class Place:
    """A file system and a directory in it."""

    files: Files
    directory: str

    def at(self, name: str) -> str:
        return f"{self.directory}/{name}"

    def put(self, name: str, contents: bytes) -> str:
        """Make a file with these contents; its path comes back."""
        file = self.files.open(self.at(name), create=True)
        file.append(contents)
        file.close()
        return self.at(name)

    def get(self, name: str) -> bytes:
        return read_whole(self.files, self.at(name))


@pytest.fixture(params=["system", "simulated"])
def place(request, tmp_path) -> Place:
    if request.param == "system":
        return Place(SystemFiles(), str(tmp_path))
    files = SimulatedFiles()
    files.make_directory("/disk")
    return Place(files, "/disk")
