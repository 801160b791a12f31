"""Topics on a loop; what they do in full is tested through the blocking twin."""

from __future__ import annotations

from moldau.client.admin import NewTopic, OffsetPlace
from tests.client.aio.admin.test_asking import asked


def test_calls_about_topics(around, topic):
    async def work(admin):
        made = (await admin.create_topics(NewTopic(topic, 1))).all()[topic]
        assert topic in await admin.list_topics()
        assert (await admin.describe_topics(topic))[topic].topic_id == made.topic_id
        assert (await admin.describe_topics_by_id(made.topic_id))[made.topic_id].name == topic
        (await admin.create_partitions({topic: 2})).all()
        part = (topic, 1)
        (found,) = (await admin.list_offsets({part: OffsetPlace.LATEST})).all().values()
        assert found.offset == 0
        assert (await admin.delete_records({part: None})).all() == {part: 0}
        assert len(await admin.elect_leaders([part])) == 1
        assert len(await admin.alter_partition_reassignments({part: None})) == 1
        assert await admin.list_partition_reassignments([part]) == {}
        (await admin.delete_topics_by_id(made.topic_id)).all()
        assert list((await admin.delete_topics([topic])).errors) == [topic]

    asked(around, work)
