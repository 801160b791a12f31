"""The documents, as their tests read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from tests.tidy.source import ROOT, project_files

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """One markdown file; a bad sample is one that was never on disk."""

    path: str
    text: str

    @cached_property
    def examples(self) -> list[str]:
        """The blocks that call themselves Python."""
        return [code for language, code in FENCE.findall(self.text) if language == "python"]

    @cached_property
    def links(self) -> list[str]:
        return LINK.findall(FENCE.sub("", self.text))

    @cached_property
    def anchors(self) -> set[str]:
        """What can stand behind `#` in a link to this page."""
        headings = HEADING.findall(FENCE.sub("", self.text))
        return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def all_pages() -> list[Page]:
    return [
        Page(path.relative_to(ROOT).as_posix(), path.read_text())
        for path in project_files()
        if path.suffix == ".md"
    ]
