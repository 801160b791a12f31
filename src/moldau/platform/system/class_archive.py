"""A file with the classes of a Java program as they are in memory, from which it starts sooner.

Java looks up, reads and checks each class of a program at every start. An archive has them as they
are after that, and is mapped ("class data sharing", JEP 350). Java itself compares it with its own
build and with the jars on the class path, and goes on without an archive that is not of these; so
the worst that a stale one costs is its room. It is made as a program ends, where a flag says so.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from moldau.platform.quick_dataclass import dataclass

__all__ = ["ClassArchive"]

SILENT = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off")
"""Java says nothing about an archive that it cannot use: it says so where programs print."""
DIGITS = 16
SUFFIX = ".jsa"


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """The archive of one program, on this machine."""

    path: str

    @classmethod
    def of(cls, name: str, java: str, jars: str) -> ClassArchive:
        """In the user's folder of caches, named for the Java and the folder of jars."""
        program = Path(java).resolve()
        changed_ns = program.stat().st_mtime_ns if program.exists() else 0
        named = f"{program}\n{changed_ns}\n{Path(jars).resolve()}"
        digest = hashlib.sha256(named.encode()).hexdigest()[:DIGITS]
        return cls(str(_caches() / f"{name}-{digest}{SUFFIX}"))

    @property
    def is_there(self) -> bool:
        """Whether it was made; Java decides whether it fits."""
        return Path(self.path).exists()

    @property
    def folder(self) -> str:
        """For what belongs to it."""
        return self.path.removesuffix(SUFFIX)

    @property
    def flags(self) -> tuple[str, ...]:
        """What Java is started with; nothing where there is no archive."""
        return (f"-XX:SharedArchiveFile={self.path}", *SILENT) if self.is_there else ()

    @contextmanager
    def being_made(self) -> Iterator[tuple[str, ...]]:
        """Flags for a program that has ended when the block ends; then the archive is there.

        Java writes to another name, so that one that was cut off is never taken.
        """
        unfinished = f"{self.path}.{os.getpid()}"
        Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        try:
            yield (f"-XX:ArchiveClassesAtExit={unfinished}", *SILENT)
            with suppress(FileNotFoundError):
                os.replace(unfinished, self.path)
        finally:
            Path(unfinished).unlink(missing_ok=True)


def _caches() -> Path:
    given = os.environ.get("XDG_CACHE_HOME")
    return (Path(given) if given else Path.home() / ".cache") / "moldau"
