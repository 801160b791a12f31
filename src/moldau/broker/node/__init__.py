"""A node: the only package that puts the others together.

Reading order: world, defaults, server_properties, not_yet, format_plan (with format_error and
scram_records), formatting, several_nodes, storage, loss, encryption, listeners, tls_listeners,
guarding, outgoing, quorum_parts, coordination (with when_needed), group_coordinator,
transaction_coordinator, share_coordinator, partition_count, producer_ids, telemetry, reporting,
schema_checks, following and fetchers, log_dir_failure, construction, node.
"""
