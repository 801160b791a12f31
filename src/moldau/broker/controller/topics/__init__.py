"""Topics: their names, and how they come, grow and go.

Reading order: names, create, grow, delete.
"""
