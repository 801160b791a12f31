"""Classic groups: clients that agree among themselves, through a coordinator that lets them meet.

Reading order: states, member, subscriptions, group, stored, answers, sessions, rebalance,
join_attempt, join, succession, sync, heartbeat, leave, kind.
"""
