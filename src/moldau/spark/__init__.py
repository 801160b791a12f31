"""Kafka topics and lake tables in Spark, through PySpark alone: no jar, no Maven.

    import moldau.spark

    spark = moldau.spark.session()
    orders = spark.read.format("moldau").option("kafka.bootstrap.servers", "localhost:9092")
    orders.option("subscribe", "orders").load().show()

The format `moldau` takes the options and shows the columns of Spark's own Kafka connector, so a
pipeline moves over by one word. It reads Moldau and Apache Kafka alike. What is written to a lake
goes by `lake`. Nothing of the broker is imported here.

Reading order: errors, session, class_archive (what Java starts from), rehearsal (what is run to
make it), worker_python (which Python runs workers, by worker_python.sh), format_variables (which
variables formats have there), gateway (Java, started quietly), kubernetes (executors in pods), pods
(waiting for the first), executor (what their containers run), options, source (topics as tables and
streams), sink (rows into topics), worker_garbage (what workers collect), lag, lake, registry
(columns by its schemas).
"""

from __future__ import annotations

from moldau.spark.errors import sentence_of
from moldau.spark.session import register, session

__all__ = ["register", "sentence_of", "session"]
