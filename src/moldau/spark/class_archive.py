"""Java's classes of Spark in an archive, from which sessions on one machine start sooner.

`moldau pipeline prepare` makes it: a session of its own runs what most first queries run
(`rehearsal`), and Java writes the classes that it has by then as it ends. From then on `session`
starts Java with the archive. It takes about 185 MB in the user's folder of caches. One of another
Java or another PySpark is not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.platform.system.class_archive import ClassArchive
from moldau.platform.system.java import ends_with_its_input, find_java
from moldau.platform.system.process import environment
from moldau.spark.errors import SparkSetupError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

__all__ = ["archive_of_spark", "make_archive"]

ENDS_S = 120
"""Java writes 185 MB as it ends."""


def archive_of_spark() -> ClassArchive | None:
    """Where it is, or would be; None where there is no Java."""
    import pyspark

    java = find_java()
    if java is None:
        return None
    installed, _, _ = pyspark.__file__.rpartition("/")
    home = environment().get("SPARK_HOME", installed)
    return ClassArchive.of("spark", java, f"{home}/jars")


def make_archive(start: Callable[[str], SparkSession]) -> ClassArchive:
    """Make it, anew if it is there; `start` starts a session whose Java has these options."""
    archive = archive_of_spark()
    assert archive is not None, "the caller has ensured that there is a Java"
    with archive.being_made() as flags:
        _run_and_end(start(" ".join(flags)))
    if not archive.is_there:
        raise SparkSetupError(
            f"Java wrote no archive to {archive.path}: it does so only for a class path of jars, so"
            " unset SPARK_CONF_DIR if it is set, and see that the disk is not full"
        )
    return archive


def _run_and_end(spark: SparkSession) -> None:
    from pyspark import SparkContext

    from moldau.spark.rehearsal import rehearse

    gateway = SparkContext._gateway
    assert gateway is not None, "the session has one"
    try:
        rehearse(spark)
    finally:
        spark.stop()
    if not ends_with_its_input(gateway.proc, ENDS_S):
        raise SparkSetupError(
            f"Java did not end within {ENDS_S} s and wrote no archive: try again on a machine that"
            " is less busy"
        )
