"""The topic of decisions is compacted."""

from __future__ import annotations

import pytest
from confluent_kafka.admin import AdminClient, ConfigResource

from moldau.spark.sink.topic import make_compacted

pytestmark = [pytest.mark.judge, pytest.mark.timeout(60)]


def test_it_is_made_once_with_one_partition(cluster):
    for _ in range(2):
        make_compacted({"bootstrap.servers": cluster.bootstrap}, "decided")
    admin = AdminClient({"bootstrap.servers": cluster.bootstrap})
    assert list(admin.list_topics("decided").topics["decided"].partitions) == [0]
    asked = admin.describe_configs([ConfigResource("topic", "decided")])
    settings = next(iter(asked.values())).result(30)
    assert settings["cleanup.policy"].value == "compact"
