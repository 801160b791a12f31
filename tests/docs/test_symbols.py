"""Where the documents link to code by name, that name is in the file.

A link whose text is code, [`Partition.append`](src/…), promises a class, a function, a method or a
constant of that file. From the README every answer in ARCHITECTURE.md is two clicks away.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.docs.pages import Page, all_pages
from tests.docs.test_links import linked_from, target_of
from tests.tidy.source import ROOT, assert_none

NAMED_LINK = re.compile(r"\[`([A-Za-z_][\w.]*)`\]\(([^)#]+\.py)\)")
QUESTIONS_MIN = 20
LIVES = (
    "Produce", "Fetch", "Heartbeat", "JoinGroup", "CreateTopics", "A metadata record",
    "OffsetCommit", "EndTxn", "ShareFetch",
)  # fmt: skip


def names_in(text: str) -> set[str]:
    """What a module defines at its top, and what its classes define, as `Class.name`."""
    found: set[str] = set()
    for node in ast.parse(text).body:
        for name in _defined(node):
            found.add(name)
            if isinstance(node, ast.ClassDef):
                found |= {f"{name}.{inner}" for part in node.body for inner in _defined(part)}
    return found


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def lost_names(page: Page) -> Iterator[str]:
    for name, link in NAMED_LINK.findall(page.text):
        path = ROOT / target_of(page, link)
        if not path.exists() or name not in names_in(path.read_text()):
            yield f"{page.path}: {link} has no {name}"


def section(text: str, heading: str) -> str:
    return text.partition(f"\n## {heading}")[2].partition("\n## ")[0]


def test_a_name_that_a_link_promises_is_in_its_file():
    assert_none(complaint for page in all_pages() for complaint in lost_names(page))


def test_the_questions_are_answered_two_clicks_from_the_readme():
    text = section((ROOT / "ARCHITECTURE.md").read_text(), "Where do I look for")
    answers = [row for row in text.splitlines() if NAMED_LINK.search(row)]
    assert "ARCHITECTURE.md" in linked_from("README.md")
    assert len(answers) >= QUESTIONS_MIN


@pytest.mark.parametrize("request_name", LIVES)
def test_the_life_of_a_request_is_a_chain_of_links(request_name: str):
    text = section((ROOT / "docs/requests.md").read_text(), "Nine of them")
    (life,) = [part for part in text.split("\n\n") if part.startswith(f"**{request_name}")]
    assert len(NAMED_LINK.findall(life)) >= 4


def test_a_lost_name_is_noticed():
    text = "[`Page.links`](tests/docs/pages.py) [`Gone`](tests/docs/pages.py) [`x`](gone.py)"
    assert list(lost_names(Page("x.md", text))) == [
        "x.md: tests/docs/pages.py has no Gone",
        "x.md: gone.py has no x",
    ]
