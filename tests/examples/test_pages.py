"""The blocks of every page run as they stand, one after the other, and print what they show."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from tests.docs.pages import Page, all_pages
from tests.examples.page_shell import PageShell, console_steps
from tests.judges.kafka_jars import MissingJudge, find_kafka_libs

RUN = {"python", "console"}
PAGES = [page for page in all_pages() if RUN & {block.language for block in page.blocks}]


def run_page(page: Page, shell: PageShell) -> None:
    """In one namespace and one folder, as a reader would type it."""
    with example_module() as module:
        run_blocks(page, shell, module.__dict__)


@contextmanager
def example_module() -> Iterator[ModuleType]:
    """A module that classes of a page are found in, as those of a program are in `__main__`."""
    sys.modules["example"] = module = ModuleType("example")
    try:
        yield module
    finally:
        del sys.modules["example"]


def run_blocks(page: Page, shell: PageShell, namespace: dict[str, object]) -> None:
    for number, (language, text) in enumerate(page.blocks, start=1):
        if language == "python":
            name = f"{page.path}, block {number}"
            code = compile(shell.adapted(text), name, "exec", dont_inherit=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what foreign clients use is not ours to mend
                exec(code, namespace)
        elif language == "properties":
            shell.write(text)
        elif language == "console":
            for step in console_steps(text):
                shell.run(step)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "kafka-" in page.text and ".sh " in page.text:
        need_tools()
    with PageShell(tmp_path) as shell:
        if not any(text.startswith("$ moldau start") for _, text in page.blocks):
            shell.start_node_if_named(page)
        run_page(page, shell)


def need_tools() -> None:
    try:
        find_kafka_libs()
    except MissingJudge as missing:
        pytest.skip(str(missing))


def test_the_readme_has_an_example():
    assert "README.md" in {page.path for page in PAGES}


def test_a_broken_example_is_noticed(tmp_path):
    broken = Page("x.md", "```python\nx = 1\n```\n\n```python\nassert x == y\n```\n")
    with PageShell(tmp_path) as shell, pytest.raises(NameError):
        run_page(broken, shell)


def test_other_output_than_shown_is_noticed(tmp_path):
    page = Page("x.md", "```console\n$ echo one two\none …\n$ echo three\ntwo\n```\n")
    with PageShell(tmp_path) as shell, pytest.raises(AssertionError, match="three"):
        run_page(page, shell)


def test_a_command_of_several_lines_is_one_step():
    steps = console_steps("$ echo a \\\n    b\na b\n$ true\n")
    assert [(step.command, step.shown) for step in steps] == [
        ("echo a \\\n    b", "a b\n"),
        ("true", ""),
    ]
