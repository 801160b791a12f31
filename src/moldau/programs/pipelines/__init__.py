"""Pipelines from topics to tables, in PySpark that is meant to be read and copied.

Owns the pipelines, their settings, and how a run is checked, reported and shown. Has no protocol
and no file format: topics come from the format `moldau`, tables go to `moldau.spark.lake`.

Reading order:

- `etl`             the pipeline that any topic begins with
- `clickstream`     sessions, pages and a funnel; `sessions` is the state machine
- `logs`            lines by level, and alerts into a topic
- `fraud`           alerts about payment cards; `cards` has the rules, `model` the scores
- `cdc`             Debezium into mirrors; `debezium` and `envelope` read its records, `mirror`
                    applies them
- `telemetry`       windows, gaps and outliers of devices; `devices` is the state machine
- `sourcing`        commands, events and projections; `accounts` decides
- `services`        how orders end that several services work on
- `declared`        pipelines that are files of YAML; `drawing` shows them, `declared_run` runs them
- `stateful`        plain Python with state by key and deadlines, in a `state_map`
- `pipeline`        what a pipeline is to those who run it
- `route`           where one reads and where it writes
- `readiness`       what is asked before Spark starts
- `settings`        a pipeline's settings, declared once
- `landing_settings` those that pipelines share
- `parsing`         from bytes to columns, or to a reason why not
- `job`             runs a pipeline's query, batch by batch; `batch` is one of them
- `progress`        lines of progress, and `lag`, what waits behind a batch
- `early`           good JSON into tables in one pass of Python, by `quick_parsing`
- `landing`         a batch into bronze, silver and the dead letters
- `tables`          each batch gets into its tables once
- `outputs`         each batch gets into its topics once
- `checkpoints`     whose checkpoint it is, and what lay in the lake before it
- `reconciliation`  what came in is what went out and what was rejected
- `state`           what its checkpoint and its lake say of it, seen from outside
- `catalogue`       the pipelines by name: ours, those of packages, and files
- `demonstration`   one of them on data of its own, with a node inside the program
- `demonstrations`  with what each is shown
- `events`          that data, from a seed; `producing` writes it into a topic
- `payments`, `changes`, `readings`, `commands`, `order_events`   further data
- `fraud_verdict`   precision and recall of alerts
- `reporting`       what a run has left behind, for the page `report`, with its `plots`
- `errors`          what can go wrong
"""
