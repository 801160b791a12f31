"""A node: the only room that puts the others together.

Reading order: server_properties, format_plan, formatting.
"""
