"""Finds Apache Kafka's own jars, which judge what we write, and fetches them once with Maven.

They stay in the user's cache folder: nothing of Apache Kafka is kept in this repository.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

VERSION = "4.3.1"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / f"apache-kafka-{VERSION}"
LIBS = CACHE / "libs"
LANDMARK = f"kafka_2.13-{VERSION}.jar"
"""The server's jar: where it is, everything it needs is beside it."""
FETCH_TIMEOUT_S = 600
JUDGES = (
    ("org.apache.kafka", "kafka_2.13", VERSION),
    ("org.apache.kafka", "kafka-tools", VERSION),
    ("org.apache.kafka", "kafka-clients", VERSION),
    ("org.apache.logging.log4j", "log4j-slf4j-impl", "2.24.3"),
)


class MissingJudge(Exception):
    """Why Apache Kafka cannot be asked on this machine, in one sentence."""


def find_kafka_libs() -> Path:
    """The folder of jars, for a class path of `FOLDER/*`; or `MissingJudge`."""
    if shutil.which("java") is None:
        raise MissingJudge("Apache Kafka cannot be asked: this machine has no java.")
    if not (LIBS / LANDMARK).exists():
        _fetch_once()
    return LIBS


def _fetch_once() -> None:
    """Several test processes may want the jars at the same time: one fetches, the others wait."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (LIBS / LANDMARK).exists():
            _fetch()


def _fetch() -> None:
    if shutil.which("mvn") is None:
        raise MissingJudge("Apache Kafka cannot be fetched: this machine has no mvn.")
    (CACHE / "pom.xml").write_text(_project())
    fetching = CACHE / "fetching"
    shutil.rmtree(fetching, ignore_errors=True)
    command = ["mvn", "-q", "-f", str(CACHE / "pom.xml"), "dependency:copy-dependencies"]
    try:
        subprocess.run(
            [*command, f"-DoutputDirectory={fetching}"],
            check=True,
            capture_output=True,
            timeout=FETCH_TIMEOUT_S,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MissingJudge("Apache Kafka cannot be fetched: Maven reached no registry.") from error
    shutil.rmtree(LIBS, ignore_errors=True)
    fetching.rename(LIBS)


def _project() -> str:
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, artifact, version in JUDGES
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>moldau</groupId><artifactId>judges</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )
