"""Where the documents link to code by name, that name is in the file.

A link whose text is code, [`Partition.append`](src/…), promises a class, a function, a method or a
constant of that file. From the README every answer in ARCHITECTURE.md is two clicks away. So does
`server.quota.quotas` in a docstring, for a module or what it defines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

import pytest

from tests.docs.pages import Page, all_pages
from tests.docs.test_links import linked_from, target_of
from tests.tidy.source import ROOT, Source, assert_none, python_sources

NAMED_LINK = re.compile(r"\[`([A-Za-z_][\w.]*)`\]\(([^)#]+\.py)\)")
DOTTED = re.compile(r"[`(](?:moldau\.)?([a-z_]+)((?:\.[a-z_]+)*\.\w*_\w*)[`)]")
"""A name behind that of a package; an underscore, since settings of Kafka have dots, too."""
QUESTIONS_MIN = 20
LIVES = (
    "Produce", "Fetch", "Heartbeat", "JoinGroup", "CreateTopics", "A metadata record",
    "OffsetCommit", "EndTxn", "ShareFetch",
)  # fmt: skip


def names_in(source: Source) -> set[str]:
    """What a module defines at its top, and what its classes define, as `Class.name`."""
    found: set[str] = set()
    for node in source.tree.body:
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
        source = source_at(target_of(page, link))
        if source is None or name not in names_in(source):
            yield f"{page.path}: {link} has no {name}"


def source_at(path: str) -> Source | None:
    return next((source for source in python_sources() if source.path == path), None)


def prose_of(source: Source) -> Iterator[ast.Constant]:
    """Docstrings: of modules, classes and functions, and those behind a name."""
    for node in source.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def dotted_names(sources: Sequence[Source]) -> tuple[set[str], set[str]]:
    """The packages, and the endings of all that modules and their classes define."""
    packages: set[str] = set()
    known: set[str] = set()
    for source in sources:
        parts = source.path.removesuffix(".py").removesuffix("/__init__").split("/")[2:]
        packages |= {"/".join(parts[:-1]).rpartition("/")[2]}
        for first in range(len(parts)):
            ending = ".".join(parts[first:])
            known |= {ending} | {f"{ending}.{name}" for name in names_in(source)}
    return packages, known


def stale_names(
    sources: Sequence[Source], packages: Collection[str], known: Collection[str]
) -> Iterator[str]:
    for source in sources:
        for prose in prose_of(source):
            for head, rest in DOTTED.findall(str(prose.value)):
                if head in packages and head + rest not in known:
                    yield f"{source.path}:{prose.lineno}: there is no {head}{rest}"


def section(text: str, heading: str) -> str:
    return text.partition(f"\n## {heading}")[2].partition("\n## ")[0]


def test_a_name_that_a_link_promises_is_in_its_file():
    assert_none(complaint for page in all_pages() for complaint in lost_names(page))


def test_a_module_that_a_docstring_names_is_there():
    sources = python_sources("src")
    assert_none(stale_names(sources, *dotted_names(sources)))


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


def test_a_module_that_is_no_more_is_noticed():
    text = '"""See `server.is_here.Name`, `server.is_gone`, `log.dirs` and `other.is_gone`."""\n'
    source = Source("src/moldau/server/is_here.py", text + "class Name: ...\n")
    assert dotted_names([source])[0] == {"server"}
    assert list(stale_names([source], *dotted_names([source]))) == [
        "src/moldau/server/is_here.py:1: there is no server.is_gone"
    ]
