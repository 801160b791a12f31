"""What a container of Spark's does first: `python3 -m moldau.spark.executor ARGUMENT …`.

Spark on Kubernetes starts an executor's container with the one argument `executor` and gives the
rest by its environment. Which program that becomes is left to the image; Spark's own images have a
script for it, the pip package has none, and this is ours. The process becomes Java, so that the
kubelet's signals and the exit code are the executor's own.

- What `OPTIONS` lists becomes an option of the executor, `SPARK_EXECUTOR_MEMORY` Java's heap.
- `SPARK_JAVA_OPT_0`, `SPARK_JAVA_OPT_1`, … are options of Java, in the order of their numbers.
- `SPARK_CONF_DIR` and `SPARK_CLASSPATH` come before the jars of the pip package on the class path,
  `HADOOP_CONF_DIR` and `SPARK_DIST_CLASSPATH` after them.

Any other argument is a program, and runs as it stands: `moldau pipeline run …` in the same image.
`driver`, which Spark gives in its cluster mode, is refused with what to do instead.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from moldau.errors import MissingExtraError, MoldauError
from moldau.platform.system.process import become, environment
from moldau.spark.errors import SparkSetupError
from moldau.spark.session import NO_SPARK

__all__ = ["command_for", "executor_command", "jars_folder", "main"]

MAIN_CLASS = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"
OPTIONS = {
    "--driver-url": "SPARK_DRIVER_URL",
    "--executor-id": "SPARK_EXECUTOR_ID",
    "--cores": "SPARK_EXECUTOR_CORES",
    "--app-id": "SPARK_APPLICATION_ID",
    "--hostname": "SPARK_EXECUTOR_POD_IP",
    "--resourceProfileId": "SPARK_RESOURCE_PROFILE_ID",
    "--podName": "SPARK_EXECUTOR_POD_NAME",
}
MEMORY = "SPARK_EXECUTOR_MEMORY"
JAVA_OPTION = "SPARK_JAVA_OPT_"
BEFORE_JARS = ("SPARK_CONF_DIR", "SPARK_CLASSPATH")
AFTER_JARS = ("HADOOP_CONF_DIR", "SPARK_DIST_CLASSPATH")


def executor_command(variables: Mapping[str, str], jars: str) -> list[str]:
    """The Java that an executor is, from what Spark wrote into its pod."""
    missing = [name for name in (*OPTIONS.values(), MEMORY) if not variables.get(name)]
    if missing:
        raise SparkSetupError(
            f"an executor of Spark's is started by Spark, in a pod whose environment has"
            f" {', '.join(missing)}: give this image to spark.kubernetes.container.image"
        )
    java = f"{variables['JAVA_HOME']}/bin/java" if variables.get("JAVA_HOME") else "java"
    options = [word for flag, name in OPTIONS.items() for word in (flag, variables[name])]
    heap = f"-Xmx{variables[MEMORY]}"
    return [
        java,
        *_java_options(variables),
        heap,
        "-cp",
        _class_path(variables, jars),
        MAIN_CLASS,
        *options,
    ]


def _java_options(variables: Mapping[str, str]) -> list[str]:
    numbers = (name.removeprefix(JAVA_OPTION) for name in variables if name.startswith(JAVA_OPTION))
    ordered = sorted(int(number) for number in numbers if number.isdigit())
    return [variables[f"{JAVA_OPTION}{number}"] for number in ordered]


def _class_path(variables: Mapping[str, str], jars: str) -> str:
    before = [variables[name] for name in BEFORE_JARS if variables.get(name)]
    after = [variables[name] for name in AFTER_JARS if variables.get(name)]
    return ":".join([*before, f"{jars}/*", *after])


def jars_folder() -> str:
    """Where the pip package keeps Spark."""
    found = find_spec("pyspark")
    if found is None or not found.submodule_search_locations:
        raise MissingExtraError(NO_SPARK)
    return f"{found.submodule_search_locations[0]}/jars"


def command_for(arguments: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """What the container becomes."""
    match list(arguments):
        case ["executor"]:
            return executor_command(variables, jars_folder())
        case ["driver", *_]:
            raise SparkSetupError(
                "this image has no driver for Spark's cluster mode: run the program itself in a"
                " pod, such as `moldau pipeline run … --master k8s://https://kubernetes.default.svc`"
            )
        case []:
            raise SparkSetupError(
                "say what to run: a program and its arguments, or `executor` as Spark does"
            )
        case program:
            return program


def main() -> int:
    """Become the program; the exit code if that cannot be."""
    variables = environment()
    try:
        become(command_for(sys.argv[1:], variables), variables)
    except (MoldauError, OSError) as error:
        sys.stderr.write(f"moldau: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
