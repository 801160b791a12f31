"""Share groups: membership, records under acquisition locks, and the state behind them (KIP-932).

Reading order: sessions, preparation, counting, fetching, acknowledging, ends; share_fetch,
share_acknowledge; share_group_heartbeat, share_group_describe; describe_share_group_offsets,
alter_share_group_offsets, delete_share_group_offsets.
"""
