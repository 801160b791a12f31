"""Pipelines from topics to tables, in PySpark that is meant to be read and copied.

Owns the pipelines, their settings, and how a run is checked, told and shown. Knows no protocol and
no file format: topics come from the format `moldau`, tables go to `moldau.spark.lake`.

Reading order:

- `etl`             the pipeline that any topic begins with
- `clickstream`     sessions, pages and a funnel; `sessions` is the state machine
- `settings`        a pipeline's settings, declared once
- `parsing`         from bytes to columns, or to a reason why not
- `job`             runs a pipeline's query, batch by batch
- `landing`         a batch into bronze, silver and the dead letters
- `tables`          each batch gets into its tables once
- `checkpoints`     whose checkpoint it is, and what lay in the lake before it
- `reconciliation`  what came in is what went out and what was rejected
- `catalogue`       the pipelines by name
- `demonstration`   one of them on data of its own, with a node inside the program
- `events`          that data, from a seed; `producing` writes it into a topic
- `report`          a page about a run, with `plots`
- `errors`          what can go wrong
"""
