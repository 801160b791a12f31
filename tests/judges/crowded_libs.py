"""Kafka's folder of jars as people may leave it: with jars beside them that are not its own.

One is of another part of the same version, with a message of its own; one is an older version of a
jar that is there, whose schemas say something else; one has a name that sorts before all others.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from tests.judges.kafka_jars import VERSION

OTHERS = (f"kafka-streams-{VERSION}.jar", "kafka-clients-3.0.0.jar", "kafka-a.jar")


def crowded_libs(libs: Path, folder: Path) -> Path:
    """`folder`, with all that is in `libs` and a few jars more."""
    for jar in libs.iterdir():
        (folder / jar.name).symlink_to(jar)
    for name in OTHERS:
        with zipfile.ZipFile(folder / name, "w") as archive:
            for message in ("SubscriptionInfo", "FetchRequest"):
                archive.writestr(f"common/message/{message}.json", json.dumps(schema(message)))
    return folder


def schema(message: str) -> dict[str, object]:
    return {"type": "data", "name": message, "validVersions": "0", "fields": []}
