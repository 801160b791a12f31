"""Records to a topic, and their outcomes in order."""

import pytest

from moldau.client import AsyncProducer
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.platform.system.tasks import run
from moldau.programs.rest.refusals import refused
from moldau.programs.rest.sending import Record, ensure_topic, send_all
from tests.programs.rest.reading import records_of


def test_each_record_has_its_own_outcome(place, made):
    records: list[Record | MoldauError] = [
        Record(None, b"a", 0),
        MoldauError("no"),
        Record(None, b"b", 9),
        Record(b"k", b"c", 0),
    ]

    async def main(tasks):
        async with AsyncProducer(place) as producer:
            return await send_all(producer, made, records)

    first, second, third, fourth = run(main)
    assert (first.offset, second, third.code, fourth.offset) == (0, records[1], 40402, 1)
    assert [one.value() for one in records_of(place, made, 2)] == [b"a", b"c"]


def test_a_topic_that_cannot_be_is_refused(place):
    async def main(tasks):
        async with AsyncProducer(place, max_block_ms=1000) as producer:
            await ensure_topic(producer, "a/b", 40401)

    with pytest.raises(ClientError) as error:
        run(main)
    assert refused(error.value).code == 40002
