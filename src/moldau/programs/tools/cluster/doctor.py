"""`moldau doctor`: what is wrong with a cluster, each with its cause and what to do about it."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from moldau.client.errors import ClientError
from moldau.programs.tools.cluster.connecting import admin_for, declare_cluster
from moldau.programs.tools.cluster.findings import CHECKS, Finding, examine
from moldau.programs.tools.cluster.tables import count_text
from moldau.programs.tools.command import World, declare_output

FAILED = 1
HEADS = ("LEVEL", "SUBJECT", "PROBLEM", "CAUSE", "REMEDY")


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    declare_output(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def run(options: Namespace, world: World) -> int:
    found = _examine(options, world)
    if world.takes(HEADS, [tuple(_fields(one).values()) for one in found]):
        pass
    elif options.json:
        for one in found:
            print(json.dumps(_fields(one)), file=world.out)
    else:
        _show(found, world)
    return FAILED if any(one.is_error for one in found) else 0


def _examine(options: Namespace, world: World) -> list[Finding]:
    try:
        with admin_for(options, world) as admin:
            return examine(admin, options.bootstrap_server, world.clock.now_ms())
    except ClientError as error:
        return [
            Finding(
                "listeners",
                is_error=True,
                problem=f"no broker of {options.bootstrap_server} could be asked",
                cause=str(error),
                remedy="check the address, that a broker listens there, and its security.protocol",
            )
        ]


def _fields(one: Finding) -> dict[str, object]:
    return {
        "level": "error" if one.is_error else "warning",
        "subject": one.subject,
        "problem": one.problem,
        "cause": one.cause,
        "remedy": one.remedy,
    }


def _show(found: list[Finding], world: World) -> None:
    for one in found:
        level = "ERROR" if one.is_error else "WARNING"
        print(f"{level}: {one.problem}", file=world.out)
        print(f"  cause:  {one.cause}", file=world.out)
        print(f"  remedy: {one.remedy}", file=world.out)
    bad = {one.subject for one in found}
    good = [subject for subject in CHECKS if subject not in bad]
    if good and not any("could be asked" in one.problem for one in found):
        print(f"In order: {', '.join(good)}.", file=world.out)
    print(f"{count_text(len(found), 'finding')}.", file=world.out)
