"""The metadata quorum at work: its log on the disk, its effects on the wire, its controller.

`moldau.broker.quorum` decides who leads and what is committed; here is what carries that out, but
for the loop itself, which is `runtime.quorum_loop`. Nothing here decides.

Reading order: snapshot_store, committed_note, metadata_log, batches, pending, times, arrivals,
hosted_controller, committed, snapshotting, log_keeper, membership, parts, hosting,
incoming_messages, incoming_voter_changes, describing, incoming, kraft_levels,
outgoing_voter_changes, outgoing_messages, places, outgoing, leader_changes (with leaderless).
"""
