"""Covers moldau.spark.format_variables."""

from __future__ import annotations

import pytest

from moldau.spark import lake
from moldau.spark.format_variables import PUT_BY_STREAMS


@pytest.mark.judge
@pytest.mark.timeout(300)
def test_what_a_stream_puts_into_the_variables_of_a_format_is_there_already(
    spark, topics, tmp_path
):
    """A map that grew while a task was written with it made the task unreadable."""
    lake.register(spark)  # as another test may have done
    formats = spark._jsparkSession.sessionState().dataSourceManager()
    variables = {
        name: formats.lookupDataSource(name).dataSourceCls().envVars()
        for name in ("moldau", "moldau-delta")
    }
    before = {name: set(each) for name, each in variables.items()}
    assert not PUT_BY_STREAMS.keys() & spark.sparkContext.environment.keys()
    query = (
        spark.readStream.format("moldau")
        .options(**{"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topics.make(1, 3)})
        .load()
        .writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert before["moldau"] >= PUT_BY_STREAMS.keys()
    assert before["moldau-delta"] >= PUT_BY_STREAMS.keys()
    assert set(variables["moldau"]) == before["moldau"]
