"""The documents, as their tests read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tests.tidy.source import ROOT, project_files

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language and its text."""

    language: str
    text: str


@dataclass(frozen=True)
class Page:
    """One markdown file; a bad sample is one that was never on disk."""

    path: str
    text: str

    @cached_property
    def blocks(self) -> list[Block]:
        return [Block(*found) for found in FENCE.findall(self.text)]

    @cached_property
    def links(self) -> list[str]:
        return LINK.findall(self.prose)

    @cached_property
    def prose(self) -> str:
        """The text without its blocks."""
        return FENCE.sub("", self.text)

    @cached_property
    def anchors(self) -> set[str]:
        """What can stand behind `#` in a link to this page."""
        headings = HEADING.findall(self.prose)
        return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def all_pages() -> list[Page]:
    return [
        Page(path.relative_to(ROOT).as_posix(), path.read_text())
        for path in project_files()
        if path.suffix == ".md"
    ]
