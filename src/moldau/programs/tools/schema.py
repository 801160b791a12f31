"""`moldau schema`: the schemas of a registry, from a shell.

    schema list     [--subject S]
    schema show     --subject S [--version 2] [--format spark|arrow|pydantic|dataclass]
    schema register --subject S --file order.avsc [--reference NAME=SUBJECT:VERSION]
    schema check    --subject S --file order.avsc [--bootstrap-server B --topic T --last 1000]
    schema diff     --subject S --old 1 --new 2
    schema delete   --subject S [--version 2] [--permanent]
    schema export   > schemas.jsonl
    schema import   --file schemas.jsonl
    schema shred    --subject S --kek K

`show` gives the text of a schema, or what it is as columns and classes: Spark's DDL, a schema of
Arrow, models of pydantic, dataclasses. `check` asks the registry whether the schema may follow the
versions that are there. With a topic it also reads the newest records with it: what would a reader
meet that had it now? `export` writes a line for each version, and `import` registers them again
with the same ids, for which the subject must be free there. `shred` deletes the data keys of a
subject for good: what was encrypted with them stays unreadable, wherever copies of the records are.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from moldau.client import Consumer
from moldau.client.schemas import RegistryClient, SchemaText
from moldau.errors import MoldauError
from moldau.platform.ports.files import read_whole
from moldau.programs.tools.command import World, declare_output
from moldau.programs.tools.kafka.clusters import properties_of
from moldau.programs.tools.schema_records import broken_records, newest_records
from moldau.schemas.kinds import KINDS, language_of
from moldau.schemas.model import AVRO, Reference
from moldau.schemas.parsed import ParsedSchema
from moldau.schemas.shapes.forms import FORMS

__all__ = ["act", "declare", "run"]

FINE, BROKEN = 0, 1
URL = "http://localhost:8081"
NEEDED: Mapping[str, tuple[str, ...]] = {
    "list": (),
    "show": ("subject",),
    "register": ("subject", "file"),
    "check": ("subject", "file"),
    "diff": ("subject", "old", "new"),
    "delete": ("subject",),
    "export": (),
    "import": ("file",),
    "shred": ("subject", "kek"),
}
CHANGING = ("register", "delete", "import", "shred")
SHOWN_MAX = 10
HEADS = ("ID", "TYPE", "SUBJECT", "VERSION")
SHOWN_AS = (*FORMS, "resolved", "serialized")
"""The last two are for Avro and for Protobuf."""


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=list(NEEDED), help=" · ".join(NEEDED))
    parser.add_argument("--registry", default=URL, metavar="URL", help=f"where it is; {URL}")
    parser.add_argument(
        "--registry-config", metavar="FILE", help="options such as basic.auth.user.info"
    )
    parser.add_argument("--subject", metavar="NAME", help="which; orders-value for instance")
    parser.add_argument("--kek", metavar="NAME", help="the key whose data keys shred deletes")
    parser.add_argument("--file", metavar="FILE", help="a schema, or for import what export wrote")
    parser.add_argument("--type", choices=KINDS, default=AVRO, help="of the schema; AVRO")
    parser.add_argument("--version", type=int, metavar="N", help="show it, or delete it alone")
    parser.add_argument("--format", choices=SHOWN_AS, help="show columns or classes; as registered")
    parser.add_argument(
        "--reference",
        action="append",
        default=[],
        metavar="NAME=SUBJECT:N",
        help="what the schema of --file refers to, and its version; may be repeated",
    )
    parser.add_argument("--permanent", action="store_true", help="delete what is deleted already")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
    parser.add_argument("--old", type=int, metavar="N", help="diff from this version")
    parser.add_argument("--new", type=int, metavar="N", help="to this one")
    parser.add_argument("--bootstrap-server", metavar="HOST:PORT", help="for check with a topic")
    parser.add_argument("--command-config", metavar="FILE", help="settings of the client")
    parser.add_argument("--topic", metavar="NAME", help="check its newest records too")
    parser.add_argument("--last", type=int, default=1000, metavar="N", help="so many; 1000")
    declare_output(parser)


def run(options: Namespace, world: World) -> int:
    given: dict[str, object] = {"url": options.registry}
    if options.registry_config is not None:
        given |= properties_of(world.files, options.registry_config)
    with RegistryClient(given) as registry:
        return act(registry, options, world)


def act(registry: RegistryClient, options: Namespace, world: World) -> int:
    """What the options ask for."""
    for name in NEEDED[options.action]:
        if getattr(options, name) is None:
            raise MoldauError(f"schema {options.action} needs --{name}")
    return (_show_change if options.dry_run else _act)(registry, options, world)


def _act(registry: RegistryClient, options: Namespace, world: World) -> int:
    match options.action:
        case "list" | "export":
            return _list(registry, options, world)
        case "show":
            return _show(registry, options, world)
        case "register":
            return _register(registry, options, world)
        case "check":
            return _check(registry, options, world)
        case "diff":
            return _diff(registry, options, world)
        case "delete":
            return _delete(registry, options, world)
        case "shred":
            return _shred(registry, options, world)
        case _:
            return _import(registry, options, world)


def _given(options: Namespace, world: World) -> SchemaText:
    references = tuple(map(_reference, options.reference))
    return SchemaText(_text(options, world), options.type, references)


def _reference(text: str) -> Reference:
    name, _, place = text.partition("=")
    subject, _, version = place.rpartition(":")
    if not (name and subject and version.isascii() and version.isdecimal()):
        raise MoldauError(f"--reference is NAME=SUBJECT:VERSION, and not {text}")
    return Reference(name, subject, int(version))


def _register(registry: RegistryClient, options: Namespace, world: World) -> int:
    made = registry.register(options.subject, _given(options, world))
    row = (made.id, options.subject, made.version)
    if not world.takes(("ID", "SUBJECT", "VERSION"), [row]):
        world.out.write(f"{options.subject} has it as id {made.id}\n")
    return FINE


def _text(options: Namespace, world: World) -> str:
    try:
        return bytes(read_whole(world.files, options.file)).decode()
    except UnicodeDecodeError:
        raise MoldauError(f"{options.file} is no text in UTF-8") from None


def _every(registry: RegistryClient, subject: str | None) -> Iterator[dict[str, Any]]:
    """Each version as the registry shows it; what others refer to has the lower id."""
    found = registry.ask(lambda calls: calls.every())
    wanted = [one for one in found if subject is None or one["subject"] == subject]
    return iter(sorted(wanted, key=lambda one: (one["id"], one["subject"], one["version"])))


def _show(registry: RegistryClient, options: Namespace, world: World) -> int:
    """One version, the newest where none is named."""
    subject, version = options.subject, options.version
    found = registry.latest(subject) if version is None else registry.version(subject, version)
    schema = found.schema
    text = registry.parsed(schema).formatted(options.format) if options.format else schema.text
    row = (found.id, schema.kind, subject, found.version, text.rstrip())
    if not world.takes((*HEADS, "TEXT"), [row]):
        world.out.write(f"{text.rstrip()}\n")
    return FINE


def _list(registry: RegistryClient, options: Namespace, world: World) -> int:
    found = list(_every(registry, options.subject))
    if options.action == "export":
        world.out.write("".join(f"{json.dumps(one, sort_keys=True)}\n" for one in found))
        return FINE
    rows = [
        (one["id"], one.get("schemaType", AVRO), one["subject"], one["version"]) for one in found
    ]
    if not world.takes(HEADS, rows):
        for number, kind, subject, version in rows:
            world.out.write(f"{number:>6}  {kind:<8}  {subject} {version}\n")
    return FINE


def _check(registry: RegistryClient, options: Namespace, world: World) -> int:
    schema = _given(options, world)
    parsed = registry.parsed(schema)
    asked = registry.ask(lambda calls: calls.conflicts(options.subject, schema))
    broken: list[tuple[str, str]] = []
    count = 0
    if options.topic is not None:
        broken, count = _check_records(registry, options, world, parsed)
    code = BROKEN if asked or broken else FINE
    rows = [(options.subject, message) for message in asked] + broken
    if world.takes(("PLACE", "REASON"), rows):
        return code
    for message in asked:
        world.out.write(f"{message}\n")
    for place, reason in broken[:SHOWN_MAX]:
        world.out.write(f"{place}: {reason}\n")
    if options.topic is not None:
        world.out.write(f"{count - len(broken)} of {count} records can be read with it\n")
    if code == FINE:
        world.out.write(f"it may follow what {options.subject} has\n")
    return code


def _check_records(
    registry: RegistryClient, options: Namespace, world: World, parsed: ParsedSchema
) -> tuple[list[tuple[str, str]], int]:
    """Places and reasons of those that cannot be read, and how many were looked at."""
    if options.bootstrap_server is None:
        raise MoldauError("schema check with --topic needs --bootstrap-server")
    if options.last < 1:
        raise MoldauError(f"--last is how many records are read, from 1 on, and not {options.last}")
    settings: dict[str, object] = {"bootstrap.servers": options.bootstrap_server}
    settings["allow.auto.create.topics"] = "false"
    if options.command_config is not None:
        settings |= properties_of(world.files, options.command_config)
    with Consumer(settings) as consumer:
        records = newest_records(consumer, options.topic, options.last)
    return broken_records(registry, parsed, records), len(records)


def _diff(registry: RegistryClient, options: Namespace, world: World) -> int:
    """What breaks for readers, in both directions."""
    old = registry.version(options.subject, options.old).schema
    new = registry.version(options.subject, options.new).schema
    if old.kind != new.kind:
        raise MoldauError(f"version {options.old} is {old.kind}, version {options.new} {new.kind}")
    language = language_of(old.kind)
    before, after = registry.parsed(old), registry.parsed(new)
    pairs = ((after, before, options.new, options.old), (before, after, options.old, options.new))
    found_ways = [
        (reads, wrote, language.differences(reader, writer))
        for reader, writer, reads, wrote in pairs
    ]
    rows = [
        (reads, wrote, one.path, one.rule, one.description)
        for reads, wrote, found in found_ways
        for one in found
    ]
    if world.takes(("READER", "WRITER", "PATH", "RULE", "DESCRIPTION"), rows):
        return FINE
    for reads, wrote, found in found_ways:
        verb = "cannot read" if found else "reads"
        world.out.write(f"version {reads} {verb} what version {wrote} wrote\n")
        for one in found:
            world.out.write(f"  {one.path}  {one.rule}: {one.description}\n")
    return FINE


def _show_change(registry: RegistryClient, options: Namespace, world: World) -> int:
    """What is asked for, judged as far as that changes nothing."""
    if options.action not in CHANGING:
        return _act(registry, options, world)
    if options.action == "import":
        lines = _lines(options, world)
        subjects = {str(one["subject"]) for one in lines}
        what = f"importing {len(lines)} versions of {len(subjects)} subjects"
    elif options.action == "register":
        registry.parsed(_given(options, world))
        what = f"registering {options.file} under {options.subject}"
    elif options.action == "shred":
        what = f"deleting the data keys of {options.kek} for {options.subject} for good"
    else:
        found = [one["version"] for one in _every(registry, options.subject)]
        chosen = [one for one in found if options.version in (None, one)]
        what = f"deleting {options.subject} {', '.join(map(str, chosen)) or 'of which nothing is'}"
    world.out.write(f"DRY RUN of {what}\n")
    return FINE


def _delete(registry: RegistryClient, options: Namespace, world: World) -> int:
    version, permanent = options.version, options.permanent
    found = registry.ask(lambda calls: calls.delete(options.subject, version, permanent=permanent))
    if not world.takes(("SUBJECT", "VERSION"), [(options.subject, one) for one in found]):
        world.out.write(f"deleted {options.subject} {', '.join(map(str, found))}\n")
    return FINE


def _shred(registry: RegistryClient, options: Namespace, world: World) -> int:
    """Softly first, without which a registry deletes nothing for good."""
    kek, subject = (quote(text, safe="") for text in (options.kek, options.subject))
    path = f"/dek-registry/v1/keks/{kek}/deks/{subject}"
    registry.ask(lambda calls: calls.call("DELETE", path))
    registry.ask(lambda calls: calls.call("DELETE", f"{path}?permanent=true"))
    world.out.write(f"the data keys of {options.kek} for {options.subject} are gone for good\n")
    return FINE


def _import(registry: RegistryClient, options: Namespace, world: World) -> int:
    """In the mode IMPORT, in which alone a registry takes ids."""
    lines = _lines(options, world)
    subjects = list(dict.fromkeys(str(one["subject"]) for one in lines))
    registry.ask(lambda calls: calls.take_over(subjects, lines))
    world.out.write(f"{len(lines)} versions of {len(subjects)} subjects are there\n")
    return FINE


def _lines(options: Namespace, world: World) -> list[dict[str, Any]]:
    """Parsed before anything is registered."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(_text(options, world).splitlines(), start=1):
        try:
            one = json.loads(line)
            found.append({name: one[name] for name in ("subject", "version", "id", "schema")} | one)
        except (ValueError, TypeError, KeyError):
            raise MoldauError(f"{options.file}:{number} is no line that export wrote") from None
    return found
