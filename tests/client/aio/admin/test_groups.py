"""Groups on a loop; what they do in full is tested through the blocking twin."""

from __future__ import annotations

from tests.client.aio.admin.test_asking import asked


def test_calls_about_groups(around, topic):
    async def work(admin):
        (await admin.create_topics(topic)).all()
        part = (topic, 0)
        (await admin.alter_consumer_group_offsets(topic, {part: 1})).all()
        assert (await admin.list_groups())[topic].is_simple
        assert (await admin.describe_consumer_groups(topic))[topic].members == ()
        assert (await admin.describe_classic_groups(topic))[topic].state == "Empty"
        assert (await admin.describe_share_groups(topic)).errors
        assert (await admin.describe_streams_groups(topic)).errors
        assert (await admin.list_consumer_group_offsets(topic))[topic][part].offset == 1
        (await admin.delete_consumer_group_offsets(topic, [part])).all()
        assert not await admin.remove_members_from_consumer_group(topic)
        assert len(await admin.delete_groups(topic)) == 1

    asked(around, work)


def test_calls_about_share_groups(around, topic):
    async def work(admin):
        (await admin.create_topics(topic)).all()
        part = (topic, 0)
        (await admin.alter_share_group_offsets(topic, {part: 1})).all()
        found = (await admin.list_share_group_offsets(topic))[topic][part]
        assert found.start_offset == 1
        (await admin.delete_share_group_offsets(topic, [topic])).all()

    asked(around, work)
