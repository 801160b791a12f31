"""The server: from a request to its answer.

Owns what happens between a frame and its response: finding the handler, its circumstances, and the
error that a peer gets. It makes nothing that it uses; the node does.

Reading order: call, broker, apis, routes, processor_time, dispatch, slices, long_requests, spliced,
answering, shortcuts, refusing, fitting, request_metrics, traffic, gauges with the tables in
figures, metrics_page, quota_windows, quota_exemptions, quotas, connections, lifecycle,
controller_registration, replica_reports, topic_creation, topic_changes, topic_answers,
quorum_access; for the controller controller_access, mutations, token_access; for settings
config_changes, logger_levels; for clients' metrics otlp, telemetry; for produce and fetch
produced_batches, producing, transaction_gate, later, fetched, fetch_attention, fetch_session_shard,
fetch_sessions, fetch_answers, fetching, leaders; for groups asking_groups, describing_groups,
group_protocols, group_effects, group_changes; for share groups asking_share_states, share_sessions,
share_acknowledging, share_fetching, share_preparation; for transactions asking_transactions,
transaction_markers, transaction_changes; then the handlers: one file per API, under the same path
and name as its messages.
"""
