"""Share groups (KIP-932): members that take records from the same partitions, one by one.

A member sends its subscription; the `simple` assignor gives each partition to as many members
as it takes to keep all of them busy. Nothing is ever revoked in steps, because members do not own
partitions: who may have a record is decided where the partition is led.

Before a partition is given to any member, a share coordinator has to keep its state. So a new
subscription goes through three records: state asked for, state there, another assignment.

Reading order: member, group, prepared, records, sharing, assignor, settings, steps, heartbeat,
offsets, describe, kind.
"""
