"""Loggers' levels are described and changed by Kafka's names."""

import logging

import pytest

from moldau.broker.server.config.logger_levels import DELETE, SET, change_level, check_level, levels
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

LOGGER = logging.getLogger("moldau.another_logger_of_this_test")


def test_a_level_is_set_reported_and_taken_back():
    before = levels()[LOGGER.name]
    check_level(LOGGER.name, SET, "FATAL")
    change_level(LOGGER.name, SET, "FATAL")
    assert (LOGGER.level, levels()[LOGGER.name]) == (logging.CRITICAL, "FATAL")
    change_level(LOGGER.name, DELETE, None)
    assert levels()[LOGGER.name] == before


@pytest.mark.parametrize(
    ("name", "operation", "value", "code"),
    [
        (LOGGER.name, 2, "INFO", ErrorCode.INVALID_REQUEST),
        ("root", DELETE, None, ErrorCode.INVALID_REQUEST),
        ("no.logger.of.ours", SET, "INFO", ErrorCode.INVALID_CONFIG),
        (LOGGER.name, SET, "LOUD", ErrorCode.INVALID_CONFIG),
    ],
)
def test_what_cannot_be_done_is_refused(name, operation, value, code):
    with pytest.raises(KafkaError) as refusal:
        check_level(name, operation, value)
    assert refusal.value.code == code


def test_the_loggers_of_a_package_are_changed_together():
    name = "moldau.some_package"
    below = logging.getLogger(f"{name}.some_module")
    try:
        assert name in levels()
        check_level(name, SET, "ERROR")
        change_level(name, SET, "ERROR")
        assert below.getEffectiveLevel() == logging.ERROR
        assert levels()[f"{name}.some_module"] == "ERROR"
    finally:
        change_level(name, DELETE, None)
