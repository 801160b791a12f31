"""Each field of each form, and each parameter of each address, with values that it cannot take."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from confluent_kafka import Consumer, TopicPartition

from moldau.programs.console.changes.table import KINDS
from tests.programs.console.bad_values import ALL, NUMBERS, TEXTS, good_bodies
from tests.programs.console.running_console import RunningConsole

TOPIC, GROUP, SUBJECT = "bad-input", "bad-input-group", "bad-input-value"
BODIES = good_bodies(TOPIC, GROUP, SUBJECT)
SENTENCE_MAX = 700
OK = 200
IN_QUERIES = (*TEXTS[:3], *TEXTS[4:-1], *NUMBERS[:5], "9" * 17, "0:99999999999", "0:1,0:2")
SEARCHES = ("", " ", "a\0b", "<script>alert(1)</script>", "x" * 11_000)
"""Each of the others takes a process."""
QUERIES = {
    "/topics": ("first", "fresh"),
    "/sizes": ("fresh",),
    f"/topics/{TOPIC}/records": ("partition", "count", "before", "after", "time"),
    f"/topics/{TOPIC}/tail": ("partition", "after"),
    "/map": ("topic",),
    "/samples": ("topic",),
    "/search": ("query",),
    "/subjects": ("deleted",),
    "/transactions/hanging": ("minutes",),
    f"/groups/{GROUP}/behind": ("seconds",),
}
PATHS = (
    "/brokers/{}/configs",
    "/brokers/{}/loggers",
    "/topics/{}",
    "/topics/{}/configs",
    "/topics/{}/groups",
    "/topics/{}/producers",
    "/topics/{}/records",
    "/topics/{}/tail",
    f"/topics/{TOPIC}/records/{{}}/0/value",
    f"/topics/{TOPIC}/records/0/{{}}/value",
    f"/topics/{TOPIC}/records/0/0/{{}}",
    "/groups/{}",
    "/groups/{}/behind",
    "/subjects/{}",
    "/subjects/{}/versions/1",
    f"/subjects/{SUBJECT}/versions/{{}}",
    "/clusters/{}/cluster",
    "/{}",
)


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """A console of its own: what is accepted is done."""
    running = RunningConsole(tmp_path_factory.mktemp("tried"))
    try:
        running.make(TOPIC)
        running.run("produce", topic=TOPIC, value="one")
        _commit(running.bootstrap)
        running.run("register-schema", subject=SUBJECT, schema='"string"')
        yield running
    finally:
        running.stop()


def _commit(bootstrap):
    member = Consumer({"bootstrap.servers": bootstrap, "group.id": GROUP})
    member.commit(offsets=[TopicPartition(TOPIC, 0, 1)], asynchronous=False)
    member.close()


def test_every_kind_of_change_is_tried():
    assert {name.partition("/")[0] for name in BODIES} == set(KINDS)
    for name, body in BODIES.items():
        assert set(body) <= {*KINDS[name.partition("/")[0]].fields}


@pytest.mark.parametrize("name", BODIES)
def test_each_field_of_a_change_is_refused_with_a_sentence_or_taken(tried, name):
    kind, good = name.partition("/")[0], BODIES[name]
    wrong = []
    for field in KINDS[kind].fields:
        for value in ALL:
            body = {**good, field: value}
            answers = [_answer(tried, "POST", f"/changes/{kind}/plan", body)]
            if answers[0][0] == OK:
                answers.append(_answer(tried, "POST", f"/changes/{kind}", body))
            wrong += _complaints((kind, field, value), *answers)
    assert wrong == []


@pytest.mark.parametrize("path", QUERIES)
def test_each_parameter_of_a_query_is_refused_with_a_sentence_or_taken(tried, path):
    wrong = []
    for name in QUERIES[path]:
        for value in SEARCHES if name == "query" else IN_QUERIES:
            found = _answer(tried, "GET", f"{path}?{name}={quote(str(value))}")
            wrong += _complaints((path, name, value), found)
    assert wrong == []


@pytest.mark.parametrize("path", PATHS)
def test_each_name_in_a_path_is_refused_with_a_sentence_or_taken(tried, path):
    wrong = []
    for value in (*TEXTS[1:3], *TEXTS[4:-1], "-7", "0007", "9" * 30, "%ff", "%ed%a0%80"):
        name = value if value.startswith("%") and len(value) in (3, 9) else quote(value, safe="")
        wrong += _complaints((path, value), _answer(tried, "GET", path.format(name)))
    assert wrong == []


def _answer(console, method, path, body=None):
    """The status and the answer; of events only that they have begun."""
    if path.startswith("/search") or "/tail" in path:
        return console.opened(f"/api{path}")
    data = None if body is None else json.dumps(body).encode()
    status, _, found = console.raw(method, f"/api{path}", data)
    return status, found


def _complaints(case, *answers):
    return [
        (tuple(str(one)[:60] for one in case), status, data[:300])
        for status, data in answers
        if not _is_right(status, data)
    ]


def _is_right(status, data):
    """Done; or refused with one sentence, which says more than the status does."""
    if status == OK:
        return True
    sentence = json.loads(data)["message"]
    is_one = 0 < len(sentence) <= SENTENCE_MAX and "Traceback" not in sentence
    return 400 <= status < 500 and is_one and not sentence.startswith("HTTP ")
