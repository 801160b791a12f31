"""What everything else stands on: the machine behind protocols, and ten small pieces of language.

Code above this package reaches time, randomness, files, sockets and tasks through `ports`, so the
same broker runs on a machine (`system`) and in a simulation that one seed decides (`simulated`).
Nothing here depends on Kafka.

Reading order: `ports` (the protocols), `system` (the machine), `simulated` (one from a seed),
`slices` (long work that lets others go on), `wakeable_sleep` (a wait that may end early), `buffers`
(the type of bytes that may belong to another), `quick_dataclass` (dataclasses that cost a start
little, most by `plain_dataclass`), `lazy_names` (exports that are imported when they are asked
for), `lazy_log` (a logger that is likewise), `closing` (what ends with its `with`),
`compiler_hints` (what the compiler is to know of a class), `der` (names in certificates),
`java_hash` (of texts).
"""
