"""How partitions are given out to the members of a consumer group: pure functions.

Reading order: spec, range_assignor, uniform_assignor, equal_subscriptions, mixed_subscriptions,
balancer.
"""
