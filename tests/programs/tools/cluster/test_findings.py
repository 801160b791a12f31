"""What each check finds, of a cluster that is described to it."""

from types import SimpleNamespace

import pytest

from moldau.client.admin import (
    ClusterNode,
    ClusterView,
    LogDir,
    PartitionView,
    QuorumReplica,
    QuorumView,
    TopicView,
)
from moldau.client.core.admin.outcomes import Outcomes
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.findings import CHECKS, Examined

NOW_MS = 1_000_000


def replica(number, fetched_ms=NOW_MS, end=100):
    return QuorumReplica(number, None, end, fetched_ms, fetched_ms)


def quorum(*voters):
    return QuorumView(1, 3, 100, voters, (), {})


def examined(nodes=(), parts=(), bootstrap="10.0.0.1:9092", now_ms=NOW_MS, **answers):
    admin = SimpleNamespace(
        **{name: lambda *_, found=found, **__: found for name, found in answers.items()}
    )
    cluster = ClusterView("id", 1, tuple(nodes))
    view = TopicView("t", "id", False, tuple(parts))
    return Examined(admin, bootstrap, cluster, {"t": view}, now_ms)  # type: ignore[arg-type]


def node(number=1, host="10.0.0.1", fenced=False):
    return ClusterNode(number, host, 9092, None, fenced)


SILENT: Outcomes[int, None] = Outcomes({}, {1: MoldauError("connection refused")})
FULL = LogDir(None, {}, 1000, 50, False)
BROKEN = LogDir(MoldauError("input/output error"), {}, None, None, False)


@pytest.mark.parametrize(
    ("subject", "given", "problem"),
    [
        (
            "listeners",
            {"nodes": [node()], "broker_api_versions": SILENT},
            "broker 1 does not answer at 10.0.0.1:9092",
        ),
        (
            "listeners",
            {"nodes": [node(fenced=True)], "broker_api_versions": Outcomes()},
            "broker 1 is fenced",
        ),
        (
            "advertised names",
            {"nodes": [node(host="localhost")]},
            "broker 1 advertises localhost:9092",
        ),
        (
            "replication",
            {"parts": [PartitionView(0, None, 1, (1,), ())]},
            "1 partitions have no leader: t-0",
        ),
        (
            "replication",
            {"parts": [PartitionView(0, 1, 1, (1, 2), (1,))]},
            "1 partitions lack replicas in sync: t-0",
        ),
        (
            "quorum",
            {"describe_metadata_quorum": quorum(replica(1), replica(2, NOW_MS - 60_000, 90))},
            "controller 2 does not follow the metadata log",
        ),
        (
            "quorum",
            {"describe_metadata_quorum": quorum(replica(1), replica(2))},
            "2 controllers vote",
        ),
        (
            "clocks",
            {"describe_metadata_quorum": quorum(replica(1)), "now_ms": NOW_MS - 90_000},
            "the clock of controller 1 is 90 s ahead of this machine's",
        ),
        (
            "disks",
            {"describe_log_dirs": Outcomes({1: {"/data": FULL}})},
            "log directory /data of broker 1 is nearly full",
        ),
        (
            "disks",
            {"describe_log_dirs": Outcomes({1: {"/data": BROKEN}})},
            "log directory /data of broker 1 is offline",
        ),
        (
            "transactions",
            {"list_transactions": Outcomes({"pay": SimpleNamespace(producer_id=7)})},
            "transaction pay of producer 7 is open for over 15 minutes",
        ),
        (
            "logs",
            {
                "parts": [PartitionView(0, 1, 1, (1,), (1,))],
                "list_offsets": Outcomes({}, {"t-0": MoldauError("no answer")}),
            },
            "1 partitions do not answer: t-0",
        ),
    ],
)
def test_what_is_wrong_is_named(subject, given, problem):
    found = [one.problem for one in CHECKS[subject](examined(**given))]
    assert problem in found


def test_loopback_is_right_for_a_cluster_of_one_machine():
    asked = examined(nodes=[node(host="127.0.0.1")], bootstrap="127.0.0.1:9092")
    assert not list(CHECKS["advertised names"](asked))
