"""Our shell for metadata beside Kafka's, in which the same lines are typed.

Three differences: Kafka's shell leaves out the default entity of a quota, and then cannot find
what it lists; it does not list the settings of groups; and `help` is justified to the right.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from moldau.broker.metadata.snapshot import image_records
from moldau.broker.metadata.snapshot_file import SnapshotFields, encode_snapshot
from tests.broker.metadata.rich_image import rich_image
from tests.judges.kafka_jars import MissingJudge, find_shell_libs

pytestmark = [pytest.mark.judge, pytest.mark.long]

TIMEOUT_S = 100
FIELDS = SnapshotFields(epoch=1, created_ms=1_700_000_000_120, last_contained_ms=1)
LINES = r"""
ls
ls /image
ls image/topics/byName local
ls /image/topics/*
ls /image/topics/byName/*
ls /image/topics/byName/orders/0
ls /image/topics/byName/*/0
ls image/{acls,scram} nothing local
ls image/{acls
ls / /image
ls image image/producerIds/nextProducerId
ls image/topics/byName/o?ders
ls image/topics/byName/orders{,-2}
ls 'image/topics' ""
find image/producerIds local/
find nothing image/scram/../acls
find /image/topics
cat image/producerIds/nextProducerId image/provenance
cat image nothing
cat image/topics/byName/*/id
cat image/clientQuotas/*/*
tree image/acls image/clientQuotas nothing
tree image/cluster image/configs
tree image/delegationToken image/features
tree image/scram image/topics
cat
frob
c
fin
ls -x
ls -- -x
pwd x
history x
ls -h
cat -h
cd nothing
cd image/provenance
cd image
pwd
cd topics/byName/*
pwd
cd ..
find .
cd
pwd
man ls
man history
man frob
man

history 3
exit
ls
"""
PROMPT = ">> "
OWN = ("[ Kafka", "Loading...", "Starting...")


@pytest.fixture(params=["snapshot", "segment"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    image = rich_image()
    names: dict[str, str] = {"snapshot": f"{100:020}-{1:010}.checkpoint", "segment": f"{0:020}.log"}
    folder = tmp_path / "__cluster_metadata-0"
    folder.mkdir()
    found = folder / names[request.param]
    batches = encode_snapshot(image_records(image), image.features.metadata_version, FIELDS)
    found.write_bytes(b"".join(map(bytes, batches)))
    return found


def printed(command: list[str], path: Path) -> list[str]:
    done = subprocess.run(
        [*command, "--snapshot", str(path)],
        input=LINES.lstrip(),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    return [line for line in done.stdout.splitlines() if not line.startswith(OWN)]


def test_both_shells_answer_alike(path, tmp_path):
    try:
        libs = find_shell_libs()
    except MissingJudge as missing:
        pytest.skip(str(missing))
    quiet = tmp_path / "log4j2.properties"
    quiet.write_text("status=off\nrootLogger.level=off\n")
    logging = f"-Dlog4j2.configurationFile={quiet}"
    java = ["java", logging, "-cp", f"{libs}/*", "org.apache.kafka.shell.MetadataShell"]
    ours = printed([sys.executable, "-m", "moldau", "metadata-shell"], path)
    assert ours == printed(java, path)
