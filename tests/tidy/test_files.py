"""What may be in the repository: text that people wrote, and few bytes of anything else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.tidy.source import ROOT, assert_none, project_files

SIZE_MAX = 500 * 1024
"""Larger things are made by a test, or fetched by it."""
EXTENSIONS = {
    *(".py", ".js", ".java", ".go", ".mod", ".sum", ".md", ".txt", ".svg", ".html", ".css", ".png"),
    *(".toml", ".json", ".jsonl", ".yml", ".typed", ".sh", ".xml"),
}
NAMES = {"dev", "run", "Containerfile", "LICENSE", ".gitignore"}
VECTORS = "tests/vectors/"
"""Bytes of other programs, of whatever extension they gave them."""


def strangers(path: str, size: int) -> Iterator[str]:
    name = Path(path)
    if size > SIZE_MAX:
        yield f"{path} has {size} bytes"
    known = name.suffix in EXTENSIONS or name.name in NAMES or path.startswith(VECTORS)
    if not known:
        yield f"{path} is of no expected kind"


def test_no_file_is_large_or_of_an_unexpected_kind():
    files = [(path.relative_to(ROOT).as_posix(), path.stat().st_size) for path in project_files()]
    assert_none(complaint for path, size in files for complaint in strangers(path, size))


def test_a_large_file_is_noticed():
    assert list(strangers("docs/x.md", SIZE_MAX + 1)) == ["docs/x.md has 512001 bytes"]


def test_an_unexpected_kind_is_noticed():
    assert list(strangers("src/moldau/x.so", 1)) == ["src/moldau/x.so is of no expected kind"]
