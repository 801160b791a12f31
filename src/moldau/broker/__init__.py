"""A Kafka node: broker, controller, or both.

From the disk upwards: logs of partitions, the metadata log with its quorum, what the controller
and the coordinators decide, the loops that drive them, the handlers of requests, and the node that
puts the parts together. Clients and programs never import from here, but for the exceptions that
pyproject.toml names.

Reading order: `log` (one partition's files), `replica` (partitions led and followed), `quorum`
(KRaft), `metadata` (the cluster's image), `controller` (what the active controller decides),
`coordinator` (groups, transactions, share partitions), `runtime` (drives the state machines),
`security` (authorization, credentials), `metrics` (what is measured), `server` (a handler for each
API), `node` (start and stop).
"""
