"""Partitions: where replicas lie, who is in sync, who leads.

Reading order: placement, assignment, target, election, change, leaders, moves.
"""
