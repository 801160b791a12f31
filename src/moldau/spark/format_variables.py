"""The variables that a format of ours has in Spark's workers, whole from when it is registered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["PUT_BY_STREAMS", "variables_of_streams"]

PUT_BY_STREAMS = {
    "SPARK_AUTH_SOCKET_TIMEOUT": "15",
    "SPARK_BUFFER_SIZE": "65536",
    "SPARK_LOCAL_DIRS": "/tmp",  # noqa: S108 - it is put over, as all of these
    "SPARK_PYTHON_RUNTIME": "PYTHON_WORKER",
}
"""Variables that are put over those of a format when a stream begins, with Spark's defaults."""


@contextmanager
def variables_of_streams(spark: SparkSession) -> Iterator[None]:
    """Formats that are registered meanwhile have the variables that Spark will put into them.

    Spark's runner of a stream puts some into the map of its format, which is written with each task
    of every query on the format. A task that was written while the map grew could not be read.
    """
    context = getattr(spark, "_sc", None)
    if context is None:  # Spark Connect: the map is made elsewhere
        yield
        return
    environment: dict[str, str] = context.environment
    before = dict(environment)
    environment.update(PUT_BY_STREAMS)
    try:
        yield
    finally:
        environment.clear()
        environment.update(before)
