"""A share partition: one topic's partition as one share group consumes it.

    start offset ─► runs: what was handed out at least once, without holes ─► end offset

All below the start offset is settled. From the end offset on nothing was acquired. Between the
two every offset belongs to a run, and runs say who holds what. Everything happens in memory and
at once; what has to be stored is handed to the caller, which comes back when it is.

Reading order: runs, limits, share_partition, acquiring, acknowledging.
"""
