"""How many records of its topics a pipeline has not read yet, for the lines of its progress.

The cluster is asked once for each batch, with little patience: progress never holds a batch up for
long, and a cluster that does not answer shows soon enough where it matters.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.programs.pipelines.route import Route
from moldau.spark.options import read_options
from moldau.spark.source.connections import connection_to
from moldau.spark.source.positions import Positions

__all__ = ["lag_behind"]

PATIENCE = {
    "default.api.timeout.ms": "2000",
    "request.timeout.ms": "2000",
    "socket.connection.setup.timeout.ms": "2000",
}


def lag_behind(route: Route, ends: Mapping[TopicPartition, int]) -> int | None:
    """Offsets between these ends and those of the topics; None where that cannot be known."""
    if not ends:
        return None
    options = read_options(route.source_options(), streaming=True)
    try:
        positions = Positions(connection_to({**options.connection, **PATIENCE}), options)
        latest = positions.latest(positions.partitions())
    except MoldauError:
        return None
    return sum(max(end - ends.get(part, 0), 0) for part, end in latest.items())
