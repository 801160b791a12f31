"""Moldau beside Apache Kafka 4.3.1: same machine, same settings, same load, turns taken.

    python -m bench.versus              every case, under 25 minutes on two cores
    python -m bench.versus --list       what there is
    python -m bench.versus NAME ...     these alone

Reading order:

- `model`      what a case is made of
- `processes`  every process here has an end, however ours comes
- `meter`      processor time and memory of a node's process tree
- `sides`      the two nodes: same verbs, same settings
- `load`       Kafka's own performance tools, and librdkafka, as the load
- `floor`      the least that the same bytes can cost
- `cases`      the questions
- `rounds`     takes turns
- `figures`, `verdicts`  medians, ratios, and whether goals are met
- `table`, `plot`, `history`, `publish`  what is shown
"""
