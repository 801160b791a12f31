"""Many partitions are made as topics that a controller takes, if files enough may be open."""

from __future__ import annotations

import resource

import pytest

from bench.versus.cases.partitions import PER_TOPIC_MAX, raise_handle_limit, topic_sizes
from bench.versus.processes import SetupError


@pytest.mark.parametrize("partitions", [1, 999, 1_000, 1_001, 10_000])
def test_no_topic_is_too_large_and_none_is_missing(partitions):
    sizes = topic_sizes("t", partitions)
    assert sum(sizes.values()) == partitions
    assert max(sizes.values()) <= PER_TOPIC_MAX


def test_too_few_open_files_are_reported_in_one_sentence(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4_096))
    with pytest.raises(SetupError, match="10000 partitions need 16000 open files"):
        raise_handle_limit(10_000)


def test_the_limit_is_raised_as_far_as_it_may_be(monkeypatch):
    limits_set = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 20_000))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: limits_set.append(limits))
    raise_handle_limit(10_000)
    assert limits_set == [(20_000, 20_000)]
