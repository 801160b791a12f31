"""A priority queue that gives equals back in the order in which Java's does.

Kafka's assignor asks such a queue who has least to do; many have equally little, and who of them
comes first decides where a task goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Element = TypeVar("Element")


class JavaHeap(Generic[Element]):
    """`java.util.PriorityQueue`: a binary heap in a list, with the least one in front."""

    def __init__(
        self, weight: Callable[[Element], float], elements: Iterable[Element] = ()
    ) -> None:
        self._weight = weight
        self._heap: list[Element] = []
        for element in elements:
            self.add(element)

    def __len__(self) -> int:
        return len(self._heap)

    def __repr__(self) -> str:
        return f"JavaHeap({self._heap!r})"

    def add(self, element: Element) -> None:
        """Put it last, and let it rise past those that weigh more."""
        place = len(self._heap)
        self._heap.append(element)
        while place > 0:
            parent = (place - 1) // 2
            if self._weight(element) >= self._weight(self._heap[parent]):
                break
            self._heap[place] = self._heap[parent]
            place = parent
        self._heap[place] = element

    def pop(self) -> Element:
        """Take the least one; the last one takes its place, and sinks."""
        least = self._heap[0]
        element = self._heap.pop()
        if self._heap:
            self._sink(element)
        return least

    def _sink(self, element: Element) -> None:
        place, count = 0, len(self._heap)
        while place < count // 2:
            child = 2 * place + 1
            if child + 1 < count and self._at(child) > self._at(child + 1):
                child += 1
            if self._weight(element) <= self._at(child):
                break
            self._heap[place] = self._heap[child]
            place = child
        self._heap[place] = element

    def _at(self, place: int) -> float:
        return self._weight(self._heap[place])
