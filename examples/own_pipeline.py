r"""A pipeline of your own: large payments of a topic into a Delta table, each batch once.

    pip install 'moldau[spark]' confluent-kafka
    moldau start
    python examples/own_pipeline.py localhost:9092
    moldau pipeline run examples/own_pipeline.py --bootstrap localhost:9092 --topic payments \
        --lake lake --checkpoint checkpoint --available-now --set at_least=90
    python -c "from deltalake import DeltaTable, QueryBuilder
    lake = QueryBuilder().register('large', DeltaTable('lake/large'))
    print('sum', *lake.execute('select sum(amount) from large').read_all()[0].to_pylist())"

writes a hundred payments of 0 to 99, moves those of at least 90 into the table, and adds them up.
It needs Java 17 or later, and prints

    Spark starts on local[*]
    …
    batch 0: 100 in, 10 out, 90 rejected (90 small) in … s, … records/s, lag 0
    it adds up: 100 in = 10 out + 90 rejected
    sum 945

Run once more, the pipeline goes on where its checkpoint is.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from confluent_kafka import Producer
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from moldau.programs.pipelines.batch import Batch
from moldau.programs.pipelines.job import Job, Work
from moldau.programs.pipelines.pipeline import Pipeline
from moldau.programs.pipelines.reconciliation import Counts
from moldau.programs.pipelines.settings import setting

SCHEMA = "customer string, amount bigint"


@dataclass(frozen=True, kw_only=True)
class PaymentSettings:
    """What `--set` changes."""

    at_least: int = setting(50, "smaller payments are left out")


def run(job: Job, settings: PaymentSettings) -> None:
    work = Work({"large": ""}, lambda records, batch: land(records, batch, settings))
    job.run(work, job.records())


def land(records: DataFrame, batch: Batch, settings: PaymentSettings) -> Counts:
    """One batch: its large payments into the table, and how many records went where."""
    payment = sql.from_json(sql.col("value").cast("string"), SCHEMA)
    new = records.where(batch.tables.is_new("large"))
    payments = new.select("topic", "partition", "offset", "timestamp", payment.alias("payment"))
    large = payments.select("topic", "partition", "offset", "timestamp", "payment.*")
    large = large.where(large.amount >= settings.at_least)
    batch.append("large", large)
    read, fresh, good = records.count(), new.count(), large.count()
    return Counts(read=read, known=read - fresh, good=good, rejected={"small": fresh - good})


def write_payments(bootstrap: str, count: int) -> None:
    producer = Producer({"bootstrap.servers": bootstrap})
    for amount in range(count):
        producer.produce("payments", json.dumps({"customer": "alice", "amount": amount}))
    producer.flush(30)


PIPELINE = Pipeline(
    name="payments",
    description="large payments into a table",
    settings=PaymentSettings,
    run=run,
    tables=("large", "reconciliation"),
)

if __name__ == "__main__":
    write_payments(sys.argv[1], 100)
