"""Logs on disk: one partition's files, and the directories of them, as Kafka 4.3 has them.

Owns what lies in a log directory, byte for byte: appending, reading, rolling, truncating,
recovering, deleting and compacting. It never waits, starts no task and opens no socket; it does
not know what a leader, a follower or a client is, and the time is told to it. `DESIGN.md` tells
what lies on the disk, what a crash may do to it, and in which order things are synced.

Reading order, by theme:

- What a log is: `settings`, `file_names`, `batch_walk`, `sparse_index`, `offset_index`,
  `time_index`, `segment_indexes`, `segment`, `segments`, `log_state`, `partition_log`
- Appending: `append_origin`, `topic_rules`, `append_result`, `appending`, `appending_hot`,
  `rolling`, `flushing`
- Producers: `producer_entry`, `producer_rules`, `producer_errors`, `producer_state`,
  `producer_snapshot`, `snapshot_files`, `producer_replay`, `transaction_verification`,
  `end_marker`, `open_transactions`, `transaction_index`
- Reading: `file_slice`, `reading`, `timestamps`
- Beginning again: `opening`, `recovery`, `leftovers`, `checkpoint_text`, `epoch_checkpoint`,
  `partition_metadata`
- Giving room: `truncation`, `retention`, `compaction_plan`, `compaction_map`,
  `compaction_filter`, `compaction_transactions`, `compaction`, `replacement`
- The directories of a node: `directory_names`, `java_properties`, `java_hash_map`,
  `meta_properties`, `offset_checkpoint`, `clean_shutdown`, `directory`, `directories`
- For people: `dump`, `dump_log_file`, `dump_control`, `dump_indexes`, `dump_producers`,
  `dump_decoders`, `dump_group`, `dump_json`, `dump_report`
"""
