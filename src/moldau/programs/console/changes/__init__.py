"""Changes to a cluster: each is planned, shown, and then run as it was shown.

A kind of change is one function that looks at the cluster and gives back the command line that does
the same, the difference it makes, and how to do it. Nothing else on the console changes anything.

Reading order: change (the value), commands (how command lines are written), topics, copying,
settings, partitions, sent_data (from text to bytes), records, many_topics (with one look), groups,
deleted_offsets, members, log_levels, access, roles, transactions, table (all kinds), once, running
(plans, runs, audit).
"""
