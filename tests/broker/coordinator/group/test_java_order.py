"""Sets in Java's order."""

from __future__ import annotations

from moldau.broker.coordinator.group.java_order import (
    ComputedKeys,
    JavaSet,
    id_hash,
    int_hash,
    presized_table,
    table_size_for,
    text_hash,
)


def test_small_numbers_stand_in_their_order_however_they_came():
    assert list(JavaSet(int_hash, [5, 0, 9, 3])) == [0, 3, 5, 9]


def test_numbers_wrap_around_at_the_size_of_the_table():
    assert list(JavaSet(int_hash, [20, 3, 17])) == [17, 3, 20]


def test_in_one_bucket_who_came_first_stands_first():
    assert list(JavaSet(int_hash, [33, 1, 17])) == [33, 1, 17]


def test_a_table_doubles_when_it_is_three_quarters_full():
    assert list(JavaSet(int_hash, [*range(12), 16])) == [*range(12), 16]
    assert list(JavaSet(int_hash, [*range(11), 16])) == [0, 16, *range(1, 11)]


def test_what_was_removed_is_gone_and_comes_back_last():
    numbers = JavaSet(int_hash, [1, 17])
    numbers.remove(1)
    assert list(numbers) == [17]
    numbers.add(1)
    assert list(numbers) == [17, 1]
    assert (len(numbers), 1 in numbers, 2 in numbers) == (2, True, False)


def test_copies_get_a_table_for_what_they_copy():
    assert [table_size_for(count) for count in (0, 11, 12, 24)] == [16, 16, 32, 64]
    assert [presized_table(count) for count in (0, 1, 2, 5)] == [1, 2, 4, 8]


def test_text_and_ids_are_hashed_as_in_java():
    assert text_hash("uniform") == -286926412
    assert id_hash(bytes(15) + b"\1") == 1
    assert id_hash(b"\0\0\0\1" + bytes(12)) == 1


def test_of_computed_keys_the_newest_stands_first_in_its_bucket():
    assert list(ComputedKeys(int_hash, [1, 0, 17, 33, 17])) == [0, 33, 17, 1]


def test_a_table_of_computed_keys_grows_when_it_is_next_asked():
    keys = ComputedKeys(int_hash, [*range(12), 16])
    assert list(keys) == [16, *range(12)]
    keys.add(5)
    assert list(keys) == [*range(12), 16]
