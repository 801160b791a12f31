"""A pipeline that is a file: a topic, steps in SQL or Python, and where their rows go.

    pipeline: orders
    source: {bootstrap: localhost:9092, topic: orders}
    lake: lake/orders
    checkpoint: checkpoints/orders
    settings: {schema: "id bigint, country string, amount double"}
    steps:
      - {name: large, sql: select * from records where amount >= 100}
      - {name: scored, python: scoring.py:score, of: large}
    sinks:
      - {table: large, rows: scored}
      - {topic: large-orders, rows: scored, key: id}

`records` are the rows of silver of a batch. A step has a name, by which later steps and sinks have
its rows. What is wrong with the file is named by line and column, before Spark starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Final

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.located_yaml import Located, read_yaml
from moldau.programs.pipelines.errors import SettingError
from moldau.programs.pipelines.landing_settings import LandingSettings
from moldau.programs.pipelines.settings import read_settings

__all__ = ["RECORDS", "Declared", "Mode", "Sink", "Step", "read_declared"]

RECORDS: Final = "records"
OWN_TABLES: Final = ("bronze", "silver", "dead_letters", "reconciliation")
NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")
TEXTS: Final = re.compile(r"'(?:[^'\\]|\\.)*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
"""Of SQL: what names nothing."""


class Mode(StrEnum):
    """How rows get into a table."""

    APPEND = "append"
    ADD = "add"
    """To the numbers of the row with the same keys."""
    REPLACE = "replace"
    """In the place of the row with the same keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Rows that are made of others."""

    name: str
    sql: str = ""
    file: str = ""
    """Of Python, beside the file of the pipeline; its `function` takes a frame and returns one."""
    function: str = ""
    inputs: tuple[str, ...]
    """What it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sink:
    """Where rows go: a table or a topic."""

    rows: str
    table: str = ""
    mode: Mode = Mode.APPEND
    keys: tuple[str, ...] = ()
    partition_by: str = ""
    topic: str = ""
    key: str = ""
    """The column that is the key of the topic's records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """All that the file declares."""

    path: str
    name: str
    description: str = ""
    bootstrap: str = ""
    topic: str = ""
    source: Mapping[str, str] = field(default_factory=dict)
    lake: str = ""
    checkpoint: str = ""
    storage: Mapping[str, str] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    """As `NAME=VALUE`."""
    steps: tuple[Step, ...] = ()
    sinks: tuple[Sink, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        return (*OWN_TABLES, *dict.fromkeys(sink.table for sink in self.sinks if sink.table))


def read_declared(contents: bytes, path: str) -> Declared:
    """The pipeline, or `BadYamlError` with the place of what is wrong."""
    known = (
        "pipeline", "description", "source", "lake", "checkpoint", "storage", "settings", "steps",
        "sinks",
    )  # fmt: skip
    found = read_yaml(contents, path).fields(known, required=("pipeline", "source"))
    source = found["source"].fields(("bootstrap", "topic", "options"))
    steps = _steps(found["steps"]) if "steps" in found else ()
    sinks = _sinks(found["sinks"], steps) if "sinks" in found else ()
    return Declared(
        path=path,
        name=_name(found["pipeline"]),
        description=_text(found, "description"),
        bootstrap=_text(source, "bootstrap"),
        topic=_text(source, "topic"),
        source=_pairs(source, "options"),
        lake=_text(found, "lake"),
        checkpoint=_text(found, "checkpoint"),
        storage=_pairs(found, "storage"),
        settings=_settings(found["settings"]) if "settings" in found else (),
        steps=steps,
        sinks=sinks,
    )


def _settings(given: Located) -> tuple[str, ...]:
    pairs = []
    for name, value in given.items():
        pairs.append(f"{name}={value.text()}")
        try:
            read_settings(LandingSettings, pairs[-1:])
        except SettingError as error:
            value.fail(str(error))
    return tuple(pairs)


def _steps(given: Located) -> tuple[Step, ...]:
    steps: list[Step] = []
    for element in given.elements():
        found = element.fields(("name", "sql", "python", "of"), required=("name",))
        name = _name(found["name"])
        known = (RECORDS, *(step.name for step in steps))
        if name in known:
            found["name"].fail(f"there are rows of the name {name} already")
        if ("sql" in found) == ("python" in found):
            element.fail("a step has either sql or python")
        make = _sql_step if "sql" in found else _python_step
        steps.append(make(name, found, known))
    return tuple(steps)


def _sql_step(name: str, found: Mapping[str, Located], known: tuple[str, ...]) -> Step:
    if "of" in found:
        found["of"].fail("SQL names what it reads itself")
    sql = found["sql"].text().strip().rstrip(";")
    words = {word.lower() for word in NAME.findall(TEXTS.sub(" ", sql))}
    inputs = tuple(one for one in known if one.lower() in words)
    if not inputs:
        found["sql"].fail(f"it reads none of {', '.join(known)}")
    return Step(name=name, sql=sql, inputs=inputs)


def _python_step(name: str, found: Mapping[str, Located], known: tuple[str, ...]) -> Step:
    file, colon, function = found["python"].text().rpartition(":")
    if not colon or not file.endswith(".py") or not function.isidentifier():
        found["python"].fail("a file and a function in it are wanted, as steps.py:score")
    rows = _one_of(found["of"], known) if "of" in found else known[-1]
    return Step(name=name, file=file, function=function, inputs=(rows,))


def _sinks(given: Located, steps: tuple[Step, ...]) -> tuple[Sink, ...]:
    known = (RECORDS, *(step.name for step in steps))
    sinks: list[Sink] = []
    for element in given.elements():
        if any(name == "topic" for name, _ in element.items()):
            sink = _topic_sink(element, known)
        else:
            sink = _table_sink(element, known, {sink.table for sink in sinks})
        sinks.append(sink)
    return tuple(sinks)


def _topic_sink(element: Located, known: Iterable[str]) -> Sink:
    found = element.fields(("topic", "rows", "key"), required=("rows",))
    rows, topic = _one_of(found["rows"], known), _text(found, "topic")
    if not TOPIC.fullmatch(topic):
        found["topic"].fail(f"{topic!r} is no name of a topic: letters, digits, '.', '_' and '-'")
    return Sink(rows=rows, topic=topic, key=_text(found, "key"))


def _table_sink(element: Located, known: Iterable[str], taken: set[str]) -> Sink:
    found = element.fields(
        ("table", "rows", "mode", "keys", "partition_by"), required=("table", "rows")
    )
    table = _name(found["table"])
    if table in OWN_TABLES or table in taken:
        found["table"].fail(f"the table {table} is written already")
    mode = Mode(_one_of(found["mode"], list(Mode))) if "mode" in found else Mode.APPEND
    keys = _names(found, "keys")
    if (mode is Mode.APPEND) == bool(keys):
        element.fail("keys are for the modes add and replace, which need them")
    if mode is not Mode.APPEND and "partition_by" in found:
        found["partition_by"].fail("only appended tables have folders by columns")
    return Sink(
        rows=_one_of(found["rows"], known),
        table=table,
        mode=mode,
        keys=keys,
        partition_by=",".join(_names(found, "partition_by")),
    )


def _name(given: Located) -> str:
    text = given.text()
    if not NAME.fullmatch(text):
        given.fail(f"{text!r} is no name: letters, digits and _, and no digit in front")
    return text


def _names(found: Mapping[str, Located], name: str) -> tuple[str, ...]:
    parts = [part.strip() for part in _text(found, name).split(",")]
    return tuple(part for part in parts if part)


def _one_of(given: Located, known: Iterable[str]) -> str:
    text = given.text()
    if text not in list(known):
        given.fail(f"{text} is not known here: there are {', '.join(known)}")
    return text


def _text(found: Mapping[str, Located], name: str) -> str:
    return found[name].text() if name in found else ""


def _pairs(found: Mapping[str, Located], name: str) -> dict[str, str]:
    if name not in found:
        return {}
    return {key: value.text() for key, value in found[name].items()}
