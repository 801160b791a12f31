"""Transactions on a loop; what they do in full is tested through the blocking twin."""

from __future__ import annotations

import pytest

from moldau.client import ClientError
from tests.client.aio.admin.test_asking import asked


def test_calls_about_transactions(around, topic):
    async def work(admin):
        (await admin.create_topics(topic)).all()
        part = (topic, 0)
        assert (await admin.describe_producers([part])).all() == {part: ()}
        assert topic not in await admin.list_transactions()
        assert list((await admin.describe_transactions(topic)).errors) == [topic]
        assert (await admin.fence_producers(topic))[topic].producer_epoch == 0
        await admin.force_terminate_transaction(topic)
        with pytest.raises(ClientError):
            await admin.abort_transaction(
                ("no-such", 0), producer_id=1, producer_epoch=1, coordinator_epoch=1
            )

    asked(around, work)
