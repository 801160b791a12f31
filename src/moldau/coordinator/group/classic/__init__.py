"""Classic groups: clients that agree among themselves, through a coordinator that lets them meet.

Reading order: states, member, group, rebalance, join, sync, heartbeat, leave, stored, kind.
"""
