"""What drives the state machines: loops that own a state machine each, and their waiting requests.

A pure package decides; this package appends, waits for commit, applies, answers and sets timers.
Nothing is decided here.

Reading order: purgatory, together, shared_questions, shard_batches, shard_loading, joining,
pending_replies, wake_timer, refused_writes, running_shard, shard_loop; for transactions
producer_ids, marker_delivery; for share groups share_states, share_start, share_figures,
running_share_partition, share_partitions; the packages replication and quorum, quorum_loop;
controller_channel (with envelopes).
"""
