"""Programs around the broker: what people start from a shell.

A program uses the client and the protocol. It imports the broker's packages only where its very
purpose is to start a node or to read a node's files; pyproject.toml names each of those places.

Reading order: `tools` (the `moldau` command, one command a file), `pipelines` (from topics to
tables of a lake, on Spark), `http` (what the others serve by), `registry` (schemas in a topic),
`lag` (how far groups are behind), `probe` (records that are timed from end to end), `rest` (Kafka
over HTTP), `console` (a cluster on pages of a browser); `located_yaml` reads files that people
write, within `yaml_bounds`.
"""
