"""Every link within the repository leads somewhere, and every package is two clicks away."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from bench.versus.publish import BEGINS, ENDS
from tests.docs.pages import Page, all_pages
from tests.tidy.source import GROUPS, ROOT, assert_none

README_LINES_MAX = 72
"""One screen, and the words around the results that a benchmark writes."""
ARCHITECTURE_LINES_MAX = 300
RESULTS = re.compile(f"{re.escape(BEGINS)}.*?{re.escape(ENDS)}", re.DOTALL)


def dead_links(page: Page) -> Iterator[str]:
    for link in page.links:
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = target_of(page, path) if path else page.path
        if not (ROOT / target).exists():
            yield f"{page.path} links to {link}, which is not there"
        elif anchor and target.endswith(".md"):
            there = page if not path else Page(target, (ROOT / target).read_text())
            if anchor not in there.anchors:
                yield f"{page.path} links to {link}, which has no such heading"


def target_of(page: Page, path: str) -> str:
    """The path from the root of what `path` means on that page."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))


def linked_from(name: str) -> set[str]:
    page = next(page for page in all_pages() if page.path == name)
    return {target_of(page, link.partition("#")[0]) for link in page.links}


def packages(depth: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "src/moldau").glob(depth)}


def test_every_link_leads_somewhere():
    assert_none(complaint for page in all_pages() for complaint in dead_links(page))


def test_every_package_is_one_click_from_the_architecture_and_every_group_from_the_readme():
    groups = packages("*/__init__.py")
    inside = {path for group in GROUPS for path in packages(f"{group}/*/__init__.py")}
    assert groups - linked_from("README.md") == set()
    assert (groups | inside) - linked_from("ARCHITECTURE.md") == set()


def test_every_page_can_be_reached_from_the_readme():
    reached, ahead = set(), {"README.md"}
    while ahead:
        reached |= ahead
        ahead = {
            target for name in ahead if name.endswith(".md") for target in linked_from(name)
        } - reached
    pages = {page.path for page in all_pages() if not page.path.startswith("tests/")}
    assert pages - reached == set()


def test_decisions_are_numbered_one_after_the_other():
    names = sorted(path.name for path in (ROOT / "docs/decisions").iterdir())
    assert [name[:5] for name in names] == [f"{n:04}-" for n in range(1, len(names) + 1)]


def test_the_front_pages_stay_short():
    lengths = {page.path: RESULTS.sub("", page.text).count("\n") for page in all_pages()}
    assert lengths["README.md"] <= README_LINES_MAX
    assert lengths["ARCHITECTURE.md"] <= ARCHITECTURE_LINES_MAX


def test_a_dead_link_is_noticed():
    page = Page("docs/x.md", "[gone](gone.md) [no heading](../README.md#gone) [fine](../README.md)")
    assert list(dead_links(page)) == [
        "docs/x.md links to gone.md, which is not there",
        "docs/x.md links to ../README.md#gone, which has no such heading",
    ]


def test_a_link_in_an_example_is_no_link():
    assert Page("x.md", "```text\n[a](b)\n```\n").links == []
