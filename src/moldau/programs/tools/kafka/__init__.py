"""The tools of Apache Kafka 4.3, as its users know them: one tool, one file.

The same flags, columns, messages and exit codes as Java's, so that runbooks and scripts go on to
work; tests run both and compare what they print. A tool uses the client and knows nothing of a
broker, so it works with Apache Kafka as well.

Reading order:

- `flags`      what words of a command line are, as joptsimple reads them
- `subcommands` the same of tools whose first word is the action, as argparse4j reads them
- `java_errors` causes in the words of brokers, and by their names in Java
- `tool`       the shape that every tool has, its help, and how one is run
- `table`      which tools there are
- `clusters`   clients for what the flags name
- `java_order` the order in which Java shows what it has kept in a HashMap
- `topic_names` which topics a pattern stands for
- `streams` bytes in and out, and `console_flags`, settings and old spellings of console tools
- `topics` with `topic_descriptions`, `get_offsets`, `groups`: tools
- `consumer_groups` with `group_tables`, `group_resets` that moves offsets, and `pattern_verdicts`
- `json_files` read what tools are given as JSON, and `plain_table` prints tables
- `delete_records`, `log_dirs`, `leader_election`, `cluster`, `broker_api_versions`,
  `client_metrics`, `metadata_quorum`, `features`, `transactions`: tools
- `configs` with `config_entities` and `config_quotas`, `acls` with `acl_flags`: tools
- `share_groups` and `streams_groups` with `group_states` and `streams_group_tables`,
  `delegation_tokens`, `streams_application_reset`: tools
- `reassign_partitions` with `reassignment_plans`, `reassignment_throttles`, `reassignment_moves`
- `console_producer` with `line_records`, `console_consumer` with `record_lines`,
  `deserializers` and, for Kafka's own topics, `coordinator_lines`
- `absent_topics` warns readers to whom nothing comes
- `console_share_consumer`; `producer_perf_test`, `consumer_perf_test`, `share_consumer_perf_test`
  and `e2e_latency` with `perf_figures`
- `verifiable_producer`, `verifiable_consumer`, `verifiable_share_consumer` with `verifiable_events`
"""
