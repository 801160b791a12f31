"""`moldau lake compact|vacuum PATH`: keep a Delta table quick and small."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from moldau.errors import MissingExtraError, MoldauError
from moldau.platform.system.process import set_default
from moldau.programs.tools.command import World
from moldau.programs.tools.numbers import whole_number

MIB = 1024 * 1024
QUIET_LIBRARY = ("RUST_LOG", "off")
"""The library for tables logs attempts to standard error; what matters comes as an error, too."""
FILE_SIZE_MIB = 128
FILE_SIZE_MIB_MAX = 1024 * 1024
RETENTION_HOURS = 168
RETENTION_HOURS_MAX = 100 * 366 * 24


def declare(parser: ArgumentParser) -> None:
    ways = parser.add_subparsers(dest="way", required=True, metavar="compact|vacuum")
    compact = ways.add_parser("compact", help="write small files together into larger ones")
    _declare_table(compact)
    compact.add_argument(
        "--file-size",
        type=whole_number(1, FILE_SIZE_MIB_MAX),
        default=FILE_SIZE_MIB,
        metavar="MIB",
        help="how large files get (default: %(default)s)",
    )
    vacuum = ways.add_parser("vacuum", help="remove files that the table no longer needs")
    _declare_table(vacuum)
    vacuum.add_argument(
        "--retention-hours",
        type=whole_number(0, RETENTION_HOURS_MAX),
        default=RETENTION_HOURS,
        metavar="HOURS",
        help="leave what was needed so many hours ago, for readers that still have it open"
        " (default: %(default)s, a week)",
    )
    vacuum.add_argument("--dry-run", action="store_true", help="only say what would be removed")


def _declare_table(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="the table's folder, or s3://BUCKET/PREFIX")
    parser.add_argument(
        "--storage",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the object store, such as AWS_REGION=eu-central-1; may be repeated",
    )


def run(options: Namespace, world: World) -> int:
    upkeep = _upkeep()
    storage = _pairs(options.storage)
    if options.way == "compact":
        done = upkeep.compact(options.path, storage=storage, file_size=options.file_size * MIB)
        print(f"{done.removed} files became {done.added}", file=world.out)
        return 0
    removed = upkeep.vacuum(
        options.path,
        storage=storage,
        retention_hours=options.retention_hours,
        dry_run=options.dry_run,
    )
    for path in removed:
        print(path, file=world.out)
    print(f"{len(removed)} files {_fate(options.dry_run)}", file=world.out)
    return 0


def _fate(dry_run: bool) -> str:
    return "would be removed" if dry_run else "removed"


def _pairs(given: Sequence[str]) -> dict[str, str]:
    for text in given:
        if "=" not in text:
            raise MoldauError(f"--storage takes NAME=VALUE, and not {text!r}")
    return dict(text.split("=", 1) for text in given)


def _upkeep() -> ModuleType:
    set_default(*QUIET_LIBRARY)
    try:
        return import_module("moldau.spark.lake.upkeep")
    except ModuleNotFoundError as missing:
        raise MissingExtraError(
            f"tables of a lake need the package {missing.name}: in a checkout of Moldau, "
            "pip install '.[spark]'"
        ) from missing
