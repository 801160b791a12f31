"""Finds Apache Kafka's own jars, which judge what we write, and fetches them once with Maven.

    find_kafka_libs()       server, tools, clients
    find_streams_libs()     Kafka Streams, with its store
    find_shell_libs()       the shell for metadata
    find_connect_libs()     Kafka Connect, with the file connectors
    find_client_libs(...)   the clients of an older version, without the rest
    find_server_libs(...)   its server, with all that it needs
    find_junit_libs()       JUnit, as our examples for Java use it
    find_spring_libs()      Spring Boot with Spring for Apache Kafka, likewise
    find_flink_registry()   Confluent's client of registries, as Apache Flink brings it along
    message_jars(libs)      of the first, those that hold messages, by their names
    class_path(libs)        Kafka's jars of this version before whatever else lies there

They stay in the user's cache folder: nothing of Apache Kafka is kept in this repository.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

VERSION = "4.3.1"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / f"apache-kafka-{VERSION}"
FETCH_TIMEOUT_S = 600
LOGGING = ("org.apache.logging.log4j", "log4j-slf4j-impl", "2.24.3")


class MissingJudge(Exception):
    """Why Apache Kafka cannot be asked on this machine, in one sentence."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Some of Kafka's artifacts and all that they need, in one folder of the cache."""

    folder: str
    artifacts: tuple[str, ...]
    """Where the jar of the first is, everything is beside it."""
    version: str = VERSION
    group: str = "org.apache.kafka"
    beside: tuple[tuple[str, str, str], ...] = (LOGGING,)
    """Further artifacts: group, name and version."""

    @property
    def libs(self) -> Path:
        return CACHE / self.folder

    @property
    def is_there(self) -> bool:
        return (self.libs / f"{self.artifacts[0]}-{self.version}.jar").exists()


SERVER = Judge("libs", ("kafka_2.13", "kafka-tools", "kafka-clients"))
STREAMS = Judge("streams", ("kafka-streams",))
SHELL = Judge("shell", ("kafka-shell",))
CONNECT = Judge("connect", ("connect-runtime", "connect-file"))
JUNIT = Judge(
    "junit", ("junit-platform-console-standalone",), "1.13.4", "org.junit.platform", beside=()
)
SPRING = Judge(
    "spring", ("spring-boot-starter-kafka",), "4.1.2", "org.springframework.boot", beside=()
)
"""It brings clients and a logger of its own."""
FLINK_REGISTRY = Judge(
    "flink-registry",
    ("flink-sql-avro-confluent-registry",),
    "2.1.0",
    "org.apache.flink",
    beside=(("org.slf4j", "slf4j-nop", "2.0.17"),),
)
"""Confluent's own Maven repository is another one than Maven's."""


MESSAGE_JARS = (
    "kafka-clients",
    "kafka-group-coordinator",
    "kafka-metadata",
    "kafka-raft",
    "kafka-share-coordinator",
    "kafka-storage",
    "kafka-transaction-coordinator",
)
"""Jars with messages that a node reads or writes; those of Kafka Streams are no node's."""


def message_jars(libs: Path) -> list[Path]:
    """Each of them, and no other, whatever lies beside them."""
    jars = [libs / f"{name}-{VERSION}.jar" for name in MESSAGE_JARS]
    missing = [jar.name for jar in jars if not jar.exists()]
    if missing:
        raise MissingJudge(f"Apache Kafka cannot be asked: {libs} lacks {', '.join(missing)}.")
    return jars


def class_path(libs: Path) -> str:
    """So that a jar of another version beside them hides none of their classes."""
    own = sorted(map(str, libs.glob(f"kafka*-{VERSION}.jar")))
    return os.pathsep.join([*own, f"{libs}/*"])


def find_kafka_libs() -> Path:
    """The folder of jars, for a class path of `FOLDER/*`; or `MissingJudge`."""
    return _find(SERVER)


def find_streams_libs() -> Path:
    return _find(STREAMS)


def find_shell_libs() -> Path:
    return _find(SHELL)


def find_connect_libs() -> Path:
    return _find(CONNECT)


def find_junit_libs() -> Path:
    return _find(JUNIT)


def find_spring_libs() -> Path:
    return _find(SPRING)


def find_flink_registry() -> Path:
    return _find(FLINK_REGISTRY)


def find_client_libs(version: str) -> Path:
    return _find(Judge(f"clients-{version}", ("kafka-clients",), version))


def find_server_libs(version: str) -> Path:
    return _find(Judge(f"server-{version}", ("kafka_2.13",), version, beside=()))


def _find(judge: Judge) -> Path:
    if shutil.which("java") is None:
        raise MissingJudge("Apache Kafka cannot be asked: this machine has no java.")
    if not judge.is_there:
        _fetch_once(judge)
    return judge.libs


def _fetch_once(judge: Judge) -> None:
    """Several test processes may want the jars at the same time: one fetches, the others wait."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not judge.is_there:
            _fetch(judge)


def _fetch(judge: Judge) -> None:
    if shutil.which("mvn") is None:
        raise MissingJudge("Apache Kafka cannot be fetched: this machine has no mvn.")
    project = CACHE / f"{judge.folder}.xml"
    project.write_text(_project(judge))
    fetching = CACHE / "fetching"
    shutil.rmtree(fetching, ignore_errors=True)
    command = ["mvn", "-q", "-f", str(project), "dependency:copy-dependencies"]
    try:
        subprocess.run(
            [*command, f"-DoutputDirectory={fetching}"],
            check=True,
            capture_output=True,
            timeout=FETCH_TIMEOUT_S,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MissingJudge("Apache Kafka cannot be fetched: Maven reached no registry.") from error
    shutil.rmtree(judge.libs, ignore_errors=True)
    fetching.rename(judge.libs)


def _project(judge: Judge) -> str:
    artifacts = ((judge.group, artifact, judge.version) for artifact in judge.artifacts)
    wanted = [*artifacts, *judge.beside]
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, artifact, version in wanted
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>moldau</groupId><artifactId>judges</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )
