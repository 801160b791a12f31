"""The line that must not be forgotten."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.state_file import ElectionState, read_election_state, write_election_state
from moldau.broker.quorum.voters import ReplicaKey
from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import read_whole, replace_whole
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.quorum.simulated_member import voters

DIRECTORY = "/log"
PATH = "/log/quorum-state"
DISK = bytes(range(16))
KAFKAS_STATIC = (
    b'{"clusterId":"","leaderId":1,"leaderEpoch":1,"votedId":-1,"appliedOffset":0,'
    b'"currentVoters":[{"voterId":1}],"data_version":0}'
)
KAFKAS_DYNAMIC = (
    b'{"leaderId":1,"leaderEpoch":1,"votedId":-1,'
    b'"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'
)
"""What Apache Kafka 4.3.1 wrote as leader of its first epoch."""


@pytest.fixture
def files():
    made = SimulatedFiles()
    made.make_directory(DIRECTORY)
    return made


@pytest.mark.parametrize(("level", "line"), [(0, KAFKAS_STATIC), (1, KAFKAS_DYNAMIC)])
def test_the_line_is_the_one_that_kafka_writes(files, level, line):
    state = ElectionState(1, 1)
    write_election_state(files, DIRECTORY, state, voters(1), level)
    assert read_whole(files, PATH) == line
    assert read_election_state(files, DIRECTORY) == state


def test_a_vote_comes_back_with_its_directory(files):
    state = ElectionState(7, None, ReplicaKey(2, DISK))
    write_election_state(files, DIRECTORY, state, voters(1, 2), 1)
    assert read_election_state(files, DIRECTORY) == state


def test_nothing_written_is_nothing_read(files):
    assert read_election_state(files, DIRECTORY) is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"data_version":9,"leaderEpoch":1}',
        KAFKAS_STATIC.replace(b'"leaderId":1', b'"leaderId":"x"'),
        KAFKAS_DYNAMIC.replace(b"AAAAAAAAAAAAAAAAAAAAAA", b"?"),
        b" " * 100_000,
    ],
)
def test_a_line_that_makes_no_sense_is_refused(files, line):
    replace_whole(files, PATH, line)
    with pytest.raises(CorruptRecordError, match="quorum-state"):
        read_election_state(files, DIRECTORY)
