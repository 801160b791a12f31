"""What `--output` asks for: rows with named columns, as a table for people or for programs.

    table   the columns that matter; on a terminal that is too narrow each row becomes a block
    wide    all columns
    json    one array, with an object for each row
    yaml    one list, with a map for each row
    csv     a line of names, then a line for each row

A command hands over what it found with `world.takes`, which is false where nothing of all this was
asked for: then it prints as ever. Rows of several calls make one table, whose columns are all that
occurred. Names are those of Kafka's tables in small letters, `log_end_offset` for LOG-END-OFFSET.
What the command writes meanwhile is no result: it becomes a message, or an error, which is JSON
where JSON is asked for. So do the complaints of argparse, and what clients log.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO
from typing import TextIO

from moldau.platform.system.host import terminal_columns
from moldau.platform.system.process import environment
from moldau.programs.tools.cluster.tables import block_lines
from moldau.programs.tools.command import FORMATS, World

__all__ = ["Rows", "asked_form", "key_of", "shown_as"]

FAILED = 1
FLAG = "--output"
GAP = "  "
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
MISSING = "-"
PLAIN_YAML = re.compile(r"[A-Za-z_/][A-Za-z0-9_./@+-]*")
"""Texts that YAML takes for themselves, but for the words below; others are quoted as in JSON."""
WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


class Rows:
    """What was found so far."""

    def __init__(self, form: str) -> None:
        assert form in FORMATS, form
        self.form = form
        self.is_begun = False
        """Whether there is a table, though it may be empty."""
        self._found: list[dict[str, object]] = []
        self._columns: dict[str, bool] = {}
        """By name, whether it is shown only with all columns."""

    def __repr__(self) -> str:
        return f"<Rows: {len(self._found)} as {self.form}>"

    def add(
        self, heads: Sequence[str], rows: Iterable[Sequence[object]], wide: Sequence[str] = ()
    ) -> None:
        """Rows below these heads; `wide` names those that are shown on demand."""
        self.is_begun = True
        keys = [key_of(head) for head in heads]
        for key, head in zip(keys, heads, strict=True):
            self._columns.setdefault(key, head in wide)
        self._found += [dict(zip(keys, row, strict=True)) for row in rows]

    def write(self, out: TextIO, columns: int | None = None, *, is_bold: bool = False) -> None:
        """All of it; `columns` is how wide a terminal is."""
        match self.form:
            case "json":
                out.write(_json(self._records()))
            case "yaml":
                out.write(_yaml(self._records()))
            case "csv":
                out.write(_csv([list(self._columns), *self._cells(list(self._columns), "")]))
            case _:
                self._write_table(out, columns, is_bold=is_bold)

    def _records(self) -> list[dict[str, object]]:
        return [{key: row.get(key) for key in self._columns} for row in self._found]

    def _cells(self, keys: Sequence[str], missing: str) -> list[list[str]]:
        return [[_text(row.get(key), missing) for key in keys] for row in self._found]

    def _write_table(self, out: TextIO, columns: int | None, *, is_bold: bool) -> None:
        shown = [key for key, wide in self._columns.items() if self.form == "wide" or not wide]
        heads = [key.replace("_", "-").upper() for key in shown]
        cells = self._cells(shown, MISSING)
        numeric = [all(_is_number(row.get(key)) for row in self._found) for key in shown]
        lines = list(_table([heads, *cells], numeric))
        if columns is not None and max(map(len, lines)) > columns:
            lines, is_bold = list(block_lines(heads, cells, columns)), False
        if is_bold:
            lines[0] = f"{BOLD}{lines[0]}{PLAIN}"
        out.write("".join(f"{line}\n" for line in lines))


def asked_form(words: Sequence[str]) -> str | None:
    """The form that words of a command line ask for, if it is one."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        form = value if equals else following
        if name == FLAG and form in FORMATS:
            return form
    return None


def shown_as(form: str, run: Callable[[World], int], world: World) -> int:
    """Run something in a world that takes rows, and write what came of it; the exit code."""
    rows, out, errors = Rows(form), StringIO(), StringIO()
    try:
        with redirect_stderr(errors):  # where argparse and the log write
            code = run(replace(world, rows=rows, out=out, errors=errors))
    except SystemExit as end:
        if not end.code:
            raise  # after the help
        code = end.code if isinstance(end.code, int) else FAILED
    text, remarks = out.getvalue().strip(), errors.getvalue().strip()
    code = code or (FAILED if text.startswith(ERROR) else 0)
    if rows.is_begun:
        is_terminal = world.out.isatty()
        is_bold = is_terminal and not environment().get("NO_COLOR")
        rows.write(world.out, terminal_columns() if is_terminal else None, is_bold=is_bold)
    elif text and not code:
        world.out.write(_message(form, "message", text))
        text = ""
    problem = "\n".join(filter(None, (text, remarks)))
    if problem:
        world.errors.write(_message(form, "error" if code else "warning", problem))
    return code


ERROR = "Error"
"""How tools of Kafka's begin that exit with 0 nevertheless."""


DATA = ("json", "yaml")
USAGE, PROBLEM_OF_USAGE = "usage: ", "\nmoldau "
"""argparse shows how a command is used before what is wrong; programs need the latter."""


def _message(form: str, kind: str, text: str) -> str:
    """One text, for people or for a program."""
    if form in DATA and text.startswith(USAGE):
        text = text[text.find(PROBLEM_OF_USAGE) + 1 :]
    if form == "json":
        return json.dumps({kind: text}, ensure_ascii=False) + "\n"
    return f"{kind}: {_yaml_value(text)}\n" if form == "yaml" else f"{text}\n"


def key_of(head: str) -> str:
    """`log_end_offset` for LOG-END-OFFSET, and `partitions` for #PARTITIONS."""
    words = re.findall(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+", head.partition("(")[0])
    return "_".join(words).lower()


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _text(value: object, missing: str) -> str:
    if value is None or value in ((), []):
        return missing
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(_text(one, missing) for one in value)
    if isinstance(value, dict):
        return ",".join(f"{key}={_text(one, missing)}" for key, one in value.items())
    return str(value)


def _table(texts: Sequence[Sequence[str]], numeric: Sequence[bool]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = (
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        )
        yield GAP.join(cells).rstrip()


def _json(records: Sequence[object]) -> str:
    lines = ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in records)
    return f"[\n{lines}\n]\n" if records else "[]\n"


def _yaml(records: Sequence[dict[str, object]]) -> str:
    lines = []
    for record in records:
        marks = ["- ", *["  "] * len(record)]
        lines += [
            f"{mark}{key}: {_yaml_value(value)}\n"
            for mark, (key, value) in zip(marks, record.items(), strict=False)
        ]
    return "".join(lines) or "[]\n"


def _yaml_value(value: object) -> str:
    """JSON is YAML; a text that needs no quotes has none."""
    if isinstance(value, str) and PLAIN_YAML.fullmatch(value):
        return value if value.lower() not in WORDS_OF_YAML else json.dumps(value)
    return json.dumps(value, ensure_ascii=False)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
