"""Transactional ids and transactions that come and go are lines of the log."""

import logging

import pytest

from moldau.broker.server.transaction.changes import LoggedTransactionShard
from tests.broker.coordinator.transaction.stage import TIMEOUT_MS, Stage

LOGGER = "moldau.broker.server.transaction.changes"


@pytest.fixture
def stage(caplog):
    caplog.set_level(logging.INFO, LOGGER)
    made = Stage()
    made.shard = LoggedTransactionShard(made.world)
    made.carry_out(made.shard.loaded(made.now_ms))
    return made


def test_an_id_comes_and_what_it_aborts_is_reported(stage, caplog):
    who = stage.init("t")
    stage.add(who)
    who = stage.end(who, commit=False)
    stage.finish()
    assert caplog.messages == [
        f"Initialized transactional id t with producer id {who[0]} and epoch 0",
        f"Aborted the transaction of t, producer id {who[0]}",
    ]


def test_a_commit_is_the_ordinary_course(stage, caplog):
    who = stage.init("t")
    stage.add(who)
    who = stage.end(who)
    stage.finish()
    assert len(caplog.messages) == 1
    caplog.set_level(logging.DEBUG, LOGGER)
    stage.add(who)
    stage.end(who)
    stage.finish()
    assert caplog.messages[1:] == [f"Committed the transaction of t, producer id {who[0]}"]


def test_a_transaction_that_is_open_for_too_long_is_reported_with_its_timeout(stage, caplog):
    stage.add(stage.init("t"))
    stage.pass_time(2 * TIMEOUT_MS)
    stage.finish()
    assert caplog.messages[1:] == [
        f"The transaction of t is open for longer than {TIMEOUT_MS} ms, its timeout; aborting it",
        "Aborted the transaction of t, producer id 4000",
    ]


def test_an_id_that_expires_is_reported(stage, caplog):
    stage.init("t")
    stage.pass_time(2 * stage.world.settings.transactional_id_expiration_ms)
    assert caplog.messages[-1] == "Transactional id t has expired"


def test_what_is_loaded_is_no_news(stage, caplog):
    stage.init("t")
    caplog.clear()
    shard = LoggedTransactionShard(stage.world)
    shard.book.put(stage.transaction())
    stage.shard = shard
    stage.put(updated_ms=stage.now_ms)
    assert caplog.messages == []
