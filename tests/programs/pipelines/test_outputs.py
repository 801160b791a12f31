"""A batch is in each of its topics once."""

from __future__ import annotations

import pytest

from moldau.programs.pipelines.outputs import OutputTopics
from tests.spark.sink.reading import read_committed


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_a_batch_that_comes_again_adds_nothing_and_another_topic_is_none_of_its_business(
    spark, topics
):
    first, second = topics.make(1), topics.make(1)
    rows = spark.range(3).selectExpr("cast(id as string) as value")
    outputs = OutputTopics(topics.bootstrap, {"includeHeaders": "true"}, "q")
    for topic in (first, first, second):
        outputs.send(topic, rows, 4)
    assert len(read_committed(topics.bootstrap, first)) == 3
    assert len(read_committed(topics.bootstrap, second)) == 3
