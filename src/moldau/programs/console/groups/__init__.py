"""Pages about groups, and why one is behind.

The facts are gathered by `behind`; `diagnosis` is a pure function of them.

Reading order: groups, lag_facts, rebalances, diagnosis, behind.
"""
