"""What drives the state machines: loops that own a state machine each, and those who wait.

A pure room decides; this room appends, waits for commit, applies, answers, and sets the timers.
Nothing is decided here.

Reading order: waiting, shard_batches, shard_loading, joining, askers, alarm, refused_writes,
running_shard, shard_loop; for transactions producer_ids, marker_delivery; for share groups
share_states, share_start, led_share, share_partitions; the rooms replication and quorum,
quorum_loop.
"""
