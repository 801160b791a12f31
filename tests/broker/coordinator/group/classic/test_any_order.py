"""Whatever happens in whatever order, a classic group keeps its promises.

Clients step, fall silent, leave and return, time goes by, coordinators move, appends are refused,
all as drawn. At every moment no two members of a generation own the same partition; in the end
every client that waits is answered, the living agree on one generation that shares everything out,
and another coordinator reads the same group from the log.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.clients import PARTITIONS, Client
from tests.broker.coordinator.group.coordinator import Coordinator, SomeSettings

CLIENTS = 4
ROUNDS_MAX = 400
STEP_MS = 1_000

CLIENT = st.integers(0, CLIENTS - 1)
TROUBLES = {
    "silence": CLIENT,
    "leave": CLIENT,
    "return": CLIENT,
    "refuse": st.integers(0, 1),
    "move": st.just(0),
    "pass": st.integers(1, 15_000),
}
PROGRESS = st.one_of(
    st.tuples(st.just("round"), st.integers(0, 4_000)),
    st.tuples(st.just("step"), CLIENT),
)


def actions(*, with_refusals: bool = True) -> st.SearchStrategy[list[tuple[str, int]]]:
    """Two thirds progress: without it no client gets far enough to be disturbed."""
    troubles = [
        st.tuples(st.just(word), number)
        for word, number in TROUBLES.items()
        if with_refusals or word != "refuse"
    ]
    return st.lists(st.one_of(PROGRESS, PROGRESS, st.one_of(troubles)), min_size=20, max_size=60)


class World:
    """A group, its clients, and what they were given in each generation."""

    def __init__(self) -> None:
        self.coordinator = Coordinator(
            SomeSettings(group_initial_rebalance_delay_ms=2_000)
        ).restarted()
        self.clients = [Client("a"), Client("b"), *(Client(None) for _ in range(CLIENTS - 2))]
        self.owners: dict[tuple[int, int], set[str]] = {}

    def do(self, action: str, number: int) -> None:
        match action:
            case "step":
                self.clients[number].step(self.coordinator)
            case "round":
                for client in self.clients:
                    client.step(self.coordinator)
                self.coordinator.pass_ms(number)
            case _:
                self.trouble(action, number)
        self.check_owners()

    def trouble(self, action: str, number: int) -> None:
        match action:
            case "pass":
                self.coordinator.pass_ms(number)
            case "silence":
                self.clients[number].fall_silent()
            case "leave":
                self.clients[number].leave(self.coordinator)
            case "return":
                self.clients[number].come_back()
            case "refuse":
                self.coordinator.broken = ErrorCode.COORDINATOR_NOT_AVAILABLE if number else None
            case _:
                self.move()

    def move(self) -> None:
        self.coordinator = self.coordinator.restarted()
        for client in self.clients:
            client.lose_the_coordinator()

    def check_owners(self) -> None:
        """A partition has one owner in a generation; a successor under a new id is the same one."""
        for client in self.clients:
            for partition in client.owned or ():
                name = client.instance or client.member_id
                owners = self.owners.setdefault((client.generation, partition), set())
                owners.add(name)
                assert len(owners) == 1, f"{owners} own {partition} in {client.generation}"

    def settle(self) -> None:
        """Let the living go on, in turn, until they agree."""
        self.coordinator.broken = None
        for _ in range(ROUNDS_MAX):
            for client in self.clients:
                client.step(self.coordinator)
            self.coordinator.pass_ms(STEP_MS)
            self.check_owners()
            if self.is_settled():
                return
        raise AssertionError(f"they never agreed: {self.clients}")

    def is_settled(self) -> bool:
        living = [client for client in self.clients if client.is_alive]
        waiting = [reply for reply in self.coordinator.asked.values() if reply.is_waiting]
        group = self.group()
        return (
            not waiting
            and self.coordinator.state() in ("Stable", "Empty", "Dead")
            and all(client.phase == "beat" for client in living)
            and set(group.members if group else ()) == {client.member_id for client in living}
            and {client.generation for client in living} <= {group.generation if group else 0}
        )

    def group(self) -> ClassicGroup | None:
        group = self.coordinator.shard.groups.by_id.get("g")
        assert group is None or isinstance(group, ClassicGroup)
        return group


@settings(deadline=None)
@given(actions())
def test_the_living_agree_in_the_end_and_none_owns_what_another_owns(drawn):
    world = World()
    for action, number in drawn:
        world.do(action, number)
    world.settle()
    living = [client for client in world.clients if client.is_alive]
    owned = sorted(partition for client in living for partition in client.owned or ())
    assert owned == (list(range(PARTITIONS)) if living else [])


@settings(deadline=None)
@given(actions(with_refusals=False))
def test_another_coordinator_reads_the_same_group(drawn):
    # That a group is empty may fail to be written; then, as in Kafka, its last members are there
    # again at the next coordinator, and time out.
    world = World()
    for action, number in drawn:
        world.do(action, number)
    world.settle()
    before = world.group()
    world.move()
    after = world.group()
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert after.state is before.state
        assert (after.generation, after.leader_id) == (before.generation, before.leader_id)
        assert [(one.member_id, one.assignment) for one in after.members.values()] == [
            (one.member_id, one.assignment) for one in before.members.values()
        ]
