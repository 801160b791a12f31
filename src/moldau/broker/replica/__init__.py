"""What this broker keeps of each partition: leading, following, and the care for the disks.

A `Partition` stands between a log, which knows nothing of brokers, and the requests, which know
nothing of disks. It has the leader, the ISR, and the progress of each follower; the high watermark
is its doing. The `ReplicaManager` makes partitions come and go with the metadata. All of it
lives on the loop: one owner, no locks. What blocks longer than a write to the page cache goes
through `Tasks.offload`, one piece of work at a time for each log.

Reading order:

- One partition: assignment, refusals, isr, commit_waiters, settling, partition,
  leading, fetching, nearest, following, positions
- All of them: directory_choice, topic_settings, log_dir_scan, opening_reports, wanted,
  reconciler, manager
- In the background: checkpoints, flushing, leaving, cleaning, throttle, moves, upkeep
"""
