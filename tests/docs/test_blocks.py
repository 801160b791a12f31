"""Every block of a page is run by a test, or says that it is not.

python     run, in one namespace with the others of its page
console    `$ COMMAND` and what it prints: run, and compared
java       an excerpt of an example
sh         not run; its first line says why: `# not run by the tests: it needs a cluster`
text       no code, like ini, json, properties, toml, xml and yaml
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.docs.pages import Page, all_pages
from tests.tidy.source import ROOT, assert_none

RUN = {"python", "console"}
"""By tests/examples/test_pages.py."""
RUN_ELSEWHERE = {"py": ("docs/spark.md", "docs/pipelines.md")}
"""By tests/spark/test_page.py."""
DATA = {"ini", "json", "properties", "text", "toml", "xml", "yaml"}
NOT_RUN = "# not run by the tests: "
"""How a block for a shell begins that tests cannot run, with the reason behind it."""
JAVA_EXAMPLES = ROOT / "examples" / "java"
WRITTEN_BY_PROGRAMS = ("docs/generated/", "docs/performance")
INDENTED = re.compile(r"(?<=\n\n)(?:    (?!.*\|).+\n)+")


def guides() -> list[Page]:
    """The pages that tell readers what to do."""
    return [
        page
        for page in all_pages()
        if page.path.startswith("docs/") and not page.path.startswith(WRITTEN_BY_PROGRAMS)
    ]


def faults(page: Page) -> Iterator[str]:
    for language, text in page.blocks:
        if not is_covered(page, language, text):
            first = text.partition("\n")[0]
            yield f"{page.path}: no test runs the block of {language or 'no language'}: {first}"


def is_covered(page: Page, language: str, text: str) -> bool:
    match language:
        case "java":
            programs = (path.read_text() for path in JAVA_EXAMPLES.glob("*.java"))
            return any(flush_left(text) in flush_left(program) for program in programs)
        case "sh":
            return text.startswith(NOT_RUN)
        case "py":
            return page.path in RUN_ELSEWHERE["py"]
        case _:
            return language in RUN | DATA


def flush_left(text: str) -> str:
    """An excerpt need not be indented as it is in its program."""
    return re.sub(r"^ +", "", text, flags=re.MULTILINE)


def test_every_block_is_run_or_says_that_it_is_not():
    assert_none(fault for page in guides() for fault in faults(page))


def test_no_block_is_hidden_by_being_indented():
    assert_none(
        f"{page.path}: an indented block: {block.strip()}"
        for page in guides()
        if not page.path.startswith("docs/decisions/")
        for block in INDENTED.findall(page.prose)
    )


def test_a_block_that_nothing_runs_is_noticed():
    page = Page("docs/x.md", "```sh\nmoldau start\n```\n\n```java\nint x;\n```\n\n```\n?\n```\n")
    assert [fault.rpartition(": ")[2] for fault in faults(page)] == ["moldau start", "int x;", "?"]


def test_an_indented_block_is_noticed():
    assert INDENTED.findall("Say\n\n    moldau start\n\nand wait.\n") == ["    moldau start\n"]
