"""Commands about a running cluster for which Kafka has no tool.

They use the client and nothing of a broker, so they work with Apache Kafka as well. Flags are
argparse's; `--json` prints what scripts read, and a table is for people.

Reading order:

- `connecting` the flags that lead to a cluster, and `tables`, columns of text
- `lags` how far groups are behind, and `lag`, which shows it
- `cluster_view` what `top` shows of a cluster, and `top`
- `findings` what is wrong with a cluster, and why, and `doctor`
- `secrets` what is hidden in texts, `bundle` facts to send away, and `debug_bundle`
- `clone_group` offsets of one group for another
- `histogram` latencies by their size, and `bench`
- `record_files` records as lines of JSON or as Parquet, `export_topic` and
  `import_topic`, with `parquet_files` where pyarrow is there
- `cat_format`, kcat's, `cat_producing`, `cat_consuming`, `cat_group`, and `cat`
- `wanted` and `changes`: what a file declares; `plan` shows it, `apply` does it
"""
