"""A generator that fails is reported with its last lines, and nothing stays behind."""

from __future__ import annotations

import pytest

from bench.versus.generators.running import echo_server, generate
from bench.versus.load import LoadFailedError


def test_what_a_generator_prints_is_handed_back():
    with echo_server() as (_, port):
        options = ("--connections", 2, "--seconds", 0.05, "--unread")
        (found,) = generate("one_at_a_time", port, "produce", "t", *options)
    assert found["seconds"] >= 0.05


def test_a_generator_that_fails_says_why():
    with pytest.raises(LoadFailedError, match="one_at_a_time left with 1"):
        generate("one_at_a_time", 1, "produce", "t")


def test_one_that_takes_too_long_is_ended():
    options = ("--seconds", 30, "--unread")
    with echo_server() as (_, port), pytest.raises(LoadFailedError, match="took more than"):
        generate("one_at_a_time", port, "produce", "t", *options, timeout_s=0.5)
