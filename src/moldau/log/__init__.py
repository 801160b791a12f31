"""One partition's files, exactly as Apache Kafka 4.3 has them.

Owns the `.log` of batches, its indexes, what is remembered of producers, transactions and leader
epochs, and the log directory around them. It knows offsets and bytes; it does not know what a
broker, a leader or a request is, it never waits and starts no task: calls block as long as the
disk does, and whoever calls decides where. `DESIGN.md` tells what lies on the disk, what a crash
may do to it, and in which order things are synced.

Reading order:

- the face: partition_log, settings, log_state
- appending: appending (appending_hot beside it), rolling, flushing, topic_rules
- reading: reading, timestamps, file_slice
- segments: segment, segments, sparse_index, offset_index, time_index, transaction_index
- coming and going: opening, leftovers, recovery, producer_replay, truncation, replacement
- memory: producer_state and its rules, entries and snapshots; epoch_checkpoint
- less over time: retention, compaction and its plan, map and filter
- around: directory, directories, checkpoints, meta_properties, clean_shutdown
- for people: dump and the `dump_…` modules
"""
