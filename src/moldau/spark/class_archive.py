"""Java's classes of Spark in an archive, from which sessions on one machine start sooner.

`moldau pipeline prepare` makes it: a session of its own runs what most first queries run
(`rehearsal`), and Java writes the classes that it has by then as it ends. From then on `session`
starts Java with the archive. It takes about 185 MB in the user's folder of caches. One of another
Java or another PySpark is not used.

Janino, which compiles the code that Spark generates for a query, comes in signed jars, of which no
archive has classes. Copies without the signatures lie beside the archive, and are first on the
class path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.platform.system.class_archive import ClassArchive
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.java import ends_with_its_input, find_java
from moldau.platform.system.process import environment
from moldau.platform.system.unsigned_jars import class_path, copies_in, copy_signed_jars
from moldau.spark.errors import SparkSetupError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

__all__ = ["CLASS_PATH", "JAVA_OPTIONS", "archive_of_spark", "make_archive", "with_archive"]

JAVA_OPTIONS = "spark.driver.extraJavaOptions"
CLASS_PATH = "spark.driver.extraClassPath"

ENDS_S = 120
"""Java writes 185 MB as it ends."""


def archive_of_spark() -> ClassArchive | None:
    """Where it is, or would be; None where there is no Java."""
    java = find_java()
    return None if java is None else ClassArchive.of("spark", java, _jars())


def with_archive(options: str) -> dict[str, str]:
    """Settings with these options of Java, and those by which it takes classes from an archive."""
    archive = archive_of_spark()
    copies = None if archive is None else copies_in(archive.folder, _jars())
    if archive is None or copies is None or not archive.is_there or _is_configured():
        return {JAVA_OPTIONS: options}
    return {JAVA_OPTIONS: " ".join((options, *archive.flags)), **_first(copies)}


def make_archive(start: Callable[[str, dict[str, str]], SparkSession]) -> ClassArchive:
    """Make it, anew if it is there; `start` starts a session with these options of Java, too, and
    these settings."""
    archive = archive_of_spark()
    assert archive is not None, "the caller has ensured that there is a Java"
    copy_signed_jars(_jars(), archive.folder)
    with archive.being_made() as flags:
        _run_and_end(start(" ".join(flags), _first(copies_in(archive.folder, _jars()))))
    if not archive.is_there:
        raise SparkSetupError(
            f"Java wrote no archive to {archive.path}: it does so only for a class path of jars, so"
            " unset SPARK_CONF_DIR if it is set, and see that the disk is not full"
        )
    return archive


def _home() -> str:
    import pyspark

    installed, _, _ = pyspark.__file__.rpartition("/")
    return environment().get("SPARK_HOME", installed)


def _jars() -> str:
    return f"{_home()}/jars"


def _is_configured() -> bool:
    """Whether a file may set a class path, which is not ours to replace. Its folder is on the class
    path, too, and Java uses no archive where a folder there is not empty."""
    defaults = f"{_home()}/conf/spark-defaults.conf"
    return "SPARK_CONF_DIR" in environment() or SystemFiles().status(defaults) is not None


def _first(jars: list[str] | None) -> dict[str, str]:
    return {CLASS_PATH: class_path(jars)} if jars else {}


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
