"""A node: the only room that puts the others together.

Reading order: world, defaults, server_properties, format_plan, formatting, storage, doors,
coordinators, transactions, shares, node.
"""
