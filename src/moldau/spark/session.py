"""A Spark session with what our formats need, or one sentence about what is missing.

PySpark leaves three things to its users that fail late and without a reason: Java has to be there,
the workers have to be the driver's own interpreter, and a local session has to bind to loopback.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from moldau.errors import MissingExtraError
from moldau.platform.system.host import cores
from moldau.platform.system.java import find_java, java_version
from moldau.platform.system.pod import own_pod
from moldau.platform.system.process import environment, put_interpreter_first
from moldau.spark.class_archive import JAVA_OPTIONS, make_archive, with_archive
from moldau.spark.errors import SparkSetupError, sentence_of
from moldau.spark.format_variables import variables_of_streams
from moldau.spark.gateway import reason_in, start_quietly
from moldau.spark.kubernetes import ask, is_kubernetes, settings_in
from moldau.spark.pods import await_executor
from moldau.spark.worker_python import load_ahead, name_worker_python

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from moldau.platform.system.class_archive import ClassArchive
    from moldau.platform.system.drain import Drain

OLDEST_JAVA = 17
"""What Spark 4 is compiled for."""
PUSHDOWN = "spark.sql.python.filterPushdown.enabled"
"""Off by default, and Spark refuses a source that could push filters down while it is off."""
POOLS = f"file://{__file__.rpartition('/')[0]}/pools.xml"
FIRST_POOL = "soon"
"""Whose tasks go before all others."""
EVERYWHERE = {
    PUSHDOWN: "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.scheduler.mode": "FAIR",
    "spark.scheduler.allocation.file": POOLS,
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}
"""Arrow wherever rows cross to Python, one time zone, the state store that `transformWithState`
asks for, whose batches end with what they changed and not with files of all of it, and tasks of
queries side by side where each has a pool (without one, as ever)."""
ON_ONE_MACHINE = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    JAVA_OPTIONS: (
        "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=10000"
        " -XX:Tier4CompileThreshold=100000"
    ),
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing"
        ".FileSystemBasedCheckpointFileManager"
    ),
}
"""Java's second compiler has what runs for each record, and not what runs for each batch: the code
by which Spark plans is so much that it was still being compiled two minutes into a stream, on the
processors that the batches need.

Spark's usual manager of checkpoints starts four processes, `readlink`, for every file that it
renames on a local disk. This one renames as well, and is what Spark takes where it has no other."""
NO_SPARK = "PySpark is not installed: in a checkout of Moldau, pip install '.[spark]'"


def session(
    master: str = "local[*]", *, name: str = "moldau", quiet: bool = False, **conf: object
) -> SparkSession:
    """A session on `master` that knows our formats; the one that runs already, if one does.

    Further settings are given as `spark_executor_memory="2g"` or `**{"spark.executor.memory": …}`.
    A `quiet` one keeps what Java and Spark write to standard error to itself.
    """
    sessions = _pyspark_session()
    ensure_java()
    settings = {"spark.app.name": name, "spark.master": master, **settings_for(master, conf)}
    if is_kubernetes(master):
        put_interpreter_first()
    else:
        name_worker_python(is_local=master.startswith("local"))
        load_ahead()
    written = start_quietly(settings) if quiet else None
    if is_kubernetes(master):
        _ask_for_pods(master, settings)  # in the Java that runs by now, else in one of its own
    return _made(sessions, settings, written)


def _made(
    sessions: type[SparkSession], settings: dict[str, str], written: Drain | None
) -> SparkSession:
    from py4j.protocol import Py4JError, Py4JNetworkError
    from pyspark.errors import PySparkException

    try:
        return _started(sessions, settings)
    except (ConnectionError, Py4JNetworkError) as error:
        reason = reason_in(written.start_of_all()) if written else "see above"
        raise SparkSetupError(f"Spark's Java process has ended: {reason}") from error
    except (Py4JError, PySparkException) as error:
        raise SparkSetupError(f"Spark did not start: {sentence_of(error)}") from error


def _started(sessions: type[SparkSession], settings: dict[str, str]) -> SparkSession:
    builder = sessions.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    made: SparkSession = builder.getOrCreate()
    master = settings["spark.master"]
    if is_kubernetes(master):
        _await_pods(made, master)
    return register(made)


def stop(spark: SparkSession) -> None:
    """Stop it, whether its Java process still lives or not."""
    from py4j.protocol import Py4JError

    with suppress(Py4JError, ConnectionError):
        spark.stop()


def _await_pods(made: SparkSession, master: str) -> None:
    try:
        await_executor(made, master)
    except SparkSetupError:
        made.stop()
        raise


def _ask_for_pods(master: str, settings: dict[str, str]) -> None:
    from pyspark import SparkConf

    ask(master, SparkConf(loadDefaults=False).setAll(list(settings.items())))


def register(spark: SparkSession) -> SparkSession:
    """Teach any session our formats; the session itself."""
    from moldau.spark import lake
    from moldau.spark.lag import LagListener
    from moldau.spark.source.source import TopicSource

    spark.conf.set(PUSHDOWN, "true")
    with variables_of_streams(spark):
        spark.dataSource.register(TopicSource)
    lake.register(spark)
    LagListener.add_to(spark)
    return spark


def settings_for(master: str, conf: dict[str, object]) -> dict[str, str]:
    """The session's settings: ours, then the caller's."""
    settings = dict(EVERYWHERE)
    if master.startswith("local"):
        settings |= ON_ONE_MACHINE
        settings |= with_archive(settings[JAVA_OPTIONS])
        settings["spark.sql.shuffle.partitions"] = str(cores_of(master))
    given = {_dotted(key): _written(value) for key, value in conf.items()}
    if is_kubernetes(master):
        settings |= settings_in(master, given, own_pod(), environment())
    return settings | given


def prepare_sessions() -> ClassArchive:
    """Make the archive from which later sessions on this machine start sooner."""
    _pyspark_session()
    ensure_java()

    def start(flags: str, settings: dict[str, str]) -> SparkSession:
        options = {JAVA_OPTIONS: f"{ON_ONE_MACHINE[JAVA_OPTIONS]} {flags}"}
        return session("local[2]", name="moldau prepare", quiet=True, **options, **settings)

    return make_archive(start)


def cores_of(master: str) -> int:
    """How many tasks run at once on a local master."""
    found = re.fullmatch(r"local(?:\[(\d+|\*)(?:,\d+)?\])?", master)
    if found is None:
        raise SparkSetupError(
            f"{master!r} is no local master: say local, local[4] or local[*], or the address of a"
            " cluster such as spark://HOST:7077"
        )
    wanted = found.group(1) or "1"
    return cores() if wanted == "*" else int(wanted)


def _dotted(key: str) -> str:
    return key if "." in key else key.replace("_", ".")


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _pyspark_session() -> type[SparkSession]:
    try:
        from pyspark.sql import SparkSession
    except ImportError as missing:
        raise MissingExtraError(NO_SPARK) from missing
    return SparkSession


def ensure_java() -> None:
    """Return if a Java is found that Spark can run on."""
    java = find_java()
    if java is None:
        raise SparkSetupError(
            f"Spark needs Java {OLDEST_JAVA} or later and none was found: install one (on Debian"
            " and Ubuntu: apt install openjdk-17-jre-headless) or set JAVA_HOME"
        )
    version = java_version(java)
    if version < OLDEST_JAVA:
        raise SparkSetupError(
            f"Spark needs Java {OLDEST_JAVA} or later and {java} is version {version}: set"
            " JAVA_HOME to a later one"
        )
