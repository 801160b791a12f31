"""Group coordinators: who belongs to a group, who reads what, and how far they have come.

A shard holds the groups of one partition of `__consumer_offsets`. Groups come in kinds (classic,
consumer, share, streams), each in its own folder or file; offsets are the same for all that have
them. A kind brings its requests and records as tables (`kind.GroupKind`), and its groups say of
themselves what offsets and administration ask of them (`group.Group`). What makes no sense by
itself is refused before the coordinator is looked for (`request_checks`), so a shard never sees it.

Reading order: group, epoch_group, bounded, kind, groups, member_timers, draft, request_checks,
shard, then classic, offsets, administration.
"""
