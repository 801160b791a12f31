"""The file `quorum-state`: what a member of the quorum must not forget, as one line of JSON.

It is written, and on the disk, before anything leaves that depends on it; otherwise a node that
crashed could vote twice in an epoch. Version 0 of the line goes with kraft.version 0 and repeats
the configured voters, 1 goes with kraft.version 1 and knows the directory that was voted for.
"""

from __future__ import annotations

import json

from moldau.broker.quorum.voters import ReplicaKey, VoterSet
from moldau.errors import CorruptRecordError, DecodeError
from moldau.platform.ports.files import Files, read_whole, replace_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import parse_uuid, uuid_text

FILE_NAME = "quorum-state"
NO_VOTER = -1
_SIZE_MAX = 64 * 1024
"""One short line; whatever is larger is something else."""


@dataclass(frozen=True, slots=True)
class ElectionState:
    """An epoch, its leader, and the candidate that this node voted for."""

    epoch: int = 0
    leader_id: int | None = None
    voted: ReplicaKey | None = None


def read_election_state(files: Files, directory: str) -> ElectionState | None:
    """What was written last; None where nothing ever was."""
    path = f"{directory}/{FILE_NAME}"
    status = files.status(path)
    if status is None:
        return None
    if status.size > _SIZE_MAX:
        raise _corrupt(path, f"{status.size} bytes are too many")
    try:
        return _decode(json.loads(read_whole(files, path)))
    except (ValueError, KeyError, TypeError, AttributeError, DecodeError) as error:
        raise _corrupt(path, str(error)) from error


def write_election_state(
    files: Files, directory: str, state: ElectionState, voters: VoterSet, kraft_version: int
) -> None:
    """Put it on the disk; a crash leaves the old line or this one."""
    line = _line_with_directory(state) if kraft_version else _line_with_voters(state, voters)
    contents = json.dumps(line, separators=(",", ":")).encode()
    replace_whole(files, f"{directory}/{FILE_NAME}", contents)


def _line_with_voters(state: ElectionState, voters: VoterSet) -> dict[str, object]:
    return {
        "clusterId": "",
        "leaderId": _id(state.leader_id),
        "leaderEpoch": state.epoch,
        "votedId": NO_VOTER if state.voted is None else state.voted.node_id,
        "appliedOffset": 0,
        "currentVoters": [{"voterId": node_id} for node_id in sorted(voters.ids)],
        "data_version": 0,
    }


def _line_with_directory(state: ElectionState) -> dict[str, object]:
    voted = state.voted or ReplicaKey(NO_VOTER)
    return {
        "leaderId": _id(state.leader_id),
        "leaderEpoch": state.epoch,
        "votedId": voted.node_id,
        "votedDirectoryId": uuid_text(voted.directory_id),
        "data_version": 1,
    }


def _id(node_id: int | None) -> int:
    return NO_VOTER if node_id is None else node_id


def _decode(line: dict[str, object]) -> ElectionState:
    version, epoch = _number(line, "data_version"), _number(line, "leaderEpoch")
    if version not in (0, 1):
        raise DecodeError(f"data_version {version} is none that we know")
    leader_id, voted_id = _number(line, "leaderId"), _number(line, "votedId")
    directory = parse_uuid(str(line["votedDirectoryId"])) if version else NULL_UUID
    return ElectionState(
        epoch=max(epoch, 0),
        leader_id=None if leader_id == NO_VOTER else leader_id,
        voted=None if voted_id == NO_VOTER else ReplicaKey(voted_id, directory),
    )


def _number(line: dict[str, object], key: str) -> int:
    number = line[key]
    if not isinstance(number, int):
        raise DecodeError(f"{key} is {number!r} instead of a number")
    return number


def _corrupt(path: str, reason: str) -> CorruptRecordError:
    return CorruptRecordError(f"{path}: {reason}; restore the file from a copy of this disk")
