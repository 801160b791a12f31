"""Streams groups of KIP-1071: the coordinator knows the topology and hands out its tasks.

Reading order: tasks, member, topology, partition_counts, configured, java_heap, processes, sticky,
reconcile, records, group, replay, context, target, endpoints, validation, heartbeat, describe,
kind.
"""
