"""Our tools beside Kafka's: the same calls to the same cluster, the same lines and exit codes."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from time import monotonic, sleep

from moldau.client.admin import Admin
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.interop.tool_calls import ALLOWED, OURS, SETTLE, THEIRS, UNORDERED, masked, steps
from tests.judges.kafka_tools import KafkaTools, placed

__all__ = ["compare", "ours", "settle", "unordered"]

OF_A_CLUSTER = {"__consumer_offsets", "__transaction_state"}
SETTLED_S_MAX = 60
MOVING = "--execute --reassignment-json-file"
"""Calls after which a cluster must come to rest before the next."""
PREPARED = "one\ntwo\nthree\n"


def ours(tool: str, words: str, bootstrap: str) -> tuple[int, list[str]]:
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    code = run_command([tool, *placed(tool, words, bootstrap)], world)
    return code, masked(out.getvalue())


def settle(bootstrap: str) -> None:
    """Make the topics that a cluster makes of itself, and wait until no partition changes.

    A call that names no topic shows them too, and so they must not come between two calls.
    """
    with Admin(bootstrap) as admin:
        admin.describe_consumer_groups(["settled"])
        admin.describe_transactions(["settled"])
        deadline = monotonic() + SETTLED_S_MAX
        while not is_settled(admin):
            assert monotonic() < deadline, "a partition has no leader, or lacks a replica"
            sleep(0.1)


def is_settled(admin: Admin) -> bool:
    views = admin.describe_topics(admin.list_topics(internal=True))
    return (
        not views.errors
        and not admin.list_partition_reassignments()
        and views.values.keys() >= OF_A_CLUSTER
        and all(
            part.leader is not None and set(part.isr) == set(part.replicas)
            for view in views.values.values()
            for part in view.partitions
        )
    )


def unordered(lines: list[str]) -> list[str]:
    return sorted(line.strip() for line in lines if line)


def compare(
    tool: str, tools: KafkaTools, folder: Path, calls: str | None = None, *, is_whole: bool = True
) -> str:
    """What differs, and is not allowed to, in these calls or in all that there are of the tool.

    Where the cluster is not whole, it cannot be waited for.
    """
    if is_whole:
        settle(tools.bootstrap)
    wrong = []
    for asked, line, is_compared in steps(tool, folder, calls):
        words = line.replace("@", f"{folder}/")
        if asked == SETTLE:
            settle(tools.bootstrap)
        elif is_compared:
            wrong += _difference(tool, line, words, tools)
        else:
            for name in (THEIRS, OURS) if "%" in words else (THEIRS,):
                tools.ask(asked, words.replace("%", name), PREPARED)
    return "\n".join(wrong)


def _difference(tool: str, line: str, words: str, tools: KafkaTools) -> list[str]:
    call = f"{tool} {line}"
    code, printed = tools.ask(tool, words.replace("%", THEIRS), PREPARED)
    theirs = code, masked(printed)
    if MOVING in words:
        settle(tools.bootstrap)
    found = ours(tool, words.replace("%", OURS), tools.bootstrap)
    if MOVING in words:
        settle(tools.bootstrap)
    if call in UNORDERED:
        theirs, found = (code, unordered(theirs[1])), (found[0], unordered(found[1]))
    if theirs == found or call in ALLOWED:
        return []
    return [f"{call}\n  Kafka's: {theirs}\n  ours:    {found}"]
