"""Settings on a loop; what they do in full is tested through the blocking twin."""

from __future__ import annotations

from moldau.client.admin import ConfigResource
from tests.client.aio.admin.test_asking import asked


def test_calls_about_settings(around, topic):
    async def work(admin):
        (await admin.create_topics(topic)).all()
        resource = ConfigResource.topic(topic)
        (await admin.incremental_alter_configs({resource: {"retention.ms": "9"}})).all()
        entries = (await admin.describe_configs(resource))[resource]
        assert entries["retention.ms"].value == "9"
        assert resource in await admin.list_config_resources()
        assert topic not in await admin.list_client_metrics_resources()

    asked(around, work)
