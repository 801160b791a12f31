"""Consumers by HTTP: what librdkafka has sent is read, committed and read on."""

import json
from urllib.parse import unquote

import pytest
from confluent_kafka import Consumer as Foreign
from confluent_kafka import Producer, TopicPartition

BINARY = "application/vnd.kafka.binary.v2+json"
JSON = "application/vnd.kafka.json.v2+json"
V2 = "application/vnd.kafka.v2+json"


class Instance:
    """A consumer in the proxy, as a client of it sees it."""

    def __init__(self, rest, group, **options):
        self.rest = rest
        body = {"format": "json", "auto.offset.reset": "earliest", **options}
        status, found = rest.ask("POST", f"/consumers/{group}", body, V2)
        assert status == 200, found
        self.path = found["base_uri"].removeprefix(rest.url)
        assert unquote(self.path) == f"/consumers/{group}/instances/{found['instance_id']}"

    def ask(self, method, path="", body=None, accept=JSON):
        return self.rest.ask(method, self.path + path, body, V2, Accept=accept)

    def records(self, count, query=""):
        """So many, in as many requests as that takes."""
        found = []
        for _ in range(60):
            status, more = self.ask("GET", f"/records?timeout=1000{query}")
            assert status == 200, more
            found += more
            if len(found) >= count:
                break
        assert len(found) == count
        return found

    def code(self, *call, **given):
        status, body = self.ask(*call, **given)
        assert str(body["error_code"]).startswith(str(status))
        return body["error_code"]


@pytest.fixture
def sent(place, made):
    """Ten records by librdkafka in the first partition."""
    producer = Producer({"bootstrap.servers": place})
    for number in range(10):
        producer.produce(made, json.dumps({"n": number}), key=b'"k"', partition=0)
    assert producer.flush(60) == 0
    return made


def at(topic, offset=None, partition=0):
    row = {"topic": topic, "partition": partition}
    return row if offset is None else {**row, "offset": offset}


def test_a_subscribed_consumer_reads_commits_and_leaves(rest, place, sent):
    first = Instance(rest, sent, **{"auto.commit.enable": "false"})
    assert first.ask("POST", "/subscription", {"topics": [sent]}) == (204, None)
    assert first.ask("GET", "/subscription") == (200, {"topics": [sent]})
    records = first.records(10)
    assert records[3] == {
        "topic": sent, "key": "k", "value": {"n": 3}, "partition": 0, "offset": 3
    }  # fmt: skip
    assert first.ask("POST", "/offsets", {"offsets": [at(sent, 5)]})[0] == 200
    kept = first.ask("GET", "/offsets", {"partitions": [at(sent)]})[1]["offsets"]
    assert kept == [{**at(sent, 6), "metadata": ""}]
    foreign = Foreign({"bootstrap.servers": place, "group.id": sent})
    assert foreign.committed([TopicPartition(sent, 0)], timeout=60)[0].offset == 6
    foreign.close()
    assert first.ask("DELETE") == (204, None)
    assert first.code("GET", "/records") == 40403
    second = Instance(rest, sent)
    second.ask("POST", "/subscription", {"topics": [sent]})
    assert [one["offset"] for one in second.records(4)] == [6, 7, 8, 9]
    assert second.ask("DELETE") == (204, None)


def test_an_assigned_consumer_goes_where_it_is_sent(rest, sent):
    instance = Instance(rest, sent, name="by hand", format="binary")
    parts = {"partitions": [at(sent)]}
    assert instance.ask("POST", "/assignments", parts) == (204, None)
    assert instance.ask("GET", "/assignments") == (200, parts)
    assert instance.ask("POST", "/positions", {"offsets": [at(sent, 8)]}) == (204, None)
    found = instance.ask("GET", "/records?timeout=60000", accept=BINARY)[1]
    assert [(one["offset"], one["value"]) for one in found] == [
        (8, "eyJuIjogOH0="),
        (9, "eyJuIjogOX0="),
    ]
    assert instance.ask("POST", "/positions/beginning", parts) == (204, None)
    assert instance.ask("GET", "/records?timeout=60000", accept="*/*")[1][0]["offset"] == 0
    assert instance.ask("POST", "/positions/end", parts) == (204, None)
    assert instance.ask("GET", "/records?timeout=1", accept="*/*") == (200, [])
    assert instance.code("GET", "/records") == 40601
    assert instance.code("POST", "/subscription", {"topics": [sent]}) == 40903
    assert instance.code("POST", "/positions", {"offsets": [at(sent, 0, 1)]}) == 40903
    instance.ask("DELETE")


def test_an_answer_has_a_limit_and_the_rest_comes_with_the_next(rest, sent):
    instance = Instance(rest, sent)
    instance.ask("POST", "/assignments", {"partitions": [at(sent)]})
    found = [instance.ask("GET", "/records?timeout=60000&max_bytes=250")[1] for _ in range(5)]
    assert [[one["offset"] for one in part] for part in found] == [
        [0, 1], [2, 3], [4, 5], [6, 7], [8, 9]
    ]  # fmt: skip
    instance.ask("DELETE")


def test_a_record_that_is_not_json_is_named_and_not_skipped(rest, place, sent):
    producer = Producer({"bootstrap.servers": place})
    producer.produce(sent, b"{", partition=0)
    assert producer.flush(60) == 0
    instance = Instance(rest, sent)
    instance.ask("POST", "/assignments", {"partitions": [at(sent)]})
    assert len(instance.records(10)) == 10
    for _ in range(2):
        status, body = instance.ask("GET", "/records?timeout=60000")
        assert (status, body["error_code"]) == (422, 42203)
        assert f"{sent}-0 at offset 10" in body["message"]
    instance.ask("DELETE")


def test_what_cannot_be_is_refused_with_the_codes_of_the_convention(rest, made):
    instance = Instance(rest, made, name="one")
    again = rest.ask("POST", f"/consumers/{made}", {"name": "one"}, V2)
    wrong = [
        rest.ask("POST", f"/consumers/{made}", body, V2)
        for body in ({"format": "xml"}, {"auto.offset.reset": "x"}, {"name": 1})
    ]
    assert [body["error_code"] for _, body in (again, *wrong)] == [40902, 422, 42204, 400]
    both = {"topics": [made], "topic_pattern": ".*"}
    assert instance.code("POST", "/subscription", both) == 40903
    assert instance.code("POST", "/subscription", {"topic_pattern": "(a+)+b"}) == 422
    assert instance.code("POST", "/subscription", {"topics": [1]}) == 422
    assert instance.code("POST", "/subscription", {"topics": ["no topic"]}) == 40002
    assert instance.code("POST", "/assignments", {"partitions": [{}]}) == 400
    assert instance.code("GET", "/records", accept="text/html") == 406
    assert rest.ask("DELETE", f"/consumers/{made}/instances/two")[1]["error_code"] == 40403
    instance.ask("DELETE")


def test_offsets_of_what_is_not_there_are_refused_at_once(rest, sent):
    instance = Instance(rest, sent)
    for part, code in ((at(sent, 1, partition=7), 40402), (at("nowhere", 1), 40403)):
        assert instance.code("POST", "/offsets", {"offsets": [part]}) == code
    assert instance.ask("POST", "/offsets", {"offsets": [at(sent, 1)]}) == (200, [])
    instance.ask("DELETE")


def test_a_pattern_subscribes_to_what_it_matches(rest, sent):
    instance = Instance(rest, sent)
    assert instance.ask("POST", "/subscription", {"topic_pattern": f"{sent[:-1]}."}) == (204, None)
    assert len(instance.records(10)) == 10
    assert instance.ask("DELETE", "/subscription") == (204, None)
    assert instance.ask("GET", "/assignments") == (200, {"partitions": []})
    instance.ask("DELETE")


def test_a_consumer_goes_on_at_the_first_record_that_is_not_older(rest, topic):
    rest.v3("POST", "topics", {"topic_name": topic, "partitions_count": 1})
    rest.reports(topic, b"".join(b'{"timestamp":%d}' % (1000 * n) for n in range(1, 6)))
    instance = Instance(rest, topic)
    instance.ask("POST", "/assignments", {"partitions": [at(topic)]})
    for time in ("1970-01-01T00:00:03Z", 2001):
        wanted = {"timestamps": [{"topic": topic, "partition": 0, "timestamp": time}]}
        assert instance.ask("POST", "/positions", wanted) == (204, None)
        assert [one["offset"] for one in instance.records(3)] == [2, 3, 4]
    wrong = {"timestamps": [{"topic": topic, "partition": 0, "timestamp": "yesterday"}]}
    assert instance.code("POST", "/positions", wanted | wrong) == 400
    elsewhere = {"timestamps": [{"topic": topic, "partition": 1, "timestamp": 1}]}
    assert instance.code("POST", "/positions", elsewhere) == 40903
    instance.ask("DELETE")


def test_what_is_committed_has_the_text_that_was_sent_with_it(rest, sent):
    instance = Instance(rest, sent)
    wanted = {**at(sent, 4), "metadata": "half"}
    assert instance.ask("POST", "/offsets", {"offsets": [wanted]}) == (200, [])
    found = instance.ask("GET", "/offsets", {"partitions": [at(sent)]})
    assert found == (200, {"offsets": [{**at(sent, 5), "metadata": "half"}]})
    instance.ask("DELETE")


WRONG_CONSUMERS = {
    "a field that there is not": ({"auto.offset": "latest"}, 422),
    "fewer bytes than none": ({"fetch.min.bytes": -2}, 40001),
    "more bytes than may be": ({"responseMinBytes": 10_000_001}, 40001),
    "a wait below 0": ({"consumer.request.timeout.ms": -1}, 42204),
    "a wait that is no number": ({"requestWaitMs": "long"}, 42204),
    "a truth that is none": ({"auto.commit.enable": "perhaps"}, 42204),
}


def test_a_consumer_is_not_created_with_what_cannot_be(rest, made):
    codes = {
        name: rest.ask("POST", f"/consumers/{made}", body, V2)[1]["error_code"]
        for name, (body, _) in WRONG_CONSUMERS.items()
    }
    assert codes == {name: code for name, (_, code) in WRONG_CONSUMERS.items()}


def test_a_request_without_a_body_is_refused_where_there_has_to_be_one(rest, made):
    options = {"fetch.min.bytes": -1, "consumer.request.timeout.ms": "0"}
    instance = Instance(rest, made, **options)
    for path in ("subscription", "assignments", "positions", "positions/end"):
        assert instance.code("POST", f"/{path}", b"") == 422
    assert instance.code("GET", "/offsets", b"") == 40402
    instance.ask("POST", "/assignments", {"partitions": [at(made)]})
    assert instance.ask("GET", "/records") == (200, [])
    instance.ask("DELETE")
