"""Share groups as queues (KIP-932): what is known of each record, and where that is kept.

Two state machines that never meet. A share partition, on the broker that leads the topic's
partition, knows which records are out with whom; it is a thing of memory. A share state shard, on
the broker that leads a partition of `__share_group_state`, keeps what must survive: start offsets
and what became of the records behind them.

Members, assignments and epochs are the business of `coordinator.group.share`.

Reading order:

- What is stored: state_batches, state, table, answers, state_shard
- What is out: the package partition
"""
