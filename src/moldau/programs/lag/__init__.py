"""How far groups are behind, and whether they are well: Burrow's rules and its HTTP API.

Every commit of every group is read from `__consumer_offsets`, as Burrow reads it, so nothing has to
be set for a group, and a threshold is not needed: the last commits of a partition show whether its
consumer goes on, waits, or has stopped. Beyond Burrow the time of the oldest record that is still
to be read is looked up in the log itself, which gives the lag in seconds. It uses the client alone,
so the cluster may be any.

Reading order: windows (the last commits of a partition), statuses (the rules), state (all that is
known), commits (records of the topic), ages (times of records), following (what reads the cluster),
metrics, api (routes), service.
"""
