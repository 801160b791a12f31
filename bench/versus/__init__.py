"""Moldau beside Apache Kafka 4.3.1: same machine, same settings, same load, turns taken.

    python -m bench.versus              every case, under 25 minutes on two cores
    python -m bench.versus --list       what there is
    python -m bench.versus NAME ...     these alone

Reading order:

- `model`                what a case is made of; `goals`, what it is held to
- `processes`            every process here has an end, however ours comes
- `meter`                processor time and memory of a node's process tree
- `sides`                what cases ask of a node or a cluster; `asking` sets them up
- `kinds`                a node of each kind, with the same settings; `nodes` makes them
- `clusters`             three of them as one side
- `load`, `clients`      Kafka's own performance tools, and librdkafka, as the load
- `performance_tools`    reads what those print
- `generators`           raw load where no such tool makes it
- `floor`, `floors`      the least that the same bytes can cost
- `secured`              nodes with TLS, logins and access rules
- `cases`                the questions; those of three nodes, and with TLS, run by name
- `page_cache`           what keeps a young virtual machine from hiding the difference
- `rounds`, `whole_run`  take turns, and keep to the time there is
- `figures`              medians, ratios, and whether goals are met
- `table`, `plot`, `svg`, `history`, `publish`   what is shown, and where
- `machine`, `progress`, `folder`                what a run records of itself, and where it works
"""
