"""`moldau lag`: how far all groups are behind, in offsets and in seconds."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from moldau.programs.tools.cluster.connecting import (
    admin_for,
    declare_cluster,
    settings_for,
)
from moldau.programs.tools.cluster.lags import PartitionLag, find_lags, lag_seconds
from moldau.programs.tools.cluster.tables import write_table
from moldau.programs.tools.command import World, declare_output

TOO_FAR = 1
HEADS = ("GROUP", "TOPIC", "PARTITION", "COMMITTED", "END", "LAG", "SECONDS")


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    declare_output(parser)
    parser.add_argument(
        "--group", action="append", metavar="GROUP", help="only this group; may be repeated"
    )
    parser.add_argument("--behind", action="store_true", help="only partitions with a lag")
    parser.add_argument(
        "--max-lag", type=int, metavar="N", help="exit with 1 if a partition is further behind"
    )
    parser.add_argument(
        "--max-seconds", type=float, metavar="S", help="exit with 1 if a lag is older than this"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def run(options: Namespace, world: World) -> int:
    with admin_for(options, world) as admin:
        rows = find_lags(admin, options.group, strict=bool(options.group))
    seconds = lag_seconds(settings_for(options, world), rows, world.clock.now_ms())
    shown = [row for row in rows if row.lag != 0 or not options.behind]
    if world.takes(HEADS, [tuple(_fields(row, seconds).values()) for row in shown]):
        pass
    elif options.json:
        for row in shown:
            print(json.dumps(_fields(row, seconds)), file=world.out)
    elif shown:
        cells = [tuple(_fields(row, seconds).values()) for row in shown]
        write_table(HEADS, cells, world.out)
    else:
        print(_nothing(options.group, has_offsets=bool(rows)), file=world.out)
    return TOO_FAR if any(_is_too_far(row, seconds, options) for row in rows) else 0


def _nothing(groups: list[str] | None, *, has_offsets: bool) -> str:
    if groups is None:
        return "No group is behind." if has_offsets else "No group has committed offsets."
    named = ", ".join(groups)
    return f"{named}: not behind." if has_offsets else f"{named}: no committed offsets."


def _fields(row: PartitionLag, seconds: Mapping[PartitionLag, float]) -> dict[str, object]:
    return {
        "group": row.group,
        "topic": row.part.topic,
        "partition": row.part.partition,
        "committed": row.committed,
        "end": row.end,
        "lag": row.lag,
        "seconds": seconds.get(row),
    }


def _is_too_far(
    row: PartitionLag, seconds: Mapping[PartitionLag, float], options: Namespace
) -> bool:
    behind = options.max_lag is not None and (row.lag or 0) > options.max_lag
    late = options.max_seconds is not None and seconds.get(row, 0.0) > options.max_seconds
    return behind or late
