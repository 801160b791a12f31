"""Interceptors of producers and consumers, with a node of ours."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client import (
    AsyncConsumer,
    AsyncProducer,
    Consumer,
    ConsumerRecord,
    Producer,
    RecordMetadata,
)
from moldau.client.errors import InvalidArgumentError, RecordTooLargeError, SerializationError
from moldau.client.interceptors import (
    ConsumerInterceptor,
    ProducerInterceptor,
    interceptors_of,
)
from moldau.config.refusals import InvalidSettingError

RECORD_MAX = 1000


class Marking(ProducerInterceptor):
    """Adds a header, and keeps what it sees."""

    def __init__(self, mark=b"1"):
        self.mark = mark
        self.ends = []
        self.is_closed = False

    def on_send(self, record):
        return record._replace(headers=(*record.headers, ("mark", self.mark)))

    def on_acknowledgement(self, metadata, error):
        self.ends.append(metadata.offset if error is None else type(error))

    def close(self):
        self.is_closed = True


class Dropping(ConsumerInterceptor):
    """Leaves out what is marked, and keeps what was committed."""

    def __init__(self):
        self.committed = []
        self.is_closed = False

    def on_consume(self, records):
        return [record for record in records if record.value != "secret"]

    def on_commit(self, offsets):
        self.committed.append(dict(offsets))

    def close(self):
        self.is_closed = True


class Naming(ProducerInterceptor):
    """Named by its setting."""

    def on_send(self, record):
        return record._replace(key=b"named")


def settings_of(topic):
    return {"group_id": topic, "auto_offset_reset": "earliest", "enable_auto_commit": False}


def read(around, topic, count=1, **settings):
    found: list[ConsumerRecord] = []
    with Consumer(around.bootstrap, auto_offset_reset="earliest", **settings) as consumer:
        consumer.assign(topic)
        while len(found) < count:
            found += consumer.poll()
    return found


def test_a_record_is_sent_as_all_interceptors_have_made_it(around, topic):
    chain = [Marking(b"1"), Marking(b"2")]
    seen: list[RecordMetadata | None] = []
    with Producer(around.bootstrap, interceptor_classes=chain) as producer:
        sent = producer.send(topic, b"v", on_delivery=lambda where, _: seen.append(where))
        assert sent.result(30).offset == 0
    assert read(around, topic)[0].headers == (("mark", b"1"), ("mark", b"2"))
    assert [one.ends for one in chain] == [[0], [0]]
    assert [where and where.offset for where in seen] == [0]
    assert all(one.is_closed for one in chain)


def test_what_cannot_be_sent_is_seen_too(around, topic):
    marking = Marking()
    given = {"value_serializer": "int", "max_request_size": RECORD_MAX}
    with Producer(around.bootstrap, interceptor_classes=marking, **given) as producer:
        with pytest.raises(SerializationError):
            producer.send(topic, "no number")
        late = producer.send(topic, 7, key=b"k" * RECORD_MAX)
        with pytest.raises(RecordTooLargeError):
            late.result(30)
    assert marking.ends == [SerializationError, RecordTooLargeError]


def test_a_class_is_found_by_its_name_in_a_mapping(around, topic):
    name = f"{__name__}.Naming"
    given = {"bootstrap.servers": around.bootstrap, "interceptor.classes": name}
    with Producer(given) as producer:
        producer.send(topic, b"v").result(30)
    assert read(around, topic)[0].key == b"named"


def test_a_consumer_returns_what_its_interceptors_leave(around, topic):
    dropping = Dropping()
    with Producer(around.bootstrap) as producer:
        for value in ("open", "secret", "last"):
            producer.send(topic, value)
    given = {**settings_of(topic), "value_deserializer": "str"}
    with Consumer(around.bootstrap, interceptor_classes=[dropping], **given) as consumer:
        consumer.subscribe(topic)
        found = []
        while "last" not in found:
            found += [record.value for record in consumer.poll()]
        consumer.commit()
    assert found == ["open", "last"]
    assert [list(offsets.values()) for offsets in dropping.committed] == [[3]]
    assert dropping.is_closed


def test_clients_on_a_loop_have_them_too(around, topic):
    async def main():
        marking, dropping = Marking(), Dropping()
        async with AsyncProducer(around.bootstrap, interceptor_classes=[marking]) as producer:
            await producer.send_and_wait(topic, b"v")
            with pytest.raises(InvalidArgumentError):
                await producer.send(topic, object())
        given = settings_of(topic)
        async with AsyncConsumer(
            around.bootstrap, interceptor_classes=[dropping], **given
        ) as consumer:
            await consumer.subscribe(topic)
            while not (found := await consumer.poll()):
                pass
            await consumer.commit()
        return marking, dropping, found

    marking, dropping, found = asyncio.run(main())
    assert [record.headers for record in found] == [(("mark", b"1"),)]
    assert sorted(map(str, marking.ends)) == ["0", str(InvalidArgumentError)]
    assert [list(offsets.values()) for offsets in dropping.committed] == [[1]]
    assert marking.is_closed
    assert dropping.is_closed


class Failing(ProducerInterceptor, ConsumerInterceptor):
    """Has a mistake everywhere."""

    def on_send(self, record):
        raise KeyError("on_send")

    def on_acknowledgement(self, metadata, error):
        raise KeyError("on_acknowledgement")

    def on_consume(self, records):
        raise KeyError("on_consume")

    def on_commit(self, offsets):
        raise KeyError("on_commit")

    def close(self):
        raise KeyError("close")


def test_an_interceptor_that_raises_is_logged_and_left_out(around, topic, caplog):
    marking, dropping = Marking(), Dropping()
    with Producer(around.bootstrap, interceptor_classes=[Failing(), marking]) as producer:
        producer.send(topic, b"v").result(30)
        with pytest.raises(InvalidArgumentError):
            producer.send(topic, object())
        assert producer.send(topic, b"v").result(30).offset == 1
    given = {**settings_of(topic), "interceptor_classes": [Failing(), dropping]}
    with Consumer(around.bootstrap, **given) as consumer:
        consumer.subscribe(topic)
        found: list[ConsumerRecord] = []
        while len(found) < 2:
            found += consumer.poll()
        consumer.commit()
    assert [record.headers for record in found] == [(("mark", b"1"),)] * 2
    ends = sorted(map(str, marking.ends))  # those that arrive are seen in the background
    assert ends == ["0", "1", str(InvalidArgumentError)]
    assert [list(offsets.values()) for offsets in dropping.committed] == [[2]]
    assert marking.is_closed
    assert dropping.is_closed
    logged = {repr(record.exc_info[1]) for record in caplog.records if record.exc_info}
    names = ("on_send", "on_acknowledgement", "on_consume", "on_commit", "close")
    assert {f"KeyError({name!r})" for name in names} <= logged


class Forgetful(ProducerInterceptor, ConsumerInterceptor):
    """Returns nothing."""

    def on_send(self, record):
        pass

    def on_consume(self, records):
        pass


def test_an_interceptor_that_returns_nothing_is_logged_and_left_out(around, topic, caplog):
    with Producer(around.bootstrap, interceptor_classes=[Marking(), Forgetful()]) as producer:
        producer.send(topic, b"v").result(30)
    (record,) = read(around, topic, interceptor_classes=[Forgetful()])
    assert (record.value, record.headers) == (b"v", (("mark", b"1"),))
    reasons = {str(record.exc_info[1]) for record in caplog.records if record.exc_info}
    assert reasons == {
        "it has to return a ProducerRecord, and not None",
        "it has to return a list, and not None",
    }


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("com.acme.Tracing", "there is no such class of Python"),
        ("Tracing", "there is no such class of Python"),
        (Dropping(), "it is no moldau ProducerInterceptor"),
        (Dropping, "it is no moldau ProducerInterceptor"),
        ([Marking(), 7], "it is no moldau ProducerInterceptor"),
    ],
)
def test_what_is_no_interceptor_is_refused(given, says):
    with pytest.raises(InvalidSettingError, match=says):
        interceptors_of(given, ProducerInterceptor)


def test_one_or_several_are_taken():
    one = Marking()
    assert interceptors_of(None, ProducerInterceptor) == []
    assert interceptors_of(one, ProducerInterceptor) == [one]
    names = f"{__name__}.Naming, {__name__}.Marking"
    assert [type(found) for found in interceptors_of(names, ProducerInterceptor)] == [
        Naming,
        Marking,
    ]


def test_coroutine_functions_are_reported_where_nothing_awaits_them(around, topic, caplog):
    async def never(metadata, error): ...

    class Slow(Marking):
        async def on_send(self, record): ...  # type: ignore[override]

        async def on_acknowledgement(self, metadata, error): ...  # type: ignore[override]

    with Producer(around.bootstrap, interceptor_classes=[Slow(b"1")]) as producer:
        producer.send(topic, "one", on_delivery=never).result()
        producer.flush()
    causes = [str(record.exc_info[1]) for record in caplog.records if record.exc_info]
    assert len(causes) == 3
    assert "it is a coroutine function" in causes[0]
    assert "it is a coroutine function" in causes[1]
    assert "on_delivery is a coroutine function" in causes[2]
