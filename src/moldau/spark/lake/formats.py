"""Teaches a Spark session the formats of the lake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.spark.format_variables import variables_of_streams

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> SparkSession:
    """The session, which now knows `moldau-delta` and `moldau-parquet`."""
    from moldau.spark.lake.delta import DeltaFormat
    from moldau.spark.lake.parquet import ParquetFormat

    with variables_of_streams(spark):
        spark.dataSource.register(DeltaFormat)
        spark.dataSource.register(ParquetFormat)
    return spark
