"""A priority queue with Java's order of equals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.group.streams.java_heap import JavaHeap


@given(st.lists(st.integers(0, 9)))
def test_the_least_comes_first(numbers):
    heap = JavaHeap(float, numbers)
    assert [heap.pop() for _ in range(len(heap))] == sorted(numbers)


def test_equals_come_as_in_java():
    heap: JavaHeap[str] = JavaHeap(lambda text: 0.0, "abcd")
    assert [heap.pop() for _ in range(4)] == ["a", "d", "c", "b"]
