"""YAML whose every value has its line and column, so that what is wrong can be named by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NoReturn

from moldau.errors import MissingExtraError, MoldauError
from moldau.programs.yaml_bounds import DEPTH_MAX, TooMuchYamlError, judge_bounds

__all__ = ["BadYamlError", "Located", "read_yaml"]

WHOLE = re.compile(r"[0-9]{1,19}")
QUOTED = re.compile(r" (?:'(?!<)[^']{2,}'|\"(?!<)[^\"]{2,}\")")
"""What a complaint quotes of the file, which may be a password; kinds of tokens are in <>."""
SCALARS = "tag:yaml.org,2002:"


class BadYamlError(MoldauError):
    """A file that is no YAML, or not the YAML that was asked for."""

    def __init__(self, path: str, line: int, column: int, reason: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {reason}")


class Located:
    """A value of a file, and where it stands."""

    def __init__(self, node: Any, path: str) -> None:  # noqa: ANN401 - PyYAML ships no types
        self._node = node
        self._path = path

    def __repr__(self) -> str:
        mark = self._node.start_mark
        return f"<Located {self._node.id} at {self._path}:{mark.line + 1}:{mark.column + 1}>"

    def fail(self, reason: str) -> NoReturn:
        mark = self._node.start_mark
        raise BadYamlError(self._path, mark.line + 1, mark.column + 1, reason)

    def items(self, known: Iterable[str] | None = None) -> Iterator[tuple[str, Located]]:
        """Of a mapping whose keys are these, or any."""
        if self._node.id != "mapping":
            self.fail("a mapping is wanted here, `name: value`")
        seen: set[str] = set()
        allowed = None if known is None else list(known)
        for key, value in self._node.value:
            name = Located(key, self._path)
            text = name.text()
            if text in seen:
                name.fail(f"{text} stands here twice")
            if allowed is not None and text not in allowed:
                name.fail(f"{text} is unknown; choose of {', '.join(allowed)}")
            seen.add(text)
            yield text, Located(value, self._path)

    def fields(self, known: Iterable[str], required: Iterable[str] = ()) -> dict[str, Located]:
        """The same as a dictionary."""
        found = dict(self.items(known))
        for name in required:
            if name not in found:
                self.fail(f"{name} is missing here")
        return found

    def elements(self) -> list[Located]:
        if self._node.id != "sequence":
            self.fail("a list is wanted here, with `- ` before each element")
        return [Located(node, self._path) for node in self._node.value]

    @property
    def is_null(self) -> bool:
        return bool(self._node.id == "scalar" and self._node.tag == f"{SCALARS}null")

    @property
    def is_mapping(self) -> bool:
        return bool(self._node.id == "mapping")

    @property
    def is_list(self) -> bool:
        return bool(self._node.id == "sequence")

    def text(self) -> str:
        """As it is written: a number or a boolean too."""
        if self._node.id != "scalar":
            self.fail("one value is wanted here")
        return str(self._node.value)

    def whole_number(self, least: int) -> int:
        text = self.text()
        if not WHOLE.fullmatch(text) or int(text) < least:
            self.fail(f"{text} is no whole number from {least}")
        return int(text)

    def number(self) -> float:
        text = self.text()
        try:
            return float(text)
        except ValueError:
            self.fail(f"{text} is no number")

    def truth(self) -> bool:
        text = self.text().lower()
        if text not in ("true", "false"):
            self.fail(f"{text} is neither true nor false")
        return text == "true"


def read_yaml(contents: bytes, path: str) -> Located:
    """Its one document; JSON is YAML as well."""
    try:
        yaml = import_module("yaml")
    except ImportError:
        raise MissingExtraError("YAML needs PyYAML: pip install 'moldau[yaml]'") from None
    try:
        node = yaml.compose(contents.decode(), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise BadYamlError(path, 1, 1, f"byte {error.start} is no text in UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        reason = QUOTED.sub("", getattr(error, "problem", None) or "it cannot be read")
        raise BadYamlError(path, line, column, f"this is no YAML: {reason}") from None
    except RecursionError:
        raise BadYamlError(path, 1, 1, f"it is nested deeper than {DEPTH_MAX} levels") from None
    if node is None:
        raise BadYamlError(path, 1, 1, "there is nothing in it")
    document = Located(node, path)
    try:
        judge_bounds(node)
    except TooMuchYamlError as error:
        Located(error.node, path).fail(str(error))
    return document
