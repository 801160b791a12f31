"""Which Python runs Spark's workers on this machine, and what it has loaded before they start.

Spark puts its Python sources before all else on the path of its workers, as zip files without
compiled code. So every process of a worker compiles PySpark, which takes it a second, and a first
query starts four of them one after the other. Where the same PySpark is installed, the script
beside this file takes those files off the path, and is otherwise the interpreter.

What is left is to import PySpark, Arrow and the source, half a second to a second for each process.
It is done once, in a process that starts with a session (`fork_server`) while Java starts, and
becomes each of those that Spark runs by the script. Where a worker has to have other variables than
that process, or another directory, it starts by itself.
"""

from __future__ import annotations

from contextlib import suppress

from moldau.platform.system.fork_server import can_fork, start
from moldau.platform.system.host import interpreter
from moldau.platform.system.process import environment, is_program, put_variable

__all__ = ["LAUNCHER", "LOADED", "SOCKET", "load_ahead", "name_worker_python"]

LAUNCHER = __file__.removesuffix(".py") + ".sh"
NAMED = "PYSPARK_PYTHON"
BESIDE_DRIVER = "PYSPARK_DRIVER_PYTHON"
"""Spark runs this one to look up formats that are installed, when a session starts."""
REAL = "MOLDAU_WORKER_PYTHON"
SOCKET = "MOLDAU_WORKER_SOCKET"
RUN = ("pyspark.daemon", "pyspark.sql.streaming.python_streaming_source_runner")
"""What Spark starts: a process that forks workers, one for each kind of work; and for each stream a
process that plans its batches."""
LOADED = (
    "pyspark.worker",
    "pyspark.sql.worker.lookup_data_sources",
    "pyspark.sql.worker.create_data_source",
    "pyspark.sql.worker.plan_data_source_read",
    "moldau.spark.source.source",
    "moldau.client.arrow",
    "pyspark.sql.worker.data_source_pushdown_filters",
    "pyspark.sql.worker.write_into_data_source",
    "pyspark.sql.worker.commit_data_source_write",
    "pyspark.sql.datasource_internal",
    "moldau.spark.lake.delta",
    "moldau.spark.lake.parquet",
)
"""What these import, in the order in which a first query needs it.

Nothing that draws random numbers when it is imported, as pandas has NumPy do: workers would draw
the same ones."""
OF_SPARK = ("SPARK_", "_SPARK_", "PYSPARK_", "_PYSPARK_", "PYTHON_", "MOLDAU_WORKER_")
"""Beginnings of variables that are set for a worker, and that nothing reads when it is imported."""
AS_IN_TASKS = {"PYTHONUNBUFFERED": "YES", "OMP_NUM_THREADS": "1"}
"""What Spark sets for the Python that runs tasks."""
SEED = "PYTHONHASHSEED"


def name_worker_python(*, is_local: bool) -> None:
    """Have Spark run this interpreter, unless the user has named another one."""
    named = environment().get(NAMED)
    if named in (None, LAUNCHER):
        named = LAUNCHER if is_local and _is_installed() else interpreter()
        put_variable(NAMED, named)
        put_variable(REAL, interpreter())
    if environment().get(BESIDE_DRIVER) in (None, LAUNCHER):
        put_variable(BESIDE_DRIVER, LAUNCHER if named == LAUNCHER else interpreter())


def load_ahead() -> None:
    """Start the process from which workers are forked, before Java is started that runs them."""
    if environment().get(NAMED) != LAUNCHER or not can_fork() or _has_java():
        return
    seed = environment().get(SEED, "0")  # as Spark has it in tasks
    with suppress(OSError):  # workers start by themselves
        put_variable(SOCKET, start(RUN, LOADED, OF_SPARK, {**AS_IN_TASKS, SEED: seed}))


def _has_java() -> bool:
    from pyspark import SparkContext

    return SparkContext._gateway is not None


def _is_installed() -> bool:
    """Whether what Spark would put on the path is what this interpreter has."""
    import pyspark

    installed, _, _ = pyspark.__file__.rpartition("/")
    home = environment().get("SPARK_HOME", installed)
    return home.rstrip("/") == installed and is_program(LAUNCHER)
