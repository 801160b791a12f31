"""Covers moldau.programs.tools.spark_session, as far as it goes without Spark."""

from __future__ import annotations

import logging
from argparse import ArgumentParser

import pytest

from moldau.errors import MoldauError
from moldau.programs.tools.spark_session import (
    QUERY_LOGGERS,
    declare_spark,
    mute_queries,
    muted,
    pairs,
)


def options(*arguments):
    parser = ArgumentParser()
    declare_spark(parser)
    return parser.parse_args(arguments)


def test_spark_is_local_and_quiet_unless_asked_for_more():
    assert (options().master, options().spark_log, options().conf) == ("local[*]", "off", [])
    assert options("--spark-log", "info").spark_log == "info"


def test_pairs_keep_what_is_behind_the_first_sign():
    assert pairs("--conf", ["a=b=c", "d="]) == {"a": "b=c", "d": ""}


def test_a_pair_without_a_value_is_refused():
    with pytest.raises(MoldauError, match="--conf takes NAME=VALUE, and not 'heap'"):
        pairs("--conf", ["heap"])


def test_a_logger_is_muted_for_a_while(caplog):
    log = logging.getLogger("moldau.tests.muted")
    with muted(log.name):
        log.error("within")
    log.error("after")
    assert [record.message for record in caplog.records] == ["after"]


@pytest.mark.parametrize("name", QUERY_LOGGERS)
def test_an_error_of_a_query_is_not_written_beside_what_is_raised(name, capfd):
    logger_module = pytest.importorskip("pyspark.logger")
    mute_queries()
    logger_module.PySparkLogger.getLogger(name).exception("no such column", errorClass="UNRESOLVED")
    assert capfd.readouterr() == ("", "")
