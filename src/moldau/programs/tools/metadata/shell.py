"""The shell itself: where one stands, and what each word does."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator

from moldau.programs.tools.metadata.globs import candidates, find
from moldau.programs.tools.metadata.listing import listing_of
from moldau.programs.tools.metadata.shell_words import (
    COMMANDS,
    HELP,
    ShellWordError,
    help_of,
    overview,
    parse_words,
    usage_of,
)
from moldau.programs.tools.metadata.tree import Directory, Node, lines_of

__all__ = ["Shell"]


class Shell:
    """A tree, the directory in it, and the lines that were typed."""

    def __init__(self, root: Directory, *, typed: bool, width: int = 0) -> None:
        self._root = root
        self._typed = typed
        self._width = width
        self._working = "/"
        self._history: list[str] = []
        self.has_ended = False
        self._answers: dict[str, Callable[[list[str]], Iterable[str]]] = {
            "cat": self._cat,
            "cd": self._cd,
            "exit": self._exit,
            "find": self._find,
            "help": lambda _nothing: overview(),
            "history": self._past,
            "ls": self._ls,
            "man": self._man,
            "pwd": lambda _nothing: [self._working],
            "tree": self._tree,
        }

    def __repr__(self) -> str:
        return f"<Shell: in {self._working}>"

    def take(self, line: str) -> Iterator[str]:
        """What one typed line answers."""
        if line.strip():
            self._history.append(line.strip())
        try:
            words = shlex.split(line)
        except ValueError:
            yield f"{line.strip()}: a quotation mark is not closed"
            return
        yield from self.run(words)

    def run(self, words: list[str]) -> Iterator[str]:
        try:
            parsed = parse_words(words, typed=self._typed)
        except ShellWordError as error:
            yield str(error)
            return
        if parsed is None:
            return
        command, arguments = parsed
        if arguments == [HELP[0]]:
            yield from usage_of(command)
            return
        yield from self._answers[command.name](arguments)

    def complete(self, line: str) -> list[str]:
        """How the last word of a line may go on."""
        words = line.split(" ")
        if len(words) == 1:
            return [name for name in COMMANDS if name.startswith(line)]
        if words[0] == "man":
            return [name for name in COMMANDS if name.startswith(words[-1])]
        takes_paths = words[0] in ("cat", "cd", "find", "ls", "tree")
        return candidates(self._root, self._working, words[-1]) if takes_paths else []

    def _cat(self, targets: list[str]) -> Iterator[str]:
        for target in targets:
            found = find(self._root, self._working, target)
            for one in found:
                if isinstance(one.node, str):
                    yield one.node
                else:
                    yield f"cat: {target}: Is a directory"
            if not found:
                yield f"cat: {target}: No such file or directory."

    def _tree(self, targets: list[str]) -> Iterator[str]:
        for target in targets:
            found = find(self._root, self._working, target)
            for one in found:
                yield from lines_of(one.node)
            if not found:
                yield f"tree: {target}: No such file or directory."

    def _ls(self, targets: list[str]) -> Iterator[str]:
        found = []
        for target in _paths(targets):
            nodes = find(self._root, self._working, target)
            if not nodes:
                yield f"ls: {target}: no such file or directory."
            found += nodes
        yield from listing_of(found, self._width)

    def _find(self, targets: list[str]) -> Iterator[str]:
        for target in _paths(targets):
            found = find(self._root, self._working, target)
            for one in found:
                yield from _below(target, one.node)
            if not found:
                yield f"find: {target}: no such file or directory."

    def _cd(self, targets: list[str]) -> Iterator[str]:
        target = targets[0] if targets else "/"
        found = find(self._root, self._working, target)
        for one in found:
            if isinstance(one.node, Directory):
                self._working = one.path
            else:
                yield f"cd: {target}: not a directory."
        if not found:
            yield f"cd: {target}: no such directory."

    def _man(self, names: list[str]) -> Iterator[str]:
        command = COMMANDS.get(names[0])
        if command is None:
            yield f"man: unknown command {names[0]}. Type help to get a list of commands."
        else:
            yield from help_of(command)

    def _past(self, counts: list[str]) -> Iterator[str]:
        count = int(counts[0]) if counts else len(self._history)
        first = max(0, len(self._history) - max(0, count))
        for place, line in enumerate(self._history[first:], first):
            yield f"{place:5}  {line}"

    def _exit(self, _nothing: list[str]) -> list[str]:
        self.has_ended = True
        return []


def _paths(targets: list[str]) -> list[str]:
    """Without empty ones; where one stands if none is left."""
    return [target for target in targets if target] or ["."]


def _below(path: str, node: Node) -> Iterator[str]:
    yield path
    if isinstance(node, Directory):
        for name in node.names():
            child = node.child(name)
            assert child is not None, "a directory has what it lists"
            yield from _below(path + name if path == "/" else f"{path}/{name}", child)
