"""`moldau jmx`: attributes of MBeans, again and again, as `kafka-jmx.sh` shows them.

Java's tool speaks RMI. This one reads the same beans by Jolokia's protocol: of a node of ours at
its port of metrics, and of any Java program that runs Jolokia's agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Flag, Given, Takes
from moldau.programs.tools.kafka.perf_figures import java_time
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.programs.tools.kafka.bean_reading import BeanReader

__all__ = ["FLAGS", "run"]

READING: Final = "moldau.programs.tools.kafka.bean_reading"
"""Imported where beans are read: what the tool is needs no loop."""
URL: Final = "http://127.0.0.1:9404/jolokia"
RMI: Final = "service:jmx:"
ALL: Final = "*:*"
WAIT_MS: Final = 10_000
WAIT_STEP_S: Final = 0.1
MS_PER_SECOND: Final = 1000
OBJECTS: Final = "object-name"
FORMS: Final = {"properties": "{}={}", "csv": '{},"{}"', "tsv": "{}\t{}"}
"""A line for each attribute; every other form is one line for all."""
FLAGS = (
    Flag(OBJECTS, "Beans: a name or a pattern; may be repeated. All if none.", Takes.TEXT, "NAME"),
    Flag("attributes", "The attributes, if not all of them.", Takes.TEXT, "NAME,..."),
    Flag("reporting-interval", "Time between reports; -1 for one.", Takes.INT, "MS", "2000"),
    Flag("one-time", "Report once.", Takes.MAYBE, "BOOLEAN"),
    Flag("date-format", "The form of the time, as SimpleDateFormat's.", Takes.TEXT, "FORM"),
    Flag("report-format", "original, properties, csv or tsv.", Takes.TEXT, "FORM", "original"),
    Flag("jmx-url", "Where Jolokia answers.", Takes.TEXT, "URL", URL),
    Flag("jmx-ssl-enable", "Use HTTPS.", Takes.MAYBE, "BOOLEAN"),
    Flag("jmx-auth-prop", "The login, if one is needed.", Takes.TEXT, "USER=PASSWORD"),
    Flag("wait", "Wait up to ten seconds for beans that are named without patterns."),
)


def run(given: Given, world: World) -> int:
    reader = import_module(READING).BeanReader(_url(given), given.text("jmx-auth-prop"))
    queries = given.texts(OBJECTS) or [ALL]
    attributes = given.text("attributes")
    wanted = None if attributes is None else attributes.split(",")
    world.errors.write(f"Trying to connect to JMX url: {reader.url}\n")
    try:
        if given.has("wait") and not any("*" in query or "?" in query for query in queries):
            _wait(reader, queries, world)
        return _report(reader, queries, wanted, given, world)
    except KeyboardInterrupt:
        return 0


def _url(given: Given) -> str:
    url = given.text("jmx-url") or URL
    if url.startswith(RMI):
        raise ToolFailedError(
            f"{url} is RMI, which only Java speaks: name a page of Jolokia, such as {URL}; a node "
            "has it with --metrics-port, Apache Kafka with Jolokia's agent"
        )
    return url.replace("http://", "https://", 1) if _is_set(given, "jmx-ssl-enable") else url


def _is_set(given: Given, name: str) -> bool:
    """A flag that may have a value of Java's Boolean behind it."""
    return given.has(name) and (given.text(name) or "true").lower() == "true"


def _wait(reader: BeanReader, queries: Sequence[str], world: World) -> None:
    deadline_ms = world.clock.now_ms() + WAIT_MS
    while missing := [query for query in queries if not reader.read([query], None)]:
        if world.clock.now_ms() >= deadline_ms:
            raise ToolFailedError(
                f"Could not find all requested object names after {WAIT_MS} ms. Missing "
                f"{', '.join(missing)}"
            )
        world.wait(WAIT_STEP_S)


def _report(
    reader: BeanReader,
    queries: Sequence[str],
    wanted: Sequence[str] | None,
    given: Given,
    world: World,
) -> int:
    interval_ms = given.number("reporting-interval") or 0
    is_one_time = _is_set(given, "one-time") or interval_ms == -1
    form = FORMS.get(given.text("report-format") or "")
    values = _read(reader, queries, wanted)
    keys = list(values)
    if form is None and keys:
        heads = ",".join(f'"{key}"' for key in ("time", *keys))
        world.out.write(f"{heads}\n")
    while True:
        began_ms = world.clock.now_ms()
        _print({"time": _time(given, began_ms)} | values, form, world)
        if is_one_time:
            return 0
        took_ms = world.clock.now_ms() - began_ms
        world.wait(max(0, interval_ms - took_ms) / MS_PER_SECOND)
        now = _read(reader, queries, wanted)
        values = {key: now.get(key, "null") for key in keys}


def _read(
    reader: BeanReader, queries: Sequence[str], wanted: Sequence[str] | None
) -> dict[str, str]:
    """By bean and attribute, in the order of these names."""
    beans = reader.read(queries, wanted)
    if not beans:
        names = ", ".join(queries)
        raise ToolFailedError(f"No matched attributes for the queried objects [{names}].")
    found = {
        f"{bean}:{name}": _java_text(value)
        for bean, attributes in beans.items()
        for name, value in attributes.items()
    }
    return dict(sorted(found.items()))


def _time(given: Given, now_ms: int) -> str:
    form = given.text("date-format")
    return str(now_ms) if form is None else java_time(now_ms, form)


def _print(values: dict[str, str], form: str | None, world: World) -> None:
    if form is not None:
        world.out.writelines(f"{form.format(key, value)}\n" for key, value in values.items())
    elif len(values) > 1:
        world.out.write(f"{','.join(values.values())}\n")
    world.out.flush()


def _java_text(value: object) -> str:
    """As Java writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "NaN" if value is None else str(value)
