"""KRaft: several nodes agree on one log (KIP-595, 630, 853, 996).

Owns elections, replication, who votes, and what a member must remember. Every member is a state
machine without clock, socket or disk: events with the time go in, effects come out in the order in
which they are to be done. It does not know what the log's records mean, and does not write them.
`DESIGN.md` has the roles and the promises.

Reading order: voters, log_view, state_file, events, effects, progress, roles, member, election,
following, leading, voter_changes, standing, node.
"""
