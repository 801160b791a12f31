"""`./dev docs`: writes the pages of docs/generated from what the code declares.

Runs inside `.venv`, where the project can be imported. Each page is a function without arguments
that returns its text; a test calls the same functions and compares.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.prometheus import label_of
from moldau.broker.server.monitoring.families.table import FAMILIES
from moldau.broker.server.monitoring.figures.catalogue import ABSENT, TABLES
from moldau.broker.server.monitoring.figures.table import (
    Counted,
    OfPartitions,
    Row,
    Spread,
    Spreads,
    Table,
)
from moldau.broker.server.monitoring.figures.table import Each as EachOf
from moldau.client.settings.client import ClientSettings
from moldau.config.broker.settings import BrokerSettings
from moldau.config.client_metrics import ClientMetricsSettings
from moldau.config.group import GroupSettings
from moldau.config.key import Key, Limits
from moldau.config.own import OwnSettings
from moldau.config.settings import Settings
from moldau.config.topic import TopicSettings
from moldau.config.without_effect import WITHOUT_EFFECT
from moldau.programs.tools.kafka.flags import Flag
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import (
    KafkaTool,
    actions_of,
    all_flags,
    explanation,
    shown,
)
from moldau.programs.tools.main import COMMANDS, parser_for, tool_module_of
from moldau.protocol.messages.index import APIS, OTHERS, Api, load
from moldau.protocol.wire.schema import Message

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "generated"


def first_line(message: type[Message]) -> str:
    return (message.__doc__ or "").strip().partition("\n")[0]


def messages_page() -> str:
    """Every message of the protocol and of the logs, with the versions that it lives in."""
    api_rows = (api_row(api) for api in APIS)
    other_rows = (
        other_row(module, load(module, name)) for module, names in OTHERS.items() for name in names
    )
    return page(
        "Messages",
        f"All {len(APIS)} APIs of Apache Kafka 4.3.1 by key, then everything else that it writes.",
        *table("Key", "API", "Versions", "Flexible", "Listeners", "What it does", rows=api_rows),
        "",
        "## Headers, records and other data",
        "",
        *table("Message", "Versions", "Flexible", "What it is", rows=other_rows),
    )


def api_row(api: Api) -> tuple[str, ...]:
    request = api.request
    name = link(api.name, api.module)
    versions = str(request.VERSIONS)
    if request.UNSTABLE.low <= request.UNSTABLE.high:
        versions += f" ({request.UNSTABLE} unstable)"
    listeners = ", ".join(request.LISTENERS) or "none"
    return str(api.key), name, versions, str(request.FLEXIBLE), listeners, first_line(request)


def other_row(module: str, message: type[Message]) -> tuple[str, ...]:
    name = link(message.__name__, module)
    return name, str(message.VERSIONS), str(message.FLEXIBLE), first_line(message)


def link(name: str, module: str) -> str:
    return f"[{name}](../../src/moldau/protocol/messages/{module.replace('.', '/')}.py)"


def settings_page() -> str:
    """Every setting that people may use, by what it is set on."""
    sections: list[str] = []
    for title, settings in SETTINGS.items():
        keys = (key for key in settings.KEYS.values() if not key.internal)
        reasons = {} if settings is ClientSettings else WITHOUT_EFFECT
        rows = (setting_row(key, reasons.get(key.name)) for key in keys)
        sections += [f"## {title}", "", *table(*SETTING_HEADS, rows=rows), ""]
    return page(
        "Settings", "Every setting, with Apache Kafka's names, defaults and bounds.", *sections[:-1]
    )


def setting_row(key: Key[Any], reason: str | None = None) -> tuple[str, ...]:
    """With the reason where it has no effect here."""
    default = "" if key.default_text is None else f"`{key.default_text}`"
    doc = key.doc if reason is None else f"{key.doc} **No effect here, because {reason}.**"
    shown = doc.replace("|", "\\|")
    return f"`{key.name}`", key.kind.name, default, bounds(key.limits), key.scope.value, shown


def bounds(limits: Limits) -> str:
    """What a value may be, beside being of its type."""
    found = [
        _extent(limits.least, limits.most),
        "" if limits.or_value is None else str(limits.or_value),
        ", ".join(f"`{choice}`" for choice in limits.choices),
        "`partition:broker`, or `*`" if limits.of_replicas else "",
        "" if limits.empty else "not empty",
    ]
    return ", or ".join(filter(None, found))


def _extent(least: float | None, most: float | None) -> str:
    if least is None:
        return "" if most is None else f"{most} or less"
    return f"{least} or more" if most is None else f"{least} to {most}"


def commands_page() -> str:
    """Every command, with the help that it gives itself."""
    sections = [line for command in COMMANDS for line in command_section(parser_for(command))]
    sections += [line for tool in KAFKA_TOOLS for line in tool_section(tool)]
    return page("Commands", "What `moldau` can be asked to do.", *sections[:-1])


def command_section(parser: ArgumentParser) -> list[str]:
    """What its help shows, and below that its ways, each of which is a parser too."""
    lines = [f"## {parser.prog}", "", str(parser.description), ""]
    lines += [*table("Argument", "What it does", rows=argument_rows(parser)), ""]
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for listed in action._choices_actions:
                way = action.choices[listed.dest]
                doc = str(listed.help)
                lines += [f"### {way.prog}", "", f"{doc[0].upper()}{doc[1:]}.", ""]
                lines += [*table("Argument", "What it does", rows=argument_rows(way)), ""]
    _, _, example = str(parser.epilog).partition("example: ")
    return [*lines, "For example:", "", f"    {example}", ""]


def tool_section(tool: KafkaTool) -> list[str]:
    """A tool of Kafka's: its flags, and an example."""
    rows = flag_rows(all_flags(tool_module_of(tool)))
    summary = f"{tool.summary[0].upper()}{tool.summary[1:]}, as `{tool.script}` does."
    return [
        f"## moldau {tool.name}",
        "",
        summary,
        "",
        *table("Flag", "What it does", rows=rows),
        "",
        *action_sections(tool),
        "For example:",
        "",
        f"    moldau {tool.name} {tool.example}",
        "",
    ]


def action_sections(tool: KafkaTool) -> list[str]:
    """Of a tool whose first word is the action: its words, and the flags of each."""
    actions = actions_of(tool_module_of(tool))
    lines: list[str] = []
    for action in () if actions is None else actions.choices:
        lines += [f"### moldau {tool.name} {action.name}", "", action.help, ""]
        if action.flags:
            lines += [*table("Flag", "What it does", rows=flag_rows(action.flags)), ""]
    return lines


def flag_rows(flags: Iterable[Flag]) -> list[tuple[str, ...]]:
    return [(f"`{shown(flag)}`", explanation(flag).replace("|", "\\|")) for flag in flags]


def argument_rows(parser: ArgumentParser) -> Iterable[tuple[str, ...]]:
    """From the parser's actions and not from its help text, which each Python lays out anew."""
    for action in parser._actions:
        if action.help == SUPPRESS:
            continue
        value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
        name = " ".join(filter(None, (", ".join(action.option_strings), str(value))))
        doc = action.help or "one of those below"
        doc = doc.replace("%(default)s", str(action.default)).replace("%%", "%")
        yield f"`{name}`".replace("|", "\\|"), doc.replace("|", "\\|")


def metrics_page() -> str:
    """Every metric of a node, by its type."""
    sections: list[str] = []
    for one in TABLES:
        sections += [f"## {one.group}:type={one.type}", ""]
        sections += [*table(*METRIC_HEADS, rows=(metric_row(one, row) for row in one.rows)), ""]
    for family, tables in FAMILIES.items():
        sections += [f"## The family `{family}` of `moldau.metrics.families`", ""]
        rows = [foreign_row(one, row) for one in tables for row in one.rows]
        sections += [*table("Prometheus", "Labels", "Meaning", rows=rows), ""]
    sections += ["## What Apache Kafka reports and we do not", ""]
    absent = ((f"`{names}`".replace(", ", "`, `"), why) for names, why in ABSENT.items())
    return page(
        "Metrics",
        "What `/metrics` reports, where `moldau start --metrics-port` opens it.",
        WHOLE_AND_PARTS,
        "",
        *sections,
        *table("Metric", "Why not", rows=absent),
    )


def metric_row(
    owner: Table, row: Row | EachOf | OfPartitions | Spread | Spreads | Counted
) -> tuple[str, ...]:
    name = MetricName(owner.group, owner.type, row.name)
    labels = ", ".join(f"`{label_of(tag)}`" for tag in row.tags)
    return f"`{name.prometheus}`", f"`{row.name}`", labels, row.doc.replace("|", "\\|")


def foreign_row(
    owner: Table, row: Row | EachOf | OfPartitions | Spread | Spreads | Counted
) -> tuple[str, ...]:
    """A name of another exporter's, which is none of Kafka's."""
    name, _, labels, doc = metric_row(owner, row)
    return name, labels, doc


def table(*heads: str, rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def page(title: str, doc: str, *lines: str) -> str:
    head = [f"# {title}", "", f"{doc} Written by `./dev docs`; do not edit.", ""]
    return "\n".join([*head, *lines, ""])


WHOLE_AND_PARTS = (
    "As with Apache Kafka, a metric that has the label `topic` is shown without it too, for all"
    ' topics together: a sum over it in a query has to choose, by `topic=""` or `topic!=""`.'
)
METRIC_HEADS = ("Prometheus", "Kafka", "Labels", "Meaning")
SETTING_HEADS = ("Setting", "Type", "Default", "Bounds", "Changes", "What it is for")
SETTINGS: dict[str, type[Settings]] = {
    "Of a node": BrokerSettings,
    "Of a node, and unknown to Apache Kafka, which ignores them": OwnSettings,
    "Of a topic": TopicSettings,
    "Of a group": GroupSettings,
    "Of a subscription to clients' metrics": ClientMetricsSettings,
    "Of a client": ClientSettings,
}
PAGES: dict[str, Callable[[], str]] = {
    "messages.md": messages_page,
    "settings.md": settings_page,
    "commands.md": commands_page,
    "metrics.md": metrics_page,
}


def write_pages() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in PAGES.items():
        (FOLDER / name).write_text(text())
        print(f"docs/generated/{name}")


if __name__ == "__main__":
    write_pages()
