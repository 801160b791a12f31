"""Commands that people type: one command, one file.

Owns the words and flags of the command line. Decides nothing about Kafka itself: a command reads
its arguments, calls the package that does the work, and prints.

Reading order:

- `command`  the shape every command has, and the world it is given
- `main`     the table of commands, and the `moldau` entry point, with `overview` as its help,
  and `examples` in that of each; `own_parser` reads their flags
- `completion` offers a shell what a word may become
- `rows` shows rows with named columns as `--output` asks for them
- `profiles` are files with what clients of a cluster need, and `profile` changes them
- `numbers`  numbers on the command line, within their bounds
- `server_settings` gives commands the settings of a node, from a file and `--set`
- `start` runs a node, with the settings of `start_settings`, the file of logins that `start_logins`
  finds, a `burst_filter` on its log, and `live_status` on a terminal
- `start_programs` serves the registry, Kafka over HTTP and the console beside a node
- `registry`, `rest`, `console`, `burrow` (how far groups are behind) and `probe` (records timed
  from end to end) each serve one program alone, at `addresses`, with what they share in `serving`
  and `front_flags`
- `start_nodes` starts several nodes, each a process
- `server_start` starts one as Kafka's script does, and `server_stop` finds and stops it
- `format` prepares the directories of a node, and `storage` has it with what kafka-storage shows
- `demo` shows what a cluster does: `demo_failover` kills a node of three under a producer, and
  `failover_report` prints what was seen
- `random_uuid` prints a new id
- `certs` makes certificates of nodes and clients
- `keys` makes and retires the keys of encryption at rest
- `schema` shows and changes what a registry has, and checks a topic's records by
  `schema_records`
- `dump_log` prints what a log directory's files hold
- `metadata` has the shell for a node's metadata
- `explain_access` names the access rule that decides something; `roles` grants roles
- `lake` keeps a Delta table quick and small
- `pipeline` runs pipelines on Spark, and shows them
- `spark_session` starts Spark for it, as loud as it is asked to be
- `link_tools` writes scripts with the names of Kafka's tools
- `kafka` has the tools of Apache Kafka, by their names and with their flags
- `cluster` has commands about a running cluster for which Kafka has no tool
"""
