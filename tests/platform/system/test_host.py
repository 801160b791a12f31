"""What the machine is called, and what it allows."""

from __future__ import annotations

import os
import time
from resource import RLIMIT_NOFILE, getrlimit, setrlimit

import pytest

from moldau.platform.system import host
from moldau.platform.system.host import (
    cores,
    host_name,
    local_fields,
    take_all_descriptors,
    terminal_columns,
    usable_cores,
    utc_text,
)


def test_the_machine_has_a_name():
    assert host_name()


def test_as_many_descriptors_are_taken_as_are_allowed():
    soft, hard = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (min(soft, hard) - 1, hard))
    try:
        assert take_all_descriptors() == hard
    finally:
        setrlimit(RLIMIT_NOFILE, (soft, hard))


def test_a_machine_has_cores():
    assert cores() >= 1


@pytest.mark.parametrize(
    ("quota", "allowed"), [("50000 100000", 0.5), ("max 100000", None), (None, None)]
)
def test_a_container_may_use_what_its_quota_allows(tmp_path, monkeypatch, quota, allowed):
    file = tmp_path / "cpu.max"
    if quota is not None:
        file.write_text(quota)
    monkeypatch.setattr(host, "CPU_QUOTA", file)
    assert usable_cores() == (allowed or len(os.sched_getaffinity(0)))


def test_a_generous_quota_adds_no_core(tmp_path, monkeypatch):
    file = tmp_path / "cpu.max"
    file.write_text("100000000 100000")
    monkeypatch.setattr(host, "CPU_QUOTA", file)
    assert usable_cores() == len(os.sched_getaffinity(0))


def test_a_terminal_is_as_wide_as_it_says(monkeypatch):
    monkeypatch.setenv("COLUMNS", "33")
    assert terminal_columns() == 33


def test_a_time_has_the_fields_of_this_machines_zone():
    assert local_fields(0) == time.localtime(0)[:6]


def test_a_time_is_written_as_that_of_greenwich(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert utc_text(1_700_000_000) == "2023-11-14T22:13:20"
