"""What a disk may look like after the power went: every state that a file system may leave.

The model is what POSIX leaves open and what ext4, XFS and btrfs really do, the worse of the two
where they differ. Between two barriers (`File.sync`, `Files.sync_directory`) nothing is guaranteed:

- **Prefix.** Everything up to some moment is there and nothing after it: the state that a killed
  process leaves (its last moment), and the one that naive programs expect.
- **Names.** Creations, renames and removals are atomic each. A journal keeps all of them in order,
  so that a prefix survives; without one any of them may be lost on its own, except that changes
  of one name or of one file stay in order. A sync of a file does not save its name.
- **Size.** A file has its durable size or any size that it had since: larger than the data that
  arrived (the rest reads as zeros), or smaller (the data is lost).
- **Pages.** Each 4 KiB page is written back on its own, at any time, in any order: it holds its
  durable contents or those of any later moment. Size and pages of a file do not wait for one
  another, and files do not wait for each other or for names: a renamed file may be empty.
- **Cuts.** A page that a cut freed does not come back once a size after the cut survives, and what
  was written after a cut that did not survive went to another block and is not seen.
- **Torn pages.** A page that was under way may hold one version up to a multiple of 64 bytes and
  another version behind it, either way round.

Not in the model, because no recovery could help: rotten durable pages (the bit flips of the tests
are for that), lost barriers, and times of change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from moldau.platform.ports.randomness import Random
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_contents import PAGE_SIZE, Contents
from moldau.platform.simulated.disk_nodes import (
    DirectoryNode,
    FileNode,
    NameChange,
    Node,
    put_entry,
)
from moldau.platform.simulated.disk_versions import contents_at, surviving_contents

TRIES_PER_STATE = 8
"""Draws without anything new after which the states count as exhausted."""


class CrashState(NamedTuple):
    """One possible disk, and how it came about, for the person who reads the failure."""

    origin: str
    disk: Disk


def crash_states(disk: Disk, random: Random, count: int) -> Iterator[CrashState]:
    """Up to `count` different states: first all prefixes, newest first, then drawn ones.

    The same disk, seed and count give the same states in the same order.
    """
    seen: set[int] = set()
    for state in _candidates(disk, random, count):
        mark = fingerprint(state.disk)
        if mark not in seen:
            seen.add(mark)
            yield state
        if len(seen) == count:
            return


def _candidates(disk: Disk, random: Random, count: int) -> Iterator[CrashState]:
    moments = unsynced_moments(disk)
    for moment in reversed(moments[-(count // 2) :]):
        yield prefix_state(disk, moment)
    yield prefix_state(disk, 0)
    for _ in range(count * TRIES_PER_STATE):
        yield drawn_state(disk, random)


def unsynced_moments(disk: Disk) -> list[int]:
    """When something changed that is not durable, in order."""
    nodes = reachable_files(disk)
    moments = {change.moment for node in nodes for change in node.changes}
    moments.update(change.moment for change in disk.name_changes)
    return sorted(moments)


def prefix_state(disk: Disk, moment: int) -> CrashState:
    """Everything up to `moment`, and what is durable."""
    names = [change for change in disk.name_changes if change.moment <= moment]
    return CrashState(
        f"all up to moment {moment}", rebuilt(disk, names, lambda node: contents_at(node, moment))
    )


def drawn_state(disk: Disk, random: Random) -> CrashState:
    """One state by chance; the plans that find the most mistakes are drawn as often as chaos."""
    names, names_origin = _drawn_names(disk.name_changes, random)
    moments = unsynced_moments(disk)
    plan = random.randrange(0, 4)
    if plan == 0 and moments:
        moment = moments[random.randrange(0, len(moments))]
        image = rebuilt(disk, names, lambda node: contents_at(node, moment))
        return CrashState(f"{names_origin}; data up to moment {moment}", image)
    if plan == 1:
        image = rebuilt(disk, names, lambda node: node.durable.copy())
        return CrashState(f"{names_origin}; no unsynced data", image)
    image = rebuilt(disk, names, lambda node: surviving_contents(node, random))
    return CrashState(f"{names_origin}; pages and sizes by chance", image)


def _drawn_names(changes: Sequence[NameChange], random: Random) -> tuple[list[NameChange], str]:
    plan = random.randrange(0, 4)
    if plan == 0:
        return list(changes), "all names"
    if plan == 1:
        count = random.randrange(0, len(changes) + 1)
        return list(changes[:count]), f"the first {count} of {len(changes)} changes of names"
    kept = _independent_names(changes, random)
    lost = ", ".join(change.verb for change in changes if change not in kept)
    return kept, f"without: {lost}" if lost else "all names"


def _independent_names(changes: Sequence[NameChange], random: Random) -> list[NameChange]:
    """Each is lost with even chance, and with it all that follow on its names or its file."""
    kept: list[NameChange] = []
    lost: list[NameChange] = []
    for change in changes:
        follows = any(change.follows(earlier) for earlier in lost)
        (lost if follows or random.randrange(0, 2) else kept).append(change)
    return kept


def rebuilt(
    disk: Disk, names: Iterable[NameChange], choose: Callable[[FileNode], Contents]
) -> Disk:
    """A new disk: the durable names and these, each file with the contents chosen for it."""
    entries: dict[DirectoryNode, dict[str, Node]] = {}
    for change in names:
        for entry in change.entries:
            found = entries.setdefault(entry.directory, dict(entry.directory.durable))
            put_entry(found, entry)
    image = Disk()
    _rebuild(disk.root, image.root, entries, choose)
    return image


def _rebuild(
    old: DirectoryNode,
    new: DirectoryNode,
    entries: dict[DirectoryNode, dict[str, Node]],
    choose: Callable[[FileNode], Contents],
) -> None:
    for name, node in sorted(entries.get(old, old.durable).items()):
        made: Node
        if isinstance(node, FileNode):
            made = FileNode(node.number, choose(node), node.modified_ms)
        else:
            made = DirectoryNode(node.number, node.modified_ms)
            _rebuild(node, made, entries, choose)
        new.entries[name] = new.durable[name] = made


def reachable_files(disk: Disk) -> list[FileNode]:
    """Every file that some crash state may show, in the order of its making."""
    found: set[Node] = set()
    waiting: list[Node] = [disk.root]
    waiting += [
        entry.node for change in disk.name_changes for entry in change.entries if entry.node
    ]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if isinstance(node, DirectoryNode):
                waiting += [*node.entries.values(), *node.durable.values()]
    return sorted((n for n in found if isinstance(n, FileNode)), key=lambda node: node.number)


def fingerprint(disk: Disk) -> int:
    """Equal for equal disks within one run of Python."""
    zeros = bytes(PAGE_SIZE)
    return hash(
        tuple(
            (
                path,
                node.contents.size,
                frozenset(item for item in node.contents.pages.items() if item[1] != zeros),
            )
            for path, node in disk.files()
        )
    )
