"""Bugs that people have made in replicated logs, each as a change of a line or two of our sources.

The ordinary scenarios of `scenarios` know nothing of them: a bug is found if one of the first
so many seeds ends badly. So this is a test of the scenarios, and of what they check.

`seeds` is some times what the bug took when it was planted first, since any change of the sources
makes another scenario of each seed.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

BROKER = "moldau/broker"
CONTROLLER = f"{BROKER}/controller/partitions"
GROUP_OFFSETS = f"{BROKER}/coordinator/group/offsets"
LOG = f"{BROKER}/log"
PRODUCING = "moldau/client/core/producing"
QUORUM = f"{BROKER}/quorum"
REPLICA = f"{BROKER}/replica"
REGISTRY = "moldau/programs/registry"
FETCHERS = f"{BROKER}/runtime/replication"


class Bug(NamedTuple):
    """A change that no one wants."""

    name: str
    path: str
    sound: str
    """Stands once in the file."""
    planted: str
    scenarios: str
    """The kind that finds it."""
    seeds: int
    """Among so many scenarios, counted from seed 0, one ends badly."""

    def plant(self, source: Path) -> None:
        """Into a copy of the sources."""
        file = source / self.path
        text = file.read_text()
        assert text.count(self.sound) == 1, f"{self.path} has not once: {self.sound}"
        file.write_text(text.replace(self.sound, self.planted))


IN_REPLICATION = (
    Bug(
        "a producer may leave a gap in its sequences",
        f"{LOG}/producers/rules.py",
        "    if header.base_sequence != expected:\n",
        "    if False:\n",
        "replication",
        20,
    ),
    Bug(
        "a producer may write under an old epoch",
        f"{LOG}/producers/rules.py",
        "    if epoch < entry.epoch:\n",
        "    if False:\n",
        "replication",
        20,
    ),
    Bug(
        "the high watermark is what any replica has",
        f"{REPLICA}/isr.py",
        "return min([leader_end, *ends])",
        "return max([leader_end, *ends])",
        "replication",
        20,
    ),
    Bug(
        "what was sent to a follower counts as if it had it",
        f"{REPLICA}/isr.py",
        "        self.log_end_offset = offset\n",
        "        self.log_end_offset = leader_end\n",
        "replication",
        20,
    ),
    Bug(
        "acks=all is answered before the followers have it",
        f"{BROKER}/server/produce/appending.py",
        "if self._acks == ALL_REPLICAS and partition.high_watermark <= result.last_offset:",
        "if False:",
        "replication",
        20,
    ),
    Bug(
        "a log that has parted from its leader's is not noticed (KIP-101)",
        f"{REPLICA}/fetching.py",
        "    if epoch < last_fetched_epoch or end_offset < offset:\n",
        "    if False:\n",
        "replication",
        20,
    ),
    Bug(
        "a follower keeps what its leader does not have",
        f"{FETCHERS}/taking.py",
        "                if await self._truncate(followed, place.offset):",
        "                if place.offset >= 0:",
        "replication",
        20,
    ),
    Bug(
        "a follower takes back a high watermark",
        f"{REPLICA}/following.py",
        "max(partition.high_watermark, ends.high_watermark)",
        "ends.high_watermark",
        "replication",
        20,
    ),
    Bug(
        "a leader takes back its high watermark",
        f"{REPLICA}/partition.py",
        "        if replicated <= state.high_watermark:\n            return False\n",
        "",
        "replication",
        20,
    ),
    Bug(
        "a leader writes batches under the first epoch",
        f"{REPLICA}/partition.py",
        "                records,\n                self.leader_epoch,",
        "                records,\n                FIRST_EPOCH,",
        "replication",
        20,
    ),
    Bug(
        "consumers read what is not replicated",
        f"{LOG}/reading.py",
        "        case Isolation.HIGH_WATERMARK:\n            return state.high_watermark",
        "        case Isolation.HIGH_WATERMARK:\n            return state.log_end_offset",
        "replication",
        20,
    ),
    Bug(
        "the end that consumers are shown goes back after an election (KIP-207)",
        f"{REPLICA}/positions.py",
        "    is_behind = partition.high_watermark < partition.epoch_start_offset",
        "    is_behind = False",
        "replication",
        20,
    ),
    Bug(
        "a replica that is not in sync is elected",
        f"{CONTROLLER}/election.py",
        "    return replica in target.isr or (not target.isr and replica in target.elr)",
        "    return True",
        "replication",
        20,
    ),
    Bug(
        "an election leaves the leader epoch as it was",
        f"{BROKER}/metadata/topics.py",
        "        leader_epoch=state.leader_epoch + elects,",
        "        leader_epoch=state.leader_epoch,",
        "replication",
        20,
    ),
    Bug(
        "a broker that has lost power stays in sync (KIP-966)",
        f"{CONTROLLER}/leaders.py",
        "    lost = frozenset((broker_id,))\n    replicas =",
        "    return []\n    lost = frozenset((broker_id,))\n    replicas =",
        "replication",
        40,
    ),
    Bug(
        "a batch that is sent again is appended again",
        f"{LOG}/producers/rules.py",
        "        if note.last_sequence == last_sequence and note.offset_delta == delta:\n",
        "        if False:\n",
        "replication",
        20,
    ),
    Bug(
        "a batch that is sent again is answered with offset 0",
        f"{LOG}/appending/plain.py",
        "    return AppendResult(\n        note.first_offset,\n",
        "    return AppendResult(\n        0,\n",
        "replication",
        20,
    ),
    Bug(
        "a replica joins those in sync before it has caught up",
        f"{REPLICA}/isr.py",
        "    return progress.log_end_offset >= max(high_watermark, epoch_start_offset)\n",
        "    return True\n",
        "replication",
        40,
    ),
    Bug(
        "a leader counts without a replica before the controller has agreed that it is out of sync",
        f"{REPLICA}/partition.py",
        "self.isr if self.proposed_isr is None else {*self.isr, *self.proposed_isr}",
        "self.isr if self.proposed_isr is None else self.proposed_isr",
        "replication",
        60,
    ),
)
IN_LEADERS = (
    Bug(
        "who begins to follow cuts its log to the high watermark (KIP-101)",
        f"{FETCHERS}/taking.py",
        "is_unknown = followed.last_epoch == NO_EPOCH",
        "is_unknown = True",
        "leaders",
        20,
    ),
    Bug(
        "a log is cut to where its leader's epoch ended, whatever its own epoch there (KIP-279)",
        f"{REPLICA}/following.py",
        "return Cut(min(own_end, end), is_final=False)",
        "return Cut(min(divergence.end_offset, end), is_final=True)",
        "leaders",
        40,
    ),
    Bug(
        "who asks under another leader's epoch is served (KIP-320)",
        f"{REPLICA}/refusals.py",
        "    if asked == known or asked == -1:\n",
        "    if True:\n",
        "leaders",
        20,
    ),
    Bug(
        "the epochs of what is cut stay noted",
        f"{LOG}/epoch_checkpoint.py",
        "        if self._cut_end(end_offset):\n            self.flush()",
        "        if False:\n            self.flush()",
        "leaders",
        20,
    ),
)
IN_DAMAGED_LEADERS = (
    Bug(
        "a follower takes what it was sent without a look at the checksum",
        f"{LOG}/appending/plain.py",
        "        ensure_checksum(records, header, position)\n",
        "",
        "damaged_leaders",
        10,
    ),
)
IN_MOVES = (
    Bug(
        "a replica that is moved to counts as in sync before it has anything",
        f"{CONTROLLER}/target.py",
        "        isr = tuple(replica for replica in self.isr if replica not in self.removing)\n",
        "        isr = replicas\n",
        "moving_replicas",
        20,
    ),
)
IN_QUORUM = (
    Bug(
        "half of the voters are a majority",
        f"{QUORUM}/progress.py",
        "descending[len(descending) // 2]",
        "descending[(len(descending) - 1) // 2]",
        "quorum",
        300,
    ),
    Bug(
        "a vote is given to who has less in the log",
        f"{QUORUM}/election.py",
        "    has_all = event.log_end >= member.log.end\n",
        "    has_all = True\n",
        "quorum",
        300,
    ),
    Bug(
        "a voter votes twice in one epoch",
        f"{QUORUM}/election.py",
        "            if member.voted is not None:\n"
        "                return member.voted == event.candidate\n",
        "",
        "quorum",
        300,
    ),
    Bug(
        "a refusal counts as a vote",
        f"{QUORUM}/election.py",
        "    role.tally.count(event.voter_id, granted=granted)\n",
        "    role.tally.count(event.voter_id, granted=True)\n",
        "quorum",
        300,
    ),
    Bug(
        "epoch and vote are not on the disk when a role is taken",
        f"{QUORUM}/member.py",
        "        self.role = role\n        self.persist()\n",
        "        self.role = role\n",
        "quorum",
        300,
    ),
    Bug(
        "the vote of an earlier epoch holds in the next",
        f"{QUORUM}/member.py",
        "voted = self.voted if epoch == self.epoch else None\n        deadline",
        "voted = self.voted\n        deadline",
        "quorum",
        300,
    ),
    Bug(
        "a candidate stands in the epoch of the leader before",
        f"{QUORUM}/member.py",
        "self._take(Candidate(self.epoch + 1, ",
        "self._take(Candidate(self.epoch, ",
        "quorum",
        300,
    ),
    Bug(
        "news of an older epoch are applied",
        f"{QUORUM}/member.py",
        "        if epoch < self.epoch or leader_id == self.key.node_id:\n",
        "        if leader_id == self.key.node_id:\n",
        "quorum",
        300,
    ),
    Bug(
        "a log that has parted from the leader's is not noticed",
        f"{QUORUM}/leading.py",
        "    if end.epoch != asked.epoch or end.offset < asked.offset:\n",
        "    if False:\n",
        "quorum",
        300,
    ),
    Bug(
        "a log is cut to where the leader's epoch ended, whatever its own epoch there",
        f"{QUORUM}/following.py",
        "min(own.offset, leaders.offset) if own.epoch == leaders.epoch else own.offset",
        "leaders.offset",
        "quorum",
        600,
    ),
    Bug(
        "a leader counts what it has not synced",
        f"{QUORUM}/leading.py",
        "        own.end_offset = end_offset\n",
        "        own.end_offset = member.log.end.offset\n",
        "quorum",
        300,
    ),
    Bug(
        "a follower commits beyond the end of its log",
        f"{QUORUM}/following.py",
        "member.commit(min(member.leader_high_watermark, member.log.end.offset))",
        "member.commit(member.leader_high_watermark)",
        "quorum",
        300,
    ),
    Bug(
        "a second change of voters begins before the first is committed",
        f"{QUORUM}/voter_changes.py",
        "return ErrorCode.REQUEST_TIMED_OUT if is_changing(member) else None",
        "return None",
        "quorum",
        300,
    ),
    Bug(
        "a voter that was removed still counts for commits",
        f"{QUORUM}/progress.py",
        "            gone = self.voters.pop(node_id)\n"
        "            self.observers[gone.key] = gone\n",
        "            continue\n",
        "quorum",
        300,
    ),
)
IN_ELECTIONS = (
    Bug(
        "a vote is not on the disk when it is answered",
        f"{QUORUM}/election.py",
        "    member.role.voted = candidate\n    member.persist()\n",
        "    member.role.voted = candidate\n",
        "elections",
        300,
    ),
    Bug(
        "entries of an old epoch are committed by their count alone",
        f"{QUORUM}/progress.py",
        "        return offset if offset > epoch_start else None\n",
        "        return offset\n",
        "elections",
        600,
    ),
    Bug(
        "voters change before the leader has committed in its own epoch",
        f"{QUORUM}/voter_changes.py",
        "    return member.high_watermark > member.role.start_offset\n",
        "    return True\n",
        "elections",
        600,
    ),
    Bug(
        "a snapshot that comes late takes the place of a log that has got further",
        f"{QUORUM}/following.py",
        "    return snapshot.log_end <= member.log.end\n",
        "    return False\n",
        "elections",
        600,
    ),
)
IN_REJOINS = (
    Bug(
        "who has fetched from its leader lets another one stand",
        f"{QUORUM}/election.py",
        "            return event.pre_vote and not has_fetched and has_all\n",
        "            return event.pre_vote and has_all\n",
        "rejoins",
        20,
    ),
)
IN_COORDINATORS = (
    Bug(
        "who begins to lead forgets which transactions are open",
        f"{REPLICA}/partition.py",
        "            self.epoch_start_offset = self.log_end_offset\n",
        "            self.epoch_start_offset = self.log_end_offset\n"
        "            self.log.state.producers._transactions.__init__()\n",
        "transactions",
        20,
    ),
    Bug(
        "aborted transactions are not named to readers",
        f"{LOG}/appending/plain.py",
        "            state.active.transaction_index.append(completed.as_aborted())\n",
        "            pass\n",
        "transactions",
        10,
    ),
    Bug(
        "offsets of an aborted transaction count",
        f"{GROUP_OFFSETS}/store.py",
        "        if not is_commit:",
        "        if False:",
        "transactions",
        10,
    ),
    Bug(
        "offsets of a committed transaction do not count",
        f"{GROUP_OFFSETS}/store.py",
        "        for group_id, commits in ended.items():",
        "        for group_id, commits in ():",
        "transactions",
        10,
    ),
    Bug(
        "only the last batch of a producer is remembered",
        f"{LOG}/producers/entry.py",
        "BATCHES_KEPT: Final = 5",
        "BATCHES_KEPT: Final = 1",
        "groups",
        10,
    ),
)
IN_CRASHES = (
    Bug(
        "the offset index keeps entries of what was cut off the log",
        f"{LOG}/segment/segment.py",
        "        self.offset_index.truncate_to(offset)\n",
        "",
        "crashes",
        200,
    ),
    Bug(
        "a torn batch is taken for a whole one",
        f"{LOG}/recovery.py",
        "        if crc32c(batch[CRC_START:]) != header.crc:\n",
        "        if False:\n",
        "crashes",
        20,
    ),
    Bug(
        "the recovery point passes what is not synced",
        f"{LOG}/appending/flushing.py",
        "            self.active.log.sync()\n",
        "            pass\n",
        "crashes",
        20,
    ),
    Bug(
        "the names of new files are not synced",
        f"{LOG}/appending/flushing.py",
        "        if self.needs_names:\n",
        "        if False:\n",
        "crashes",
        60,
    ),
    Bug(
        "a name that has changed is not synced",
        f"{LOG}/segment/segment_files.py",
        "                self._files.sync_directory(self._directory)\n",
        "                pass\n",
        "crashes",
        120,
    ),
    Bug(
        "compaction drops the last value of a key",
        f"{LOG}/compaction/filter.py",
        "kept_key(key), -1) <= offset and (",
        "kept_key(key), -1) < offset and (",
        "crashes",
        60,
    ),
    Bug(
        "a sync that failed is tried again",
        f"{LOG}/appending/flushing.py",
        "            self.failure = error\n",
        "            self._sync()\n",
        "disk_errors",
        11,
    ),
)
IN_LIVE_LOGS = (
    Bug(
        "the time index keeps entries of what was cut off the log",
        f"{LOG}/segment/segment.py",
        "        self.time_index.truncate_to(offset)\n",
        "",
        "live_logs",
        10,
    ),
)
IN_REGISTRIES = (
    Bug(
        "each registry writes under a transactional id of its own: no fence",
        f"{REGISTRY}/store.py",
        'return f"{self.group}-{self.topic}"',
        'return f"{self.group}-{self.topic}-{id(self)}"',
        "registries",
        10,
    ),
    Bug(
        "a new owner takes the end of the topic from a leader that is none any more",
        f"{REGISTRY}/store.py",
        "            if self._knows_all or await self._knew_all(deliveries[0], known_count):\n",
        "            if True:\n",
        "registries",
        40,
    ),
)
IN_SENDERS = (
    Bug(
        "the next batch has the sequence of one that was given up and may be there",
        f"{PRODUCING}/batch.py",
        "        return self.cause is not None and self.sequence >= 0\n",
        "        return False\n",
        "senders",
        20,
    ),
    Bug(
        "a batch follows the first one of a producer before a broker knows it",
        f"{PRODUCING}/lane.py",
        "if has_failures or self.is_lost or not self.is_known:",
        "if has_failures or self.is_lost:",
        "senders",
        100,
    ),
    Bug(
        "sequences begin anew while a batch under the old ones is out",
        f"{PRODUCING}/lane.py",
        "if has_failures or self.is_lost or not self.is_known:",
        "if has_failures or not self.is_known:",
        "senders",
        60,
    ),
    Bug(
        "a broker forgets the oldest batch that is unresolved, for those after it",
        f"{PRODUCING}/lane.py",
        "elif self.identity.producer_id >= 0 and self.turns - oldest.turn >= REMEMBERED:",
        "elif False:",
        "senders",
        1500,
    ),
    Bug(
        "a gap that closes by itself makes a producer begin anew",
        f"{PRODUCING}/sender.py",
        "        if batch is not lane.unresolved[0]:\n",
        "        if False:\n",
        "senders",
        100,
    ),
)
BUGS = (
    *IN_REPLICATION, *IN_LEADERS, *IN_DAMAGED_LEADERS, *IN_MOVES, *IN_QUORUM, *IN_ELECTIONS,
    *IN_REJOINS, *IN_COORDINATORS, *IN_CRASHES, *IN_LIVE_LOGS, *IN_REGISTRIES, *IN_SENDERS,
)  # fmt: skip
