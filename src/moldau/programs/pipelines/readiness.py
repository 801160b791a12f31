"""What can be known before Spark starts and before the checkpoint is claimed.

Spark takes many seconds to start, and a query waits for a broker for a minute. A typo in an address
should not take that long, nor leave anything behind. So broker, topic, lake and checkpoint are
asked first, each with a few seconds to answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from moldau.client.errors import TimedOutError, UnknownTopicError, UnreachableError
from moldau.client.sync import Connection
from moldau.errors import StorageError
from moldau.platform.ports.files import Files
from moldau.programs.pipelines.checkpoints import Checkpoint, Owner
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.route import Route
from moldau.spark.lake.transactions import open_table
from moldau.spark.options import SourceOptions, read_options
from moldau.spark.source.positions import Positions

__all__ = ["ensure_ready"]

ANSWER_S = 5
ANSWER_LIMITS = {
    "default.api.timeout.ms": str(ANSWER_S * 1000),
    "request.timeout.ms": str(ANSWER_S * 1000),
    "socket.connection.setup.timeout.ms": str(ANSWER_S * 1000),
}
"""How long each question may take, unless the source's own options say otherwise."""
QUICK_STORE = {
    "max_retries": "2",
    "retry_timeout": f"{ANSWER_S}s",
    "timeout": f"{ANSWER_S}s",
    "connect_timeout": f"{ANSWER_S}s",
}
ADDRESS = "://"
FILE = "file://"
PROBE = ".moldau-probe"
TOPICS_SHOWN = 5


def ensure_ready(route: Route, pipeline: str, files: Files) -> None:
    """Return if the pipeline may start on this route; nothing is written but empty folders."""
    options = read_options(route.source_options(), streaming=True)
    checkpoint = _checkpoint(route, files)
    is_begun = checkpoint.landed(Owner(pipeline, route.topic, route.lake)) is not None
    _ask_broker(options, is_begun)
    _ask_lake(route, files)
    _ensure_writable(files, checkpoint.path, "checkpoint")


def _checkpoint(route: Route, files: Files) -> Checkpoint:
    if ADDRESS in route.checkpoint.removeprefix(FILE):
        raise PipelineError(
            f"the checkpoint {route.checkpoint} is an address: give a folder of this machine, or of"
            " a volume that is mounted on it"
        )
    return Checkpoint(route.checkpoint, files)


def _ask_broker(options: SourceOptions, is_begun: bool) -> None:
    """Ensure that it has the topics and, without a checkpoint, the offsets to start from."""
    with Connection({**ANSWER_LIMITS, **options.connection}) as connection:
        positions = Positions(connection, options)
        try:
            parts = positions.partitions()
            if not is_begun:
                positions.starting(parts)
        except (UnreachableError, TimedOutError) as error:
            cause = error.cause if isinstance(error, TimedOutError) else error
            raise PipelineError(
                f"no broker answers: {cause}; is it running, and is that where it listens?"
            ) from error
        except UnknownTopicError as error:
            raise PipelineError(f"{error}: {_near(error.topic, connection.topics())}") from error


def _near(topic: str, there: Mapping[str, object]) -> str:
    """What the user may have meant."""
    if not there:
        return "the cluster has no topic as yet, so create it first"
    near = get_close_matches(topic, there, 1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]}?"
    shown = ", ".join(sorted(there)[:TOPICS_SHOWN])
    return f"there are {shown}{', …' if len(there) > TOPICS_SHOWN else ''}"


def _ask_lake(route: Route, files: Files) -> None:
    if ADDRESS in route.lake:
        open_table(route.table("reconciliation"), {**QUICK_STORE, **route.storage})
    else:
        _ensure_writable(files, route.lake, "lake")


def _ensure_writable(files: Files, path: str, what: str) -> None:
    probe = f"{path}/{PROBE}"
    try:
        files.make_directory(path)
        files.open(probe, create=True).close()
        files.remove(probe)
    except StorageError as error:
        raise PipelineError(
            f"the {what} {path} cannot be written to: {error.reason}; give a folder that can"
        ) from error
