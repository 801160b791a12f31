"""Hooks of the static site (mkdocs.yml): pages of the repository that lie outside docs/.

The pages in docs/ link to each other, to pages elsewhere in the repository and to source files, all
by relative paths. The site has a place for each of them, by one rule:

    docs/node.md                    node.md
    ARCHITECTURE.md                 project/ARCHITECTURE.md
    examples/first_node.py          source/examples/first_node.py.md, a page that shows it

What is linked to, from page to page, is on the site. Links are rewritten to these places, and
MkDocs in its strict mode refuses the build when one leads nowhere (not with --quiet, which hides
the warnings that the strict mode counts).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

DOCS = "docs/"
FRONT_PAGE = "README.md"
FENCE_OR_LINK = re.compile(
    r"(?P<fence>^(```+).*?^\2$)|(?P<before>\[[^\]]*\]\()(?P<link>[^)\s]+)(?P<after>\))",
    re.DOTALL | re.MULTILINE,
)
ELSEWHERE = ("https://", "http://", "#")
LANGUAGES = {".py": "python", ".java": "java", ".toml": "toml", ".yml": "yaml", ".go": "go"}
BACKTICKS = re.compile(r"`{3,}")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write out the folders of the navigation."""
    assert config.nav is not None
    config.nav = [_expanded(entry, Path(config.docs_dir)) for entry in config.nav]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what the pages link to."""
    root = _root(config)
    for path in sorted(linked_files(root)):
        page = File.generated(config, place_of(path), content=_content(root, path))
        if "/" in path or not path.endswith(".md"):
            page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Lead the links of a page to where their targets are on the site."""
    place = page.file.src_uri
    if place.startswith("source/"):
        return markdown
    return rewritten(markdown, _path_at(place), _root(config))


def linked_files(root: Path) -> set[str]:
    """Every file outside docs/ that a page leads to, by its path from the root."""
    docs = {f"{DOCS}{path.relative_to(root / DOCS)}" for path in (root / DOCS).rglob("*.md")}
    reached: set[str] = set()
    ahead = {FRONT_PAGE, *docs}
    while ahead:
        reached |= ahead
        pages = [path for path in ahead if path.endswith(".md")]
        targets = {t for path in pages for t in targets_of((root / path).read_text(), path)}
        ahead = {target for target in targets if (root / target).is_file()} - reached
    return {path for path in reached if not path.startswith(DOCS)}


def targets_of(text: str, path: str) -> Iterator[str]:
    """The paths from the root that a page at `path` links to."""
    for found in FENCE_OR_LINK.finditer(text):
        link = found["link"]
        if link and not link.startswith(ELSEWHERE):
            yield _target(path, link.partition("#")[0])


def rewritten(text: str, path: str, root: Path) -> str:
    """The text of the page at `path` with its links as they are on the site."""

    def lead(found: re.Match[str]) -> str:
        link = found["link"]
        if not link or link.startswith(ELSEWHERE):
            return found[0]
        name, sharp, anchor = link.partition("#")
        target = _target(path, name)
        if not (root / target).is_file():
            return found[0]  # and MkDocs complains of it
        there = posixpath.relpath(place_of(target), posixpath.dirname(place_of(path)) or ".")
        return f"{found['before']}{there}{sharp}{anchor}{found['after']}"

    return FENCE_OR_LINK.sub(lead, text)


def place_of(path: str) -> str:
    """Where a file of the repository is on the site."""
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return f"project/{path}" if path.endswith(".md") else f"source/{path}.md"


def _path_at(place: str) -> str:
    """The file of the repository that a page of the site was made from."""
    return place.removeprefix("project/") if place.startswith("project/") else f"{DOCS}{place}"


def _target(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _content(root: Path, path: str) -> str:
    text = (root / path).read_text()
    return text if path.endswith(".md") else source_page(path, text)


def source_page(path: str, text: str) -> str:
    """A file of the source as a wide page, which a search leaves out."""
    language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
    fence = "`" * (1 + max(map(len, BACKTICKS.findall(text)), default=2))
    head = (
        f"---\ntitle: {path}\nsearch:\n  exclude: true\nhide: [navigation, toc]\n---\n\n# {path}\n"
    )
    return f"{head}\n{fence}{language}\n{text.rstrip()}\n{fence}\n"


def _expanded(entry: object, docs: Path) -> object:
    if isinstance(entry, dict):
        return {title: _expanded(below, docs) for title, below in entry.items()}
    if isinstance(entry, list):
        return [_expanded(below, docs) for below in entry]
    if isinstance(entry, str) and entry.endswith("/"):
        return [f"{entry}{path.name}" for path in sorted((docs / entry).glob("*.md"))]
    return entry


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent
