"""`moldau keys`: the keys of encryption at rest, in a node's file of keys.

    keys create orders --file /etc/moldau/keys       a key; the file is made where there is none
    keys rotate orders --file /etc/moldau/keys       another version, which encrypts from now on
    keys list   --config server.properties           versions, and which segments need them
    keys retire orders.1 --config server.properties  takes one out that no segment needs

`--config` takes the file of keys and the log directories of a node from its own file of settings.
Keys themselves are never printed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import field
from re import fullmatch

from moldau.broker.log.encryption.key_lines import (
    KEY_BYTES,
    KEY_NAME,
    KeyLine,
    add_key,
    find_key_lines,
    remove_key,
)
from moldau.broker.log.encryption.keys_in_use import KeyUse, keys_in_use
from moldau.broker.node.server_properties import read_properties
from moldau.config.own import OwnSettings
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.cluster.tables import size_text, write_table
from moldau.programs.tools.command import World, declare_output
from moldau.programs.tools.server_settings import settings_from_file

__all__ = ["declare", "run"]

KEY_FILE = OwnSettings.moldau_encryption_at_rest_key_file.name
ACTIONS = ("create", "rotate", "list", "retire")
HEADS = ("KEY", "ENCRYPTS", "BATCHES", "SIZE", "TOPICS")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where keys are, and what may need them."""

    path: str
    directories: Sequence[str] = ()
    lines: Sequence[KeyLine] = field(default=())

    def highest(self, name: str) -> int:
        return max((line.version for line in self.lines if line.name == name), default=0)

    def is_current(self, line: KeyLine) -> bool:
        return line.version == self.highest(line.name)


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, help=" · ".join(ACTIONS))
    parser.add_argument("key", nargs="?", metavar="NAME", help="orders; of retire: orders.1")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--file", metavar="FILE", help="the file of keys")
    where.add_argument(
        "--config", metavar="FILE", help="settings of the node, which name the file of keys"
    )
    parser.add_argument("--log-dirs", metavar="DIR,DIR…", help="look here which keys segments need")
    parser.add_argument(
        "--force", action="store_true", help="retire a key whatever needs it: its records are lost"
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    declare_output(parser)


def run(options: Namespace, world: World) -> int:
    if (options.key is None) is not (options.action == "list"):
        raise MoldauError(f"keys {options.action} takes {'no' if options.key else 'a'} NAME")
    place = _place(options, world)
    match options.action:
        case "list":
            _list(place, options, world)
        case "retire":
            _retire(place, options, world)
        case _:
            _add(place, options, world)
    return 0


def _place(options: Namespace, world: World) -> _Place:
    path, directories = options.file, options.log_dirs.split(",") if options.log_dirs else ()
    if options.config is not None:
        settings = settings_from_file(read_properties(world.files, options.config), {})
        path = settings.own.moldau_encryption_at_rest_key_file
        directories = directories or settings.directories
        if not path:
            raise MoldauError(f"{options.config} has no {KEY_FILE}; name a file with --file")
    is_there = world.files.status(path) is not None
    if not is_there and options.action == "create":
        return _Place(path, directories)
    return _Place(path, directories, find_key_lines(world.files, path))


def _add(place: _Place, options: Namespace, world: World) -> None:
    if fullmatch(KEY_NAME, options.key) is None:
        raise MoldauError(f"{options.key!r} names no key; letters, digits, - and _ do")
    highest = place.highest(options.key)
    if highest and options.action == "create":
        raise MoldauError(f"{place.path} has {options.key} already; rotate makes another version")
    if not highest and options.action == "rotate":
        raise MoldauError(f"{place.path} has no key {options.key}; create makes its first version")
    made = f"{options.key}.{highest + 1}"
    if not options.dry_run:
        add_key(world.files, place.path, made, world.random.randbytes(KEY_BYTES))
    _report({"file": place.path, "created": made}, f"{place.path} has {made}", options, world)


def _retire(place: _Place, options: Namespace, world: World) -> None:
    line = next((line for line in place.lines if line.id == options.key), None)
    if line is None:
        raise MoldauError(f"{place.path} has no key {options.key}; write name.version")
    reason = "" if options.force else _reason_to_stay(place, line, world)
    if reason:
        raise MoldauError(f"{line.id} stays: {reason}; --force retires it all the same")
    if not options.dry_run:
        remove_key(world.files, place.path, place.lines, line.id)
    shown = {"file": place.path, "retired": line.id}
    _report(shown, f"{place.path} has {line.id} no longer", options, world)


def _reason_to_stay(place: _Place, line: KeyLine, world: World) -> str:
    if place.is_current(line):
        return "it is the version that encrypts"
    if not place.directories:
        return "without --config or --log-dirs it is unknown whether segments need it"
    use = keys_in_use(world.files, place.directories).get(line.id)
    if use is None:
        return ""
    return f"{use.batches} batches of {', '.join(sorted(use.topics))} need it"


def _list(place: _Place, options: Namespace, world: World) -> None:
    uses = keys_in_use(world.files, place.directories) if place.directories else None
    states = {line.id: "yes" if place.is_current(line) else "no" for line in place.lines}
    missing = sorted(set(uses or ()) - set(states))
    if options.json:
        keys = [_fields(key_id, state, uses) for key_id, state in states.items()]
        found = {"file": place.path, "keys": keys, "missing": missing}
        world.out.write(json.dumps(found, indent=2) + "\n")
        return
    states |= dict.fromkeys(missing, "the file lacks it")
    if world.takes(*_table(states, uses)):
        return
    rows = [_row(key_id, state, uses) for key_id, state in states.items()]
    heads = HEADS if uses is not None else HEADS[:2]
    write_table(heads, rows, world.out)


def _table(
    states: Mapping[str, str], uses: Mapping[str, KeyUse] | None
) -> tuple[Sequence[str], list[list[object]]]:
    """Sizes as numbers: this is for programs, too."""
    if uses is None:
        return HEADS[:2], [[*one] for one in states.items()]
    rows: list[list[object]] = []
    for key_id, state in states.items():
        use = uses.get(key_id) or KeyUse()
        rows.append([key_id, state, use.batches, use.size, sorted(use.topics)])
    return HEADS, rows


def _fields(key_id: str, state: str, uses: Mapping[str, KeyUse] | None) -> dict[str, object]:
    shown: dict[str, object] = {"key": key_id, "encrypts": state == "yes"}
    if uses is None:
        return shown
    use = uses.get(key_id) or KeyUse()
    return shown | {"batches": use.batches, "bytes": use.size, "topics": sorted(use.topics)}


def _row(key_id: str, state: str, uses: Mapping[str, KeyUse] | None) -> list[object]:
    if uses is None:
        return [key_id, state]
    use = uses.get(key_id) or KeyUse()
    return [key_id, state, use.batches, size_text(use.size), ",".join(sorted(use.topics))]


def _report(shown: Mapping[str, str], text: str, options: Namespace, world: World) -> None:
    if options.dry_run:
        shown, text = {**shown, "dry-run": "true"}, f"DRY RUN: {text}"
    world.out.write((json.dumps(shown) if options.json else text) + "\n")
