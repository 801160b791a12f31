"""`moldau top`: topics, groups and clients of a cluster, shown anew every second or two."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from contextlib import suppress

from moldau.platform.system.host import terminal_columns, terminal_rows
from moldau.programs.tools.cluster.cluster_view import screen, snapshot_fields, take_snapshot
from moldau.programs.tools.cluster.connecting import admin_for, declare_cluster
from moldau.programs.tools.command import World
from moldau.programs.tools.numbers import whole_number

INTERVAL_MAX_S = 3600
HOME = "\x1b[H"
TO_END_OF_LINE = "\x1b[K"
TO_END_OF_SCREEN = "\x1b[J"
OTHER_SCREEN = "\x1b[?1049h\x1b[?25l"
FIRST_SCREEN = "\x1b[?25h\x1b[?1049l"
ROWS_OF_A_FILE = 10_000
COLUMNS_OF_A_FILE = 1000


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    parser.add_argument(
        "--interval",
        type=whole_number(1, INTERVAL_MAX_S),
        default=2,
        metavar="SECONDS",
        help="how long a picture stands (default: %(default)s)",
    )
    parser.add_argument("--once", action="store_true", help="print it once, and end")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object for each picture"
    )


def run(options: Namespace, world: World) -> int:
    if options.once or options.json or not world.out.isatty():
        return _print(options, world)
    world.out.write(OTHER_SCREEN)
    try:
        with suppress(KeyboardInterrupt):
            _show(options, world)
    finally:
        world.out.write(FIRST_SCREEN)
    return 0


def _show(options: Namespace, world: World) -> None:
    before = None
    with admin_for(options, world) as admin:
        while True:
            now = take_snapshot(admin, world.clock.now_ms())
            lines = screen(now, before, terminal_columns(), terminal_rows() - 1)
            body = "".join(f"{line}{TO_END_OF_LINE}\n" for line in lines)
            world.out.write(f"{HOME}{body}{TO_END_OF_SCREEN}")
            world.out.flush()
            before = now
            world.wait(options.interval)


def _print(options: Namespace, world: World) -> int:
    """Once with `--once`; else two pictures or more, since rates need two."""
    before = None
    with admin_for(options, world) as admin:
        while True:
            now = take_snapshot(admin, world.clock.now_ms())
            if options.json:
                print(json.dumps(snapshot_fields(now, before)), file=world.out, flush=True)
            else:
                lines = screen(now, before, COLUMNS_OF_A_FILE, ROWS_OF_A_FILE)
                print("\n".join(lines), file=world.out, flush=True)
            if options.once:
                return 0
            before = now
            world.wait(options.interval)
