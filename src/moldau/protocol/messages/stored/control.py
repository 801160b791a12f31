"""Control records: what logs say about themselves, in batches with the control bit.

The key is ControlRecordTypeSchema after a two-byte version 0. Types: 0 abort and 1 commit of a
transaction, in any partition; 2 leader change, 3 snapshot header, 4 snapshot footer,
5 kraft.version, 6 voters, in the metadata log and its snapshots alone. Readers skip others.

The bodies of 2 to 6 begin with a version field of their own, which is not the schema's version
prefix. LeaderChangeMessage is written as version 0 although 1 (directory ids) is known.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Data, Struct
from moldau.protocol.wire.types import BrokerId, Int16, Int32, Int64, String, UInt16, Uuid


class ControlRecordTypeSchema(Data, versions="0"):
    """Names the type of a control record, in its key."""

    type: Int16
    """See the module; unknown ones are skipped."""


class EndTxnMarker(Data, versions="0"):
    """Records the end of a transaction; the key has which end."""

    coordinator_epoch: Int32
    """Leader epoch of the transaction log's partition."""


class LeaderChangeMessage(Data, versions="0-1", flexible="0+"):
    """Records who leads from here on; the first record of every epoch."""

    version: Int16
    leader_id: BrokerId
    voters: list[Voter]
    """All of them, ids alone in version 0."""
    granting_voters: list[Voter]
    """Those who voted for the leader, itself among them."""

    class Voter(Struct):
        voter_id: Int32
        voter_directory_id: Uuid = at("1+")


class SnapshotHeaderRecord(Data, versions="0", flexible="0+"):
    """Records what a snapshot contains; its first record."""

    version: Int16
    last_contained_log_timestamp: Int64
    """Append time of the last log record that is inside."""


class SnapshotFooterRecord(Data, versions="0", flexible="0+"):
    """Records that a snapshot is complete; its last record."""

    version: Int16


class KRaftVersionRecord(Data, versions="0", flexible="0+"):
    """Records the finalized kraft.version."""

    version: Int16
    kraft_version: Int16


class VotersRecord(Data, versions="0", flexible="0+"):
    """Records the whole voter set, in force from the moment it is appended."""

    version: Int16
    voters: list[Voter]

    class Voter(Struct):
        voter_id: BrokerId
        voter_directory_id: Uuid
        """The disk that votes: another disk is another voter."""
        endpoints: list[Endpoint]
        kraft_version_feature: KRaftVersionFeature

        class Endpoint(Struct):
            name: String = at(map_key=True)
            host: String
            port: UInt16

        class KRaftVersionFeature(Struct):
            """Levels of kraft.version it could run."""

            min_supported_version: Int16
            max_supported_version: Int16
