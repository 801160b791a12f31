"""What a client knows and decides: no socket, no clock, no loop.

Dialogues are generators: they yield requests, receive answers, and end with a result. The fetcher
is a state machine that never ends. Time comes in with the answers.

Reading order: dialogue, retry_deadline, cluster, telemetry (its meter), context, versions, routing,
metadata, offset_lookups, ranges, coordinators, group_member, group_offsets, fetching, producing,
consuming, retry_plan, admin, sharing, telemetry.
"""
