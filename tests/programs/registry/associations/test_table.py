"""Associations by subject, by id and by name, as their records come."""

from moldau.programs.registry.associations.records import (
    Association,
    Resource,
    association_record,
    association_tombstone,
)
from moldau.programs.registry.associations.table import Associations, fitting


def weak(name, namespace="c1", kind="value", subject="s", number="1"):
    resource = Resource(name, namespace, f"{namespace}-{name}-{number}", "topic")
    return Association("g", resource, kind, subject, "WEAK", False)


def applied(table, record, timestamp_ms=1):
    table.apply(record.key, record.value, timestamp_ms)


def table_of(*associations):
    table = Associations()
    for one in associations:
        applied(table, association_record(one))
    return table


def places(found):
    return [one.place for one in found]


def test_they_are_found_by_each_name():
    here, there, other = weak("a"), weak("a", "c2"), weak("b", subject="t")
    table = table_of(other, there, here)
    assert places(table.of_subject("s")) == [here.place, there.place]
    assert places(table.named("a", "c1", "topic")) == [here.place]
    assert places(table.named("a", "-", "topic")) == [here.place, there.place]
    assert places(table.of_resource("c1-b-1", "topic")) == [other.place]
    assert table.of_resource("c1-b-1", "cluster") == []


def test_a_tombstone_ends_it_everywhere():
    table = table_of(weak("a"))
    applied(table, association_tombstone(weak("a")))
    assert not len(table)
    assert table.of_subject("s") == table.named("a", "-", "topic") == []


def test_it_keeps_the_time_of_its_first_record():
    table = table_of(weak("a"))
    applied(table, association_record(weak("a", number="2")), 7)
    (found,) = table.of_subject("s")
    assert (found.created_ms, found.updated_ms) == (1, 7)
    assert table.of_resource("c1-a-1", "topic") == []  # it is another topic's now


def test_kinds_and_lifecycles_are_chosen():
    key, value = weak("a", kind="key"), weak("a")
    assert fitting([key, value]) == [key, value]
    assert fitting([key, value], ["key"]) == [key]
    assert fitting([key, value], (), "STRONG") == []
