"""While eligible replicas are kept, all agree on the minimum in sync."""

import pytest

from moldau.broker.controller.configs.min_isr import (
    check_min_isr,
    clear_elr_records,
    elr_safety_records,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from tests.broker.controller.conversation import Conversation

NAME = "min.insync.replicas"
WITHOUT_ELR = {"metadata.version": 30}


def record(kind, resource, value):
    return ConfigRecord(resource_type=kind, resource_name=resource, name=NAME, value=value)


def situation(levels=None, *records):
    cluster = Conversation(levels=levels, min_insync_replicas="2")
    cluster.write(records)
    return cluster.controller._situation(0, 0)


@pytest.mark.parametrize(
    ("change", "allowed"),
    [
        (record(4, "1", "2"), False),
        (record(4, "", None), False),
        (record(4, "", "2"), True),
        (record(2, "t", None), True),
    ],
)
def test_no_broker_has_its_own_and_that_of_all_stays(change, allowed):
    check_min_isr(change, situation(WITHOUT_ELR))
    if allowed:
        check_min_isr(change, situation())
    else:
        with pytest.raises(KafkaError):
            check_min_isr(change, situation())


def test_a_changed_minimum_clears_one_topic_or_all():
    cleared = clear_elr_records([record(2, "t", "1"), record(4, "", "1")], situation())
    assert [change.topic_name for change in cleared] == ["t", ""]
    assert clear_elr_records([record(2, "t", "1")], situation(WITHOUT_ELR)) == []


def test_before_eligible_replicas_begin_the_minimum_is_set_once_for_all():
    needed = elr_safety_records(situation(WITHOUT_ELR, record(4, "3", "1")))
    assert needed == [record(4, "", "2"), record(4, "3", None)]
    assert elr_safety_records(situation(WITHOUT_ELR, record(4, "", "1"))) == []
