"""Logs on disk: one partition's files, and the directories of them, as Kafka 4.3 has them.

Owns what lies in a log directory, byte for byte: appending, reading, rolling, truncating,
recovering, deleting and compacting. It never waits, starts no task and opens no socket; it does
not know what a leader, a follower or a client is, and the time is an argument. `DESIGN.md` has
what lies on the disk, what a crash may do to it, in which order things are synced, and how a
broker uses the package.

Here at the top lies the life of one partition; what it is made of has packages of its own. Arrows
point from the later to the earlier: segment, producers, directory, appending, compaction, dump.

Reading order:

- What a log is: `settings`, `world`, the packages `segment` (files) and
  `producers` (who wrote what), `epoch_checkpoint`, `findings`, `log_state`, `partition_log`
- Growing: `append_origin`, the package `appending`
- Reading: `reading`, `timestamps`
- Beginning again: `opening`, `sanity`, `recovery`, `leftovers`
- After damage: `evidence`, `ending`, `cut_files`, `overlay`
- Giving space back: `truncation`, `retention`, the package `compaction`
- Encryption at rest: `encryption_port`, the package `encryption`
- Around it: the package `directory` (of a node's disk), the package `dump` (for people)
"""
