"""Spark writes tables of a lake, through PySpark alone: Delta without a jar, and plain Parquet.

    moldau.spark.lake.register(spark)
    frame.writeStream.format("moldau-delta").option("checkpointLocation", …).start("lake/orders")
    frame.write.format("moldau-delta").mode("append").save("lake/orders")

Tasks write Parquet files, and the driver makes them a part of the table in one step, which also
names which batch of which query they are: a batch that comes again adds nothing. It reads and
writes no topic, and it never looks into a row.

Reading order: options, store, splitting, statistics, parts, schemas, transactions, delta, and then
parquet, reading, growing, scanning, upkeep, upsert, job_tasks, shares (several tables from one
pass).
"""

from __future__ import annotations

from moldau.spark.lake.formats import register
from moldau.spark.lake.upkeep import compact, vacuum

__all__ = ["compact", "register", "vacuum"]
