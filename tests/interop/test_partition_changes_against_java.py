"""Judge: Kafka's own PartitionChangeBuilder, over drawn partitions and wishes.

Elections, eligible replicas, the end of moves, epochs and directories: whatever a record could
name, both name the same, or both find that there is nothing to write.
"""

from __future__ import annotations

from random import Random

import pytest

from moldau.broker.controller.partitions.change import change_record
from moldau.broker.controller.partitions.target import Election, PartitionChange, Rules
from moldau.broker.metadata.topics import PartitionState
from tests.judges.java_programs import run_java

pytestmark = pytest.mark.judge

CASES = 5000
BROKERS = range(1, 6)


def directory(broker_id):
    return bytes(8) + (1000 + broker_id).to_bytes(8, "big")


def some(random, of):
    """A part of these, in their order."""
    return tuple(one for one in of if random.random() < 0.6)


def drawn(random):
    """A partition that could be, what is wanted of it, and what holds."""
    replicas = tuple(random.sample(BROKERS, random.randint(1, 4)))
    isr = some(random, replicas)
    elr = some(random, [one for one in replicas if one not in isr]) if random.random() < 0.6 else ()
    leader = random.choice([*isr, -1]) if isr else -1
    moving = random.random() < 0.3
    adding = some(random, replicas)[:2] if moving else ()
    state = PartitionState(
        replicas=replicas,
        directories=tuple(map(directory, replicas)),
        isr=isr,
        removing_replicas=tuple(set(some(random, replicas)) - set(adding)) if moving else (),
        adding_replicas=adding,
        leader=leader,
        recovery_state=int(random.random() < 0.1),
        eligible_leader_replicas=elr,
        last_known_elr=(random.choice(replicas),) if leader == -1 and random.random() < 0.5 else (),
    )
    return state, wish_for(random, state), random.randint(1, len(replicas)), random.random() < 0.8


def wish_for(random, state):
    new = tuple(random.sample(BROKERS, random.randint(1, 4)))
    moves = random.random() < 0.2
    return PartitionChange(
        isr=some(random, state.replicas) if random.random() < 0.7 else None,
        replicas=new if moves else None,
        removing=some(random, new)[:1] if moves else None,
        adding=some(random, new)[:1] if moves else None,
        election=random.choice(list(Election)),
        recovery_state=0 if state.recovery_state and random.random() < 0.5 else None,
        unclean_shutdown=frozenset(some(random, state.replicas)[:1])
        if random.random() < 0.2
        else frozenset(),
    )


def listed(values):
    return "-" if values is None else ",".join(map(str, values)) or "."


def question(state, change, min_isr, elr_enabled, alive):
    now = (
        listed(state.replicas),
        listed(state.isr),
        listed(state.removing_replicas),
        listed(state.adding_replicas),
        listed(state.eligible_leader_replicas),
        listed(state.last_known_elr),
        str(state.leader),
        str(state.recovery_state),
    )
    wanted = (
        listed(change.isr),
        listed(change.replicas),
        listed(change.removing),
        listed(change.adding),
        change.election.name,
        "-" if change.recovery_state is None else str(change.recovery_state),
        listed(sorted(change.unclean_shutdown)) if change.unclean_shutdown else "-",
    )
    return "\t".join((*now, *wanted, str(min_isr), str(elr_enabled).lower(), listed(alive)))


def our_answer(state, change, min_isr, elr_enabled, alive):
    rules = Rules(
        may_lead=lambda broker_id: broker_id in alive,
        default_directory=directory,
        min_isr=min_isr,
        elr_enabled=elr_enabled,
    )
    record = change_record(bytes(16), 0, state, change, rules)
    if record is None:
        return ""
    places = None
    if record.directories is not None:
        places = [int.from_bytes(place, "big") for place in record.directories]
    return "\t".join(
        (
            listed(record.isr),
            str(record.leader),
            listed(record.replicas),
            listed(record.removing_replicas),
            listed(record.adding_replicas),
            str(record.leader_recovery_state),
            listed(record.eligible_leader_replicas),
            listed(record.last_known_elr),
            listed(places),
        )
    )


def test_kafka_would_write_the_same_record(kafka_libs, tmp_path, seed):
    random = Random(seed)
    cases = [(*drawn(random), some(random, BROKERS)) for _ in range(CASES)]
    asked = tmp_path / "changes"
    asked.write_text("".join(question(*case) + "\n" for case in cases))
    ran = run_java(kafka_libs, "JudgePartitionChanges", asked)
    assert ran.returncode == 0, ran.stderr
    theirs = ran.stdout.split("\n")[:CASES]
    wrong = [
        f"{question(*case)}\n  Kafka: {their}\n  ours:  {our}"
        for case, their in zip(cases, theirs, strict=True)
        if their != (our := our_answer(*case))
    ]
    assert not wrong, f"{len(wrong)} of {CASES}, such as\n" + "\n".join(wrong[:5])
