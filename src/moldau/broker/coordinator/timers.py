"""Timers of a shard: named moments, and what is to be decided when they come.

They are volatile: a shard that is loaded sets them anew. Setting a timer again moves it. The
action of a due timer looks at the state as it is then, so a timer that has lost its meaning does
no harm; still, the end of a wait cancels its timer, so that the heap stays small.

One call of `run_due` ends with the first action from which something follows: the next one shall
see its records applied. It is due at once, and the runtime comes back for it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from typing import Final

from moldau.broker.coordinator.shard import NOTHING, Decision

Action = Callable[[int], Decision]
"""Takes the time that it is; what it decides is appended as for a request."""

STALE_ENTRIES_MAX: Final = 1000
"""Moved and cancelled timers that may lie in the heap before it is built anew."""


class Timers:
    """What is to happen when."""

    def __init__(self) -> None:
        self._actions: dict[Hashable, tuple[int, int, Action]] = {}
        self._heap: list[tuple[int, int, Hashable]] = []
        self._serial = 0

    def __len__(self) -> int:
        return len(self._actions)

    def __contains__(self, name: Hashable) -> bool:
        return name in self._actions

    def __repr__(self) -> str:
        return f"Timers({len(self)} set, next at {self.next_at_ms()})"

    def schedule(self, name: Hashable, due_ms: int, action: Action) -> None:
        """Run `action` at `due_ms`; a timer of the same name is replaced."""
        self._serial += 1
        self._actions[name] = (due_ms, self._serial, action)
        heapq.heappush(self._heap, (due_ms, self._serial, name))
        if len(self._heap) > 2 * len(self._actions) + STALE_ENTRIES_MAX:
            self._rebuild()

    def cancel(self, name: Hashable) -> None:
        """Forget it; one that is not set is fine."""
        self._actions.pop(name, None)

    def due_at_ms(self, name: Hashable) -> int | None:
        """When this timer is due, if it is set."""
        return self._actions[name][0] if name in self._actions else None

    def next_at_ms(self) -> int | None:
        """When the next timer is due."""
        while self._heap and not self._is_set(self._heap[0]):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def run_due(self, now_ms: int) -> Decision:
        """Run what is due, up to the first action from which something follows."""
        while (due_ms := self.next_at_ms()) is not None and due_ms <= now_ms:
            _, _, name = heapq.heappop(self._heap)
            decision = self._actions.pop(name)[2](now_ms)
            if decision.records or decision.replies or decision.effects:
                return decision
        return NOTHING

    def _is_set(self, entry: tuple[int, int, Hashable]) -> bool:
        due_ms, serial, name = entry
        found = self._actions.get(name)
        return found is not None and found[1] == serial and found[0] == due_ms

    def _rebuild(self) -> None:
        self._heap = [(due, serial, name) for name, (due, serial, _) in self._actions.items()]
        heapq.heapify(self._heap)
