"""Partitions: where replicas lie, who is in sync, who leads.

Reading order: placement, assignment, replica_index, target, election, change, leaders, moves.
"""
