"""Topics on a node of ours and on Apache Kafka: each test that asks for them runs on both."""

from __future__ import annotations

import pytest

from tests.spark.topics import Topics


@pytest.fixture(scope="module", params=["broker", "running_kafka"], ids=["Moldau", "Apache Kafka"])
def topics(request):
    made = Topics(request.getfixturevalue(request.param).bootstrap)
    yield made
    made.close()
