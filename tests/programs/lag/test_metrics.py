"""The text that Prometheus reads."""

from moldau.client import TopicPartition
from moldau.programs.lag.commits import Committed
from moldau.programs.lag.metrics import metrics_text
from moldau.programs.lag.state import LagRules, LagState, Owner

PART = TopicPartition("t", 0)


def series(state, now_ms=1_500):
    lines = metrics_text("local", state, now_ms).decode().splitlines()
    return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))


def test_a_group_has_its_lag_in_offsets_and_in_seconds():
    state = LagState(LagRules())
    state.saw_ends({PART: 9_007_199_254_740_993})
    state.saw_commit(Committed('a "b"', PART, 9_007_199_254_740_990, 0), 0, is_new=True)
    state.owners['a "b"'] = {PART: Owner("10.0.0.1", "c")}
    state.first_unread_ms[PART, 9_007_199_254_740_990] = 250
    found = series(state)
    of_group = 'group="a \\"b\\"",topic="t",partition="0",member_host="10.0.0.1",client_id="c"'
    lag = f'kafka_consumergroup_group_lag{{cluster_name="local",{of_group}}}'
    assert found[lag] == "3"
    assert found[lag.replace("lag{", "lag_seconds{")] == "1.25"
    offset = 'burrow_kafka_topic_partition_offset{cluster="local",topic="t",partition="0"}'
    assert found[offset] == "9007199254740993"
    status = 'burrow_kafka_consumer_status{cluster="local",consumer_group="a \\"b\\""}'
    assert found[status] == "3"


def test_a_group_that_has_read_all_is_no_second_behind():
    state = LagState(LagRules())
    state.saw_ends({PART: 3})
    state.saw_commit(Committed("g", PART, 3, 0), 0, is_new=True)
    found = [value for name, value in series(state).items() if "seconds" in name]
    assert found == ["0.0", "0.0"]


def test_an_age_that_is_not_known_is_no_series():
    state = LagState(LagRules())
    state.saw_ends({PART: 3})
    state.saw_commit(Committed("g", PART, 1, 0), 0, is_new=True)
    assert not any("seconds" in name for name in series(state))
    assert series(LagState(LagRules())) == {}


def test_a_group_has_its_lag_by_topic_and_partitions_their_first_offsets():
    state = LagState(LagRules())
    parts = [PART, TopicPartition("t", 1), TopicPartition("u", 0)]
    state.saw_ends(dict.fromkeys(parts, 10))
    state.starts = {PART: 4}
    for part in parts:
        state.saw_commit(Committed("g", part, 7, 0), 0, is_new=True)
    found = series(state)
    of_topic = 'kafka_consumergroup_group_topic_sum_lag{cluster_name="local",group="g",topic="%s"}'
    assert (found[of_topic % "t"], found[of_topic % "u"]) == ("6", "3")
    first = 'kafka_partition_earliest_offset{cluster_name="local",topic="t",partition="0"}'
    assert found[first] == "4"
    state.saw_ends({parts[1]: 10})
    assert first not in series(state)
