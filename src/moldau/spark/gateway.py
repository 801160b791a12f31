"""Spark's Java process, started without what it writes before its log level can be set.

A level for Spark's log counts only when Spark runs; until then Java, Hadoop and log4j write a page.
So the standard error of the process, and of the Python workers that it starts, is read and dropped.
If Java does not come up, the reason is what it wrote first.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping

from moldau.platform.system.drain import Drain
from moldau.spark.errors import SparkSetupError

__all__ = ["reason_in", "start_quietly"]

PY4J = "py4j"
NOISE = re.compile(
    r"WARNING: |Using Spark's default|Setting (default|Spark) log level|To adjust|\tat "
    r"|Error occurred during"
    r"|\d\d/\d\d/\d\d [\d:]+ (WARN|INFO) "
)
RAISED = re.compile(
    r'^(?:Exception in thread "\w+" )?(?:[\w$]+\.)+[\w$]+(?:Exception|Error): '
    r"|^\d\d/\d\d/\d\d [\d:]+ ERROR \w+: "
)
"""What stands before a message."""


def start_quietly(settings: Mapping[str, str]) -> Drain | None:
    """Start the process with these settings, unless this program has one; what it writes."""
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is not None:
        return None
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    _hush_failures()
    drain = Drain()
    outputs = {"stdout": drain.fileno(), "stderr": drain.fileno()}
    try:
        gateway = launch_gateway(conf, outputs)  # type: ignore[no-untyped-call]
    except PySparkRuntimeError as error:
        drain.close()
        reason = reason_in(drain.start_of_all())
        raise SparkSetupError(f"Spark's Java process did not start: {reason}") from error
    drain.close()
    SparkContext._ensure_initialized(gateway=gateway)
    return drain


def _hush_failures() -> None:
    """Keep PySpark from writing the trace of each call that fails when Java ends: for the rest of
    the program, since its threads outlive the session. Each comes as an exception, too."""
    from pyspark import accumulators

    logging.getLogger(PY4J).setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_from_elsewhere)
    for server in (accumulators.AccumulatorTCPServer, accumulators.AccumulatorUnixServer):
        server.handle_error = _ignore  # type: ignore[method-assign,assignment]


def _is_from_elsewhere(record: logging.LogRecord) -> bool:
    """Whether what was logged without a name is not py4j's."""
    return f"/{PY4J}/" not in record.pathname


def _ignore(server: object, request: object, address: object) -> None:
    """What a server of sockets does about an error: nothing, where Java has closed."""


def reason_in(text: str) -> str:
    """The first line that is no noise: what comes after it are consequences."""
    for line in text.splitlines():
        if line.strip() and not NOISE.match(line):
            return RAISED.sub("", line.strip())
    return "it ended without a word"
