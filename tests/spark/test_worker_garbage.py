"""Covers moldau.spark.worker_garbage."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

import pytest

from moldau.spark import worker_garbage
from moldau.spark.worker_garbage import set_aside_what_is_loaded


@pytest.fixture
def set_aside(monkeypatch):
    monkeypatch.setattr(worker_garbage, "_modules", 0)
    yield gc.get_freeze_count
    gc.unfreeze()


def test_what_is_loaded_is_set_aside_once(set_aside):
    gc.unfreeze()
    set_aside_what_is_loaded()
    first = set_aside()
    assert first > 1_000
    kept: list[list[int]] = [[] for _ in range(1_000)]
    set_aside_what_is_loaded()
    assert set_aside() < first + len(kept) // 2


def test_what_a_new_module_brings_is_set_aside_too(set_aside, monkeypatch):
    set_aside_what_is_loaded()
    first = set_aside()
    kept: list[list[int]] = [[] for _ in range(1_000)]
    monkeypatch.setitem(sys.modules, "a_module_of_this_test", ModuleType("a_module_of_this_test"))
    set_aside_what_is_loaded()
    assert set_aside() > first + len(kept) // 2
