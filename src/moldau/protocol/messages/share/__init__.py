"""Share groups (KIP-932): queues over partitions, and the state they keep."""
