"""Finds Delta Lake's own jars for Spark, which judge our tables; fetched once with Maven."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.judges.kafka_jars import MissingJudge

VERSION = "4.4.0"
ARTIFACT = "delta-spark_4.2_2.13"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / f"delta-{VERSION}"
FETCH_TIMEOUT_S = 600
PROJECT = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>moldau</groupId><artifactId>judges</artifactId><version>1</version>
<dependencies><dependency>
<groupId>io.delta</groupId><artifactId>{ARTIFACT}</artifactId><version>{VERSION}</version>
</dependency></dependencies></project>"""


def find_delta_jars() -> list[Path]:
    """What Spark needs beside its own jars; or `MissingJudge`."""
    folder = CACHE / "libs"
    if not (folder / f"{ARTIFACT}-{VERSION}.jar").exists():
        _fetch(folder)
    return sorted(folder.glob("delta-*.jar"))


def _fetch(folder: Path) -> None:
    if shutil.which("mvn") is None:
        raise MissingJudge("Delta's jars cannot be fetched: this machine has no mvn.")
    CACHE.mkdir(parents=True, exist_ok=True)
    project = CACHE / "libs.xml"
    project.write_text(PROJECT)
    command = ["mvn", "-q", "-f", str(project), "dependency:copy-dependencies"]
    try:
        subprocess.run(
            [*command, f"-DoutputDirectory={folder}", "-DexcludeScope=provided"],
            check=True,
            capture_output=True,
            timeout=FETCH_TIMEOUT_S,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MissingJudge("Delta's jars cannot be fetched: Maven reached no registry.") from error
