"""Dynamic settings: what is in force, what may be set, and what follows from a change.

Reading order: effective, validation, min_isr, alter.
"""
