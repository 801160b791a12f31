"""Groups of consumers and of streams: finding their coordinator, membership, offsets, descriptions.

Reading order: asking (of a coordinator, and access), protocols (which are switched on), effects
(what a group's change asks of others), changes (as lines of the log), describing; find_coordinator;
join_group, sync_group, heartbeat, leave_group; consumer_group_heartbeat, consumer_group_describe;
streams_group_heartbeat, streams_group_describe; offset_commit with offset_commit_reader and
committing (to the coordinator and back), offset_fetch, offset_delete; list_groups, describe_groups,
delete_groups.
"""
