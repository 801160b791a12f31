"""Paths, codes and bodies, as programs that ask Burrow know them."""

from __future__ import annotations

import json
import logging

import pytest

from moldau.client import TopicPartition
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.lag.api import BurrowApi, Served
from moldau.programs.lag.commits import Committed
from moldau.programs.lag.state import LagRules, LagState, Owner

PART = TopicPartition("t", 1)
KAFKA = "/v3/kafka/local"
GROUP = f"{KAFKA}/consumer/g"


@pytest.fixture
def state():
    """A group that has read 4 of 10 records in the second partition of a topic."""
    known = LagState(LagRules(intervals=2))
    known.saw_ends({TopicPartition("t", 0): 0, PART: 10})
    known.saw_commit(Committed("g", PART, 4, 100), 150, is_new=True)
    known.owners["g"] = {PART: Owner("10.0.0.1", "c")}
    return known


@pytest.fixture
def ask(state):
    served = Served(
        cluster="local",
        host="here",
        servers=["a:1"],
        refresh_ms=5000,
        state=state,
        now_ms=lambda: 100,
        is_ready=lambda: bool(state.groups),
    )
    router = Router(BurrowApi(served).routes())

    def ask(path, method="GET", body=b""):
        handler, parameters = router.find(method, path)
        answer = handler(Request(method, path, body=body, parameters=parameters))
        assert isinstance(answer, Response)
        is_json = answer.media_type == "application/json"
        return answer.status, json.loads(answer.body) if is_json else answer.body

    return ask


COMMIT = {"offset": 4, "timestamp": 100, "observedAt": 150, "lag": 6}
ROW = {
    "topic": "t",
    "partition": 1,
    "owner": "10.0.0.1",
    "client_id": "c",
    "status": "STALL",
    "start": COMMIT,
    "end": COMMIT,
    "current_lag": 6,
    "complete": 0.5,
}


@pytest.mark.parametrize(
    ("path", "name", "wanted"),
    [
        ("/v3/kafka", "clusters", ["local"]),
        (f"{KAFKA}/topic", "topics", ["t"]),
        (f"{KAFKA}/topic/t", "offsets", [0, 10]),
        (f"{KAFKA}/topic/t/consumers", "consumers", ["g"]),
        (f"{KAFKA}/consumer", "consumers", ["g"]),
        ("/v3/config/storage", "modules", ["local"]),
        ("/v3/config/notifier", "modules", []),
    ],
)
def test_what_is_there_is_listed(ask, path, name, wanted):
    status, body = ask(path)
    assert (status, body["error"], body[name]) == (200, False, wanted)
    assert body["request"] == {"url": path, "host": "here"}


def test_a_group_has_a_status_and_its_partitions(ask):
    status, body = ask(f"{GROUP}/lag")
    assert (status, body["message"]) == (200, "consumer status returned")
    assert body["status"] == {
        "cluster": "local",
        "group": "g",
        "status": "ERR",
        "complete": 0.0,
        "partitions": [ROW],
        "partition_count": 1,
        "maxlag": ROW,
        "totallag": 6,
    }


def test_the_short_status_leaves_out_what_is_well(ask, state):
    assert ask(f"{GROUP}/status")[1]["status"]["partitions"] == [ROW]
    state.saw_commit(Committed("g", PART, 10, 200), 200, is_new=True)
    body = ask(f"{GROUP}/status")[1]
    assert (body["status"]["partitions"], body["status"]["maxlag"]["current_lag"]) == ([], 0)


def test_windows_are_filled_up_in_front(ask):
    (first, second) = ask(GROUP)[1]["topics"]["t"]
    assert first == {"offsets": [], "owner": "", "client_id": "", "current-lag": 0}
    assert second["offsets"] == [None, COMMIT]
    assert (second["owner"], second["current-lag"]) == ("10.0.0.1", 6)


@pytest.mark.parametrize(
    "path",
    [
        "/v3/kafka/none",
        "/v3/kafka/none/topic",
        f"{KAFKA}/topic/none",
        f"{KAFKA}/topic/none/consumers",
        "/v3/kafka/none/consumer",
        f"{KAFKA}/consumer/none",
        "/v3/config/none",
        "/v3/config/notifier/local",
        "/v3/config/storage/none",
    ],
)
def test_what_is_not_there_is_not_found(ask, path):
    status, body = ask(path)
    assert (status, body["error"], bool(body["message"])) == (404, True, True)


def test_an_unknown_group_has_the_status_of_one(ask):
    for path in (f"{KAFKA}/consumer/none/lag", "/v3/kafka/none/consumer/g/lag"):
        status, body = ask(path)
        assert (status, body["error"], body["status"]["status"]) == (404, False, "NOTFOUND")


@pytest.mark.parametrize("below", ["", "/topic/t", "/topic/t/partition/1"])
def test_a_group_is_forgotten(ask, state, below):
    assert ask(f"{GROUP}{below}", "DELETE")[0] == 200
    assert state.groups == {}


def test_a_group_may_be_forgotten_twice(ask, state):
    assert [ask(GROUP, "DELETE")[0] for _ in range(2)] == [200, 200]
    assert state.groups == {}


@pytest.mark.parametrize("below", ["/topic/u", "/topic/t/partition/0", "/topic/t/partition/x"])
def test_only_what_is_named_is_forgotten(ask, state, below):
    assert ask(f"{GROUP}{below}", "DELETE")[0] == 404
    assert list(state.groups) == ["g"]


def test_probes_tell_whether_it_lives_and_whether_it_is_ready(ask, state):
    assert ask("/burrow/admin") == (200, b"GOOD")
    assert ask("/burrow/admin/ready") == (200, b"READY")
    state.groups.clear()
    assert ask("/burrow/admin/ready") == (503, b"STARTING")


def test_settings_are_shown(ask):
    assert ask("/v3/config")[0] == 200
    assert ask("/v3/config/storage/local")[1]["module"]["intervals"] == 2
    assert ask(KAFKA)[1]["module"]["servers"] == ["a:1"]
    assert ask("/v3/config/cluster/local")[1]["module"]["offset-refresh"] == 5


def test_the_level_of_the_log_is_changed(ask):
    logger = logging.getLogger("moldau")
    before = logger.level
    try:
        assert ask("/v3/admin/loglevel", "POST", b'{"level": "Warn"}')[0] == 200
        assert ask("/v3/admin/loglevel")[1]["level"] == "warning"
        assert ask("/v3/admin/loglevel", "POST", b'{"level": "loud"}')[0] == 404
        assert ask("/v3/admin/loglevel", "POST", b"loud")[0] == 400
    finally:
        logger.setLevel(before)


def test_prometheus_has_its_series(ask):
    assert b"burrow_kafka_consumer_lag_total" in ask("/metrics")[1]
