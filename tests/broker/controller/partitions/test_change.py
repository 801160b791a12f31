"""A record names what differs and nothing else; what it leads to is always a sound partition."""

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.controller.partitions.change import change_record, changes_anything
from moldau.broker.controller.partitions.target import Election, PartitionChange, Rules
from moldau.broker.metadata.topics import PartitionState, changed_partition
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord

TOPIC_ID = bytes(15) + b"\x07"


def partition(**values):
    replicas = values.pop("replicas", (1, 2, 3))
    given = {
        "replicas": replicas,
        "directories": (bytes(16),) * len(replicas),
        "isr": replicas,
        "leader": 1,
    }
    return PartitionState(**{**given, **values})


def rules(alive=(1, 2, 3, 4), min_isr=2, **values):
    return Rules(
        may_lead=lambda broker_id: broker_id in alive,
        default_directory=lambda broker_id: bytes(16),
        min_isr=min_isr,
        **values,
    )


def change(state, asked, law=None):
    return change_record(TOPIC_ID, 0, state, asked, law or rules())


def test_a_wish_that_is_true_already_needs_no_record():
    assert change(partition(), PartitionChange(isr=(1, 2, 3))) is None
    assert not changes_anything(PartitionChangeRecord(topic_id=TOPIC_ID))


def test_a_smaller_set_alone_leaves_the_leader_epoch():
    record = change(partition(), PartitionChange(isr=(1, 2)))
    assert record == PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, isr=[1, 2])


def test_before_level_twelve_a_smaller_set_raised_the_leader_epoch():
    old = rules(bumps_epoch_on_isr_shrink=True)
    assert change(partition(), PartitionChange(isr=(1, 2)), old).leader == 1
    assert change(partition(isr=(1, 2)), PartitionChange(isr=(1, 2, 3)), old).leader == -2


def test_a_replica_that_leaves_below_the_minimum_stays_eligible():
    record = change(partition(isr=(1, 2)), PartitionChange(isr=(1,)))
    assert (record.isr, record.eligible_leader_replicas) == ([1], [2])
    back = change(changed_partition(partition(isr=(1, 2)), record), PartitionChange(isr=(1, 2)))
    assert (back.isr, back.eligible_leader_replicas) == ([1, 2], [])


def test_without_replicas_the_set_is_empty_and_the_last_leader_is_remembered():
    record = change(partition(isr=(1,)), PartitionChange(isr=()), rules(alive=()))
    assert (record.isr, record.leader) == ([], -1)
    assert (record.eligible_leader_replicas, record.last_known_elr) == ([1], [1])


def test_before_eligible_replicas_the_last_one_stays_in_the_set():
    record = change(
        partition(isr=(1,)), PartitionChange(isr=()), rules(alive=(), elr_enabled=False)
    )
    assert (record.isr, record.leader, record.last_known_elr) == (None, -1, None)


def test_an_eligible_replica_that_leads_is_the_whole_set():
    state = partition(isr=(), leader=-1, eligible_leader_replicas=(2, 3), last_known_elr=(1,))
    record = change(state, PartitionChange(), rules(alive=(3,)))
    assert (record.leader, record.isr, record.eligible_leader_replicas) == (3, [3], [2])
    assert record.last_known_elr == []
    assert record.leader_recovery_state == -1


def test_an_unclean_leader_is_the_whole_set_and_recovers():
    state = partition(isr=(1,), eligible_leader_replicas=(2,))
    record = change(state, PartitionChange(isr=(1,), election=Election.UNCLEAN), rules(alive=(3,)))
    assert (record.leader, record.isr, record.leader_recovery_state) == (3, [3], 1)
    assert record.eligible_leader_replicas == []


def test_a_move_that_ends_names_all_that_changes_and_raises_the_leader_epoch():
    state = partition(replicas=(4, 1, 2), isr=(1, 2), adding_replicas=(4,), removing_replicas=(2,))
    record = change(state, PartitionChange(isr=(1, 2, 4)))
    assert (record.replicas, record.isr, record.leader) == ([4, 1], [1, 4], 1)
    assert (record.adding_replicas, record.removing_replicas) == ([], [])
    assert len(record.directories) == 2


def test_a_directory_is_named_for_every_replica():
    record = change(partition(), PartitionChange(directories={2: b"d" * 16}))
    assert record.directories == [bytes(16), b"d" * 16, bytes(16)]
    without = rules(has_directories=False)
    assert change(partition(), PartitionChange(directories={2: b"d" * 16}), without) is None


BROKERS = st.sets(st.integers(1, 5))


@given(
    isr=BROKERS,
    wanted=BROKERS,
    elr=BROKERS,
    alive=BROKERS,
    leader=st.integers(-1, 3),
    election=st.sampled_from(Election),
    min_isr=st.integers(1, 3),
)
def test_the_leader_is_alive_and_in_the_set_whatever_was_wanted(
    isr, wanted, elr, alive, leader, election, min_isr
):
    replicas = (1, 2, 3)
    before = partition(
        isr=tuple(sorted(isr & set(replicas))),
        leader=leader if leader in isr else -1,
        eligible_leader_replicas=tuple(sorted((elr & set(replicas)) - isr)),
    )
    stays = {before.leader} & alive  # a leader is never taken out while it may lead
    asked = PartitionChange(
        isr=tuple(sorted((wanted & alive & set(replicas)) | stays)), election=election
    )
    record = change(before, asked, rules(alive=tuple(alive), min_isr=min_isr))
    after = before if record is None else changed_partition(before, record)
    assert after.leader == -1 or (after.leader in alive and after.leader in after.isr)
    assert not set(after.isr) & set(after.eligible_leader_replicas)
    assert set(after.isr) | set(after.eligible_leader_replicas) <= set(replicas)
