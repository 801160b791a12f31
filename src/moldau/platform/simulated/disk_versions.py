"""Which contents of one file a crash may leave; the rules are in `disk_crash`.

Version 0 of a file is the durable one, version n the one after its n-th unsynced change. A crash
chooses one version for the size, and for each page that changed one version of that page, within
the bounds that cuts set.
"""

from __future__ import annotations

from moldau.platform.ports.randomness import Random
from moldau.platform.simulated.disk_contents import PAGE_SIZE, Contents
from moldau.platform.simulated.disk_nodes import FileNode

LINE_SIZE = 64
"""A torn page is torn between two lines of this many bytes."""
TORN_IN = 4
"""One in so many rewritten pages is torn."""
_HOLE = bytes(PAGE_SIZE)


def contents_at(node: FileNode, moment: int) -> Contents:
    """The durable contents and every change up to `moment`."""
    contents = node.durable.copy()
    for change in node.changes:
        if change.moment <= moment:
            change.apply_to(contents)
    return contents


def surviving_contents(node: FileNode, random: Random) -> Contents:
    """One legal outcome, by chance."""
    if not node.changes:
        return node.durable.copy()
    version = _drawn_size_version(node, random)
    size = node.changes[version - 1].size if version else node.durable.size
    contents = node.durable.copy()
    numbers = {number for change in node.changes for number in change.pages}
    numbers.update(contents.pages if _has_cut(node) else ())
    for number in sorted(numbers):
        contents.pages[number] = _drawn_page(page_versions(node, number, version), random)
    contents.size = max(contents.size, _end_of(contents), size)
    contents.resize(size)
    return contents


def _drawn_size_version(node: FileNode, random: Random) -> int:
    """The newest half of the time: the size that arrived without its data finds the most."""
    if random.randrange(0, 2):
        return len(node.changes)
    return random.randrange(0, len(node.changes) + 1)


def _has_cut(node: FileNode) -> bool:
    return any(change.cut_from is not None for change in node.changes)


def _end_of(contents: Contents) -> int:
    return (max(contents.pages, default=-1) + 1) * PAGE_SIZE


def page_versions(node: FileNode, number: int, size_version: int) -> list[bytes]:
    """What this page may hold when the size of `size_version` survived, oldest first."""
    versions = [node.durable.page(number)]
    for index, change in enumerate(node.changes, start=1):
        if change.cut_from is not None and number >= change.cut_from:
            if index > size_version:
                break
            versions = [_HOLE]
        if number in change.pages:
            versions.append(change.pages[number])
    return versions


def _drawn_page(versions: list[bytes], random: Random) -> bytes:
    chosen = random.randrange(0, len(versions))
    page = versions[chosen]
    if chosen == 0 or random.randrange(0, TORN_IN):
        return page
    before = versions[random.randrange(0, chosen)]
    return _torn(page, before, random)


def _torn(page: bytes, before: bytes, random: Random) -> bytes:
    """Torn at a line inside the part that differs; one that differs in one line stays whole."""
    starts = range(0, PAGE_SIZE, LINE_SIZE)
    differing = [at for at in starts if page[at : at + LINE_SIZE] != before[at : at + LINE_SIZE]]
    if len(differing) < 2:
        return page
    border = differing[random.randrange(1, len(differing))]
    if random.randrange(0, 2):
        return page[:border] + before[border:]
    return before[:border] + page[border:]
