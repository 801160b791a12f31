"""The Spark session of a command, and how loud it is."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from moldau.errors import MoldauError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["declare_pairs", "declare_spark", "mute_queries", "muted", "pairs", "spark_session"]

LOCAL = "local[*]"
LEVELS = ("off", "error", "warn", "info", "debug")
OFF = LEVELS[0]
QUIET_LEVEL = "ERROR"
"""Of what is not shown: if Spark does not start, the reason is looked for in it."""

QUERY_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""To which PySpark writes each error of a query as JSON, beside raising it."""


def declare_spark(parser: ArgumentParser) -> None:
    """The flags of every command that starts Spark."""
    parser.add_argument(
        "--master", default=LOCAL, metavar="URL", help="where Spark runs (default: %(default)s)"
    )
    parser.add_argument(
        "--spark-log",
        choices=LEVELS,
        default=OFF,
        help="how much Spark writes to standard error (default: %(default)s)",
    )
    declare_pairs(parser, "--conf", "a setting of Spark, such as spark.driver.memory=2g")


def declare_pairs(parser: ArgumentParser, flag: str, summary: str) -> None:
    """A flag that takes NAME=VALUE as often as needed."""
    parser.add_argument(
        flag, action="append", default=[], metavar="NAME=VALUE", help=f"{summary}; may be repeated"
    )


def pairs(flag: str, given: Sequence[str]) -> dict[str, str]:
    """What such a flag was given."""
    for text in given:
        if "=" not in text:
            raise MoldauError(f"{flag} takes NAME=VALUE, and not {text!r}")
    return dict(text.split("=", 1) for text in given)


@contextmanager
def spark_session(options: Namespace) -> Iterator[SparkSession]:
    """Spark as the flags say, until the end of the block."""
    is_quiet = options.spark_log == OFF
    level = QUIET_LEVEL if is_quiet else options.spark_log.upper()
    conf = {"spark.log.level": level, **pairs("--conf", options.conf)}
    made = import_module("moldau.spark").session(
        options.master, name="moldau pipeline", quiet=is_quiet, **conf
    )
    if is_quiet:
        mute_queries()
    try:
        yield made
    finally:
        import_module("moldau.spark.session").stop(made)


def mute_queries() -> None:
    """Nothing of errors that come as exceptions; the loggers have to be of PySpark's own class."""
    kind = import_module("pyspark.logger").PySparkLogger
    for name in QUERY_LOGGERS:
        kind.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def muted(name: str) -> Iterator[None]:
    """Nothing of this logger, where each failure comes as an error, too."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
