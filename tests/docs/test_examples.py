"""Every example in the documents runs as it stands."""

from __future__ import annotations

import pytest

from tests.docs.pages import Page, all_pages


def run_examples(page: Page) -> None:
    """In their order and in one namespace, as a reader would type them."""
    namespace: dict[str, object] = {"__name__": "example"}
    for number, example in enumerate(page.examples, start=1):
        exec(compile(example, f"{page.path}, example {number}", "exec"), namespace)


@pytest.mark.parametrize(
    "page", [page for page in all_pages() if page.examples], ids=lambda p: p.path
)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_examples(page)


def test_the_readme_has_an_example():
    assert next(page for page in all_pages() if page.path == "README.md").examples


def test_a_broken_example_is_noticed():
    with pytest.raises(NameError):
        run_examples(Page("x.md", "```python\nx = 1\n```\n\n```python\nassert x == y\n```\n"))
