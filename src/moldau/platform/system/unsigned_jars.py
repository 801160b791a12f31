"""Copies of jars without their signatures, so that Java can have their classes in an archive.

Java takes no class of a signed jar into an archive (see `class_archive`), and at every start reads
such a jar anew, and compares each of its entries with what was signed. In a copy that its user has
made from the jar beside it, a signature says nothing more. A copy is as old as its jar, to the
second; one whose jar is another by now, or gone, is not used.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

__all__ = ["class_path", "copies_in", "copy_signed_jars"]

SIGNATURE = re.compile(r"META-INF/[^/]+\.(?:SF|DSA|RSA|EC)", re.IGNORECASE)
"""What Java reads as a part of one; digests in a manifest alone are not looked at."""
JARS = "*.jar"


def copy_signed_jars(jars: str, folder: str) -> None:
    """Have in `folder` a copy of each signed jar in the folder `jars`, and nothing else.

    Copies that are there stay as they are: an archive may have been made from them.
    """
    if copies_in(folder, jars) is None:
        shutil.rmtree(folder)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for jar in Path(jars).glob(JARS):
        with suppress(BadZipFile), ZipFile(jar) as signed:
            if any(map(SIGNATURE.fullmatch, signed.namelist())):
                _copy(signed, jar, Path(folder, jar.name))


def _copy(signed: ZipFile, jar: Path, copy: Path) -> None:
    if copy.exists():
        return
    unfinished = copy.with_suffix(f".{os.getpid()}")
    with ZipFile(unfinished, "w") as made:
        for entry in signed.infolist():
            if SIGNATURE.fullmatch(entry.filename) is None:
                made.writestr(entry, signed.read(entry))
    shutil.copystat(jar, unfinished)
    os.replace(unfinished, copy)


def copies_in(folder: str, jars: str) -> list[str] | None:
    """The copies, in one order; None where not all of them are of what is in `jars` now."""
    copies = sorted(Path(folder).glob(JARS))
    if all(_is_as_old(copy, Path(jars, copy.name)) for copy in copies):
        return [str(copy) for copy in copies]
    return None


def _is_as_old(copy: Path, jar: Path) -> bool:
    """To the second: not everything that packs files keeps more."""
    with suppress(FileNotFoundError):
        return int(copy.stat().st_mtime) == int(jar.stat().st_mtime)
    return False


def class_path(jars: Iterable[str]) -> str:
    """As Java takes it."""
    return os.pathsep.join(jars)
