"""The controllers among themselves, and tools that describe or change the quorum.

Reading order: access; vote, begin_quorum_epoch, end_quorum_epoch, fetch, fetch_snapshot;
describe_quorum, add_raft_voter, remove_raft_voter, update_raft_voter.
"""
