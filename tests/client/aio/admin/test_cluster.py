"""The cluster on a loop; what it does in full is tested through the blocking twin."""

from __future__ import annotations

import pytest

from moldau.client import RefusedError
from tests.client.aio.admin.test_asking import asked


def test_calls_about_the_cluster(around):
    async def work(admin):
        (node,) = (await admin.describe_cluster()).nodes
        assert list((await admin.broker_api_versions()).values) == [node.node_id]
        with pytest.raises(RefusedError, match="BROKER_ID_NOT_REGISTERED"):
            await admin.unregister_broker(77)

    asked(around, work)
