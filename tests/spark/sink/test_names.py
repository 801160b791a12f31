"""Transactional ids: few, and none twice at a time."""

from __future__ import annotations

from moldau.spark.sink.names import TransactionalIds, belongs_to, driver_of, family_of

FAMILY = family_of("moldau-spark", "query.7")


def test_an_id_is_free_again_in_the_next_batch_and_not_before():
    ids = TransactionalIds()
    first, second = ids.take(FAMILY, 4), ids.take(FAMILY, 4)
    assert first != second
    assert {ids.take(FAMILY, 5), ids.take(FAMILY, 5)} == {first, second}
    assert ids.take(FAMILY, 5) not in (first, second)


def test_no_two_processes_have_the_same():
    assert TransactionalIds().take(FAMILY, 0) != TransactionalIds().take(FAMILY, 0)


def test_an_application_knows_the_ids_of_its_tasks_alone():
    assert belongs_to(TransactionalIds().take(FAMILY, 0), FAMILY)
    assert not belongs_to(TransactionalIds().take(f"{FAMILY}.more", 0), FAMILY)
    assert not belongs_to(driver_of(FAMILY), FAMILY)
    assert not belongs_to("another", FAMILY)
