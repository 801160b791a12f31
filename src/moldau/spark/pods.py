"""The pods that executors are to be in: waiting for the first, unless none can come.

A pod whose image cannot be had waits, and Spark waits with it, for ever and, in a pipeline, without
a word. So a session looks at its pods until the first executor has come. What will not mend itself
ends it. What may, such as a cluster that grows for pods it has no room for, is logged and left to
Spark.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from moldau.spark.errors import SparkSetupError
from moldau.spark.kubernetes import Java, api_server, client_for, namespace_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["await_executor", "room_wanted", "trouble_among"]

log = logging.getLogger(__name__)

SELECTOR = "spark-app-selector"
DYNAMIC = "spark.dynamicAllocation.enabled"
"""Executors come when there is work, and none may be needed yet."""
HOPELESS = {"ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"}
"""Why a container waits, where a person has to do something."""
UNSCHEDULABLE = "Unschedulable"
LOOKS, BETWEEN_LOOKS_MS = 120, 500
"""A minute; images are pulled in less, or it does no harm to stop looking."""


def await_executor(spark: SparkSession, master: str) -> None:
    """Return when one is there, or nothing is known against it."""
    context = spark.sparkContext
    conf = context.getConf()
    if conf.get(DYNAMIC) == "true":
        return
    java: Java = context._jvm
    client = client_for(java, conf, api_server(master)[0])
    pods = client.pods().inNamespace(namespace_of(conf))
    ours = pods.withLabel(SELECTOR, context.applicationId)
    reported = False
    try:
        for _ in range(LOOKS):
            if context._jsc.sc().getExecutorMemoryStatus().size() > 1:  # the driver is one of them
                return
            found = ours.list().getItems()
            trouble, wanted = trouble_among(found), room_wanted(found)
            if trouble:
                raise SparkSetupError(trouble)
            if wanted and not reported:
                log.warning("%s", wanted)
                reported = True
            java.java.lang.Thread.sleep(BETWEEN_LOOKS_MS)
    finally:
        client.close()


def trouble_among(pods: Java) -> str | None:
    """Why one of them cannot begin."""
    containers = [one for pod in pods for one in pod.getStatus().getContainerStatuses() or ()]
    for container in containers:
        waiting = container.getState().getWaiting()
        if waiting is not None and waiting.getReason() in HOPELESS:
            return (
                f"executors cannot begin, for the image {container.getImage()} cannot be had:"
                f" {waiting.getReason()}, {waiting.getMessage()}"
            )
    return None


def room_wanted(pods: Java) -> str | None:
    """Why one of them is on no node yet, if the scheduler has looked for one."""
    conditions = [one for pod in pods for one in pod.getStatus().getConditions() or ()]
    for condition in conditions:
        if condition.getReason() == UNSCHEDULABLE:
            return f"executors wait for a node that has room for them: {condition.getMessage()}"
    return None
