"""The active controller: what happens to brokers, topics, partitions, settings and features.

Pure: requests and the time go in, metadata records and replies come out. It decides on state that
may not be committed yet, because its own records are applied as soon as they are appended; the one
that runs it answers only after commit, and throws the whole controller away when it is not the
leader of the quorum any more.

Reading order: decision, situation, controller, periodic; then brokers, partitions, topics, configs,
cluster, security, each with one file per thing that is decided about.
"""
