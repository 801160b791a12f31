"""What is wrong with a cluster: each finding with its cause and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from moldau.client.admin import ClusterView, OffsetPlace, QuorumReplica, QuorumView, TopicView
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.cluster.tables import size_text

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["CHECKS", "Examined", "Finding", "examine"]

MS_PER_SECOND = 1000
CLOCK_SKEW_MAX_MS = 5_000
VOTER_SILENCE_MAX_MS = 15_000
VOTER_LAG_MAX = 1000
HANGING_MS = 15 * 60 * 1000
"""The longest that a broker lets a transaction be by default (transaction.max.timeout.ms)."""
FREE_SHARE_MIN = 0.1
LOOPBACK = ("localhost", "127.", "::1")
SHOWN_MAX = 5
"""Partitions that a finding names; more would hide the rest."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    subject: str
    """Which check has found it."""
    is_error: bool
    """A warning otherwise: something that works, and may not for long."""
    problem: str
    cause: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What a check may look at."""

    admin: Admin
    bootstrap: str
    cluster: ClusterView
    topics: dict[str, TopicView]
    now_ms: int


Check = Callable[[Examined], Iterator[Finding]]


def examine(admin: Admin, bootstrap: str, now_ms: int) -> list[Finding]:
    """All findings; a check that cannot be made is one as well."""
    cluster = admin.describe_cluster(fenced_brokers=True)
    views = admin.describe_topics(admin.list_topics(internal=True)).values
    examined = Examined(admin, bootstrap, cluster, views, now_ms)
    found: list[Finding] = []
    for subject, check in CHECKS.items():
        try:
            found += check(examined)
        except ClientError as error:
            found.append(
                Finding(
                    subject,
                    is_error=False,
                    problem=f"the {subject} could not be looked at",
                    cause=str(error),
                    remedy="run it as a user who may describe the cluster",
                )
            )
    return found


def _check_listeners(examined: Examined) -> Iterator[Finding]:
    """Every broker answers at the address that it advertises."""
    nodes = {node.node_id: node for node in examined.cluster.nodes if not node.is_fenced}
    for node_id, error in examined.admin.broker_api_versions(list(nodes)).errors.items():
        node = nodes[node_id]
        yield Finding(
            "listeners",
            is_error=True,
            problem=f"broker {node_id} does not answer at {node.host}:{node.port}",
            cause=str(error),
            remedy="make advertised.listeners of that broker an address that its clients reach",
        )
    for node in examined.cluster.nodes:
        if node.is_fenced:
            yield Finding(
                "listeners",
                is_error=True,
                problem=f"broker {node.node_id} is fenced",
                cause="the controller has had no heartbeat of it, or it has not caught up yet",
                remedy="look whether it runs, and into its log",
            )


def _check_names(examined: Examined) -> Iterator[Finding]:
    """What brokers advertise is meant for machines other than theirs."""
    remote = [
        address for address in examined.bootstrap.split(",") if not address.startswith(LOOPBACK)
    ]
    for node in examined.cluster.nodes:
        local = node.host.startswith(LOOPBACK)
        if local and (remote or (len(examined.cluster.nodes) > 1 and _hosts_differ(examined))):
            yield Finding(
                "advertised names",
                is_error=bool(remote),
                problem=f"broker {node.node_id} advertises {node.host}:{node.port}",
                cause="that name leads every client to its own machine",
                remedy="set advertised.listeners to a name that leads there from everywhere",
            )


def _hosts_differ(examined: Examined) -> bool:
    return len({node.host for node in examined.cluster.nodes}) > 1


def _check_replication(examined: Examined) -> Iterator[Finding]:
    """Every partition has a leader and all of its replicas in sync."""
    parts = [(view.name, part) for view in examined.topics.values() for part in view.partitions]
    without = [f"{name}-{part.partition}" for name, part in parts if part.leader is None]
    if without:
        yield Finding(
            "replication",
            is_error=True,
            problem=f"{len(without)} partitions have no leader: {_some(without)}",
            cause="no replica that is in sync is on a broker that runs",
            remedy="start the brokers that have them; if they are lost, moldau leader-election "
            "--election-type unclean gives up what only they had",
        )
    lacking = [
        f"{name}-{part.partition}"
        for name, part in parts
        if part.leader is not None and len(part.isr) < len(part.replicas)
    ]
    if lacking:
        gone = {
            node
            for _, part in parts
            for node in part.replicas
            if part.leader is not None and node not in part.isr
        }
        yield Finding(
            "replication",
            is_error=True,
            problem=f"{len(lacking)} partitions lack replicas in sync: {_some(lacking)}",
            cause=f"brokers {', '.join(map(str, sorted(gone)))} do not follow",
            remedy="start those that are down; if they run, look for slow disks or networks",
        )


def _some(names: list[str]) -> str:
    more = "" if len(names) <= SHOWN_MAX else f" and {len(names) - SHOWN_MAX} more"
    return ", ".join(names[:SHOWN_MAX]) + more


def _check_quorum(examined: Examined) -> Iterator[Finding]:
    """Controllers follow the metadata log, and a majority of them may be lost least."""
    quorum = examined.admin.describe_metadata_quorum()
    for voter in quorum.voters:
        silent_ms = _silence(quorum, voter)
        behind = quorum.high_watermark - voter.log_end_offset
        if silent_ms > VOTER_SILENCE_MAX_MS or behind > VOTER_LAG_MAX:
            yield Finding(
                "quorum",
                is_error=True,
                problem=f"controller {voter.replica_id} does not follow the metadata log",
                cause=f"it is {behind} records behind, and fetched {silent_ms / 1000:.0f} s before "
                "the leader last did",
                remedy="look whether it runs and reaches the others at controller.listener.names",
            )
    if len(quorum.voters) > 1 and len(quorum.voters) % 2 == 0:
        yield Finding(
            "quorum",
            is_error=False,
            problem=f"{len(quorum.voters)} controllers vote",
            cause=f"a majority is {len(quorum.voters) // 2 + 1} of them, so no more may be lost "
            f"than of {len(quorum.voters) - 1}",
            remedy="add one or remove one with moldau metadata-quorum",
        )


def _silence(quorum: QuorumView, voter: QuorumReplica) -> int:
    """How long before the leader's own time it has fetched for the last time."""
    leader = next((one for one in quorum.voters if one.replica_id == quorum.leader_id), None)
    if leader is None or not leader.last_fetch_ms or not voter.last_fetch_ms:
        return 0
    return leader.last_fetch_ms - voter.last_fetch_ms


def _check_clock(examined: Examined) -> Iterator[Finding]:
    """The clock of the active controller and this machine's agree."""
    quorum = examined.admin.describe_metadata_quorum()
    leader = next((one for one in quorum.voters if one.replica_id == quorum.leader_id), None)
    if leader is None or not leader.last_fetch_ms:
        return
    skew_ms = leader.last_fetch_ms - examined.now_ms
    if abs(skew_ms) > CLOCK_SKEW_MAX_MS:
        way = "ahead of" if skew_ms > 0 else "behind"
        yield Finding(
            "clocks",
            is_error=False,
            problem=f"the clock of controller {quorum.leader_id} is "
            f"{abs(skew_ms) / MS_PER_SECOND:.0f} s {way} this machine's",
            cause="one of the two is not kept right",
            remedy="run a time service on both; retention and look-ups by time depend on it",
        )


def _check_disks(examined: Examined) -> Iterator[Finding]:
    """Log directories work, and have room."""
    dirs = examined.admin.describe_log_dirs()
    for node_id, found in dirs.values.items():
        for path, one in found.items():
            if one.error is not None:
                yield Finding(
                    "disks",
                    is_error=True,
                    problem=f"log directory {path} of broker {node_id} is offline",
                    cause=str(one.error),
                    remedy="repair or replace the disk, and start the broker again",
                )
            elif one.total_bytes and (one.usable_bytes or 0) < FREE_SHARE_MIN * one.total_bytes:
                yield Finding(
                    "disks",
                    is_error=False,
                    problem=f"log directory {path} of broker {node_id} is nearly full",
                    cause=f"{size_text(one.usable_bytes or 0)} of {size_text(one.total_bytes)} "
                    "are left",
                    remedy="lower retention.bytes or retention.ms, or add a disk",
                )


def _check_transactions(examined: Examined) -> Iterator[Finding]:
    """No transaction keeps readers of committed records waiting for ever."""
    listed = examined.admin.list_transactions(states=["Ongoing"], longer_than_ms=HANGING_MS)
    for name, one in listed.values.items():
        yield Finding(
            "transactions",
            is_error=True,
            problem=f"transaction {name} of producer {one.producer_id} is open for over 15 minutes",
            cause="its producer neither commits nor aborts, and its time-out is long",
            remedy="stop the producer, then moldau transactions abort",
        )


def _check_logs(examined: Examined) -> Iterator[Finding]:
    """Every leader answers where its log ends."""
    parts = {
        (view.name, part.partition): OffsetPlace.LATEST
        for view in examined.topics.values()
        for part in view.partitions
        if part.leader is not None
    }
    errors: dict[str, MoldauError] = {
        str(part): error for part, error in examined.admin.list_offsets(parts).errors.items()
    }
    if errors:
        yield Finding(
            "logs",
            is_error=True,
            problem=f"{len(errors)} partitions do not answer: {_some(list(errors))}",
            cause=str(next(iter(errors.values()))),
            remedy="look into the logs of their leaders",
        )


CHECKS: dict[str, Check] = {
    "listeners": _check_listeners,
    "advertised names": _check_names,
    "replication": _check_replication,
    "logs": _check_logs,
    "quorum": _check_quorum,
    "clocks": _check_clock,
    "disks": _check_disks,
    "transactions": _check_transactions,
}
