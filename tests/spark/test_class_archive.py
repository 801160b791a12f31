"""Covers moldau.spark.class_archive, and what the session makes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from moldau.spark.class_archive import archive_of_spark, make_archive, with_archive
from moldau.spark.errors import SparkSetupError
from moldau.spark.session import settings_for
from tests.judges.java_for_spark import need_java

OPTIONS = "spark.driver.extraJavaOptions"
CLASS_PATH = "spark.driver.extraClassPath"
TIMEOUT_S = 600
LOADED = "source: shared objects file (top)"
"""How Java logs a class that it takes from an archive of ours."""
FEW = 5_000
"""Of the classes that a session loads."""
COMPILER = "org.codehaus.janino.UnitCompiler "
"""Of what Spark generates; it comes in a signed jar."""
SESSION = """
import sys, moldau.spark
from moldau.spark.session import settings_for
options = settings_for("local[2]", {})["spark.driver.extraJavaOptions"]
log = f" -Xlog:class+load:file={sys.argv[1]}"
spark = moldau.spark.session("local[2]", **{"spark.driver.extraJavaOptions": options + log})
assert spark.range(10).selectExpr('sum(id % 3)').first()[0] == 9
spark.stop()
"""


@pytest.fixture(autouse=True)
def _own_caches(tmp_path, monkeypatch):
    need_java()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))


def test_sessions_on_one_machine_take_it_where_it_was_made():
    archive = archive_of_spark()
    assert archive is not None
    assert archive.path not in settings_for("local[2]", {})[OPTIONS]
    Path(archive.path).parent.mkdir(parents=True)
    Path(archive.path).touch()
    assert f"-XX:SharedArchiveFile={archive.path}" in settings_for("local[2]", {})[OPTIONS]
    assert OPTIONS not in settings_for("spark://host:7077", {})
    assert settings_for("local[2]", {OPTIONS: "-Xss4m"})[OPTIONS] == "-Xss4m"


def made(archive):
    Path(archive.folder).mkdir(parents=True)
    Path(archive.path).touch()


def test_copies_of_signed_jars_are_first_on_the_class_path(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    archive = archive_of_spark()
    assert archive is not None
    made(archive)
    assert CLASS_PATH not in settings_for("local[2]", {})
    for folder in (tmp_path / "spark" / "jars", Path(archive.folder)):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "signed.jar").touch()
    assert settings_for("local[2]", {})[CLASS_PATH] == f"{archive.folder}/signed.jar"
    (tmp_path / "spark" / "jars" / "signed.jar").unlink()
    assert with_archive("-Xss4m") == {OPTIONS: "-Xss4m"}


def test_where_a_file_has_settings_of_sparks_nothing_is_put_before_its_class_path(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    archive = archive_of_spark()
    assert archive is not None
    made(archive)
    assert with_archive("-Xss4m") != {OPTIONS: "-Xss4m"}
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").touch()
    assert with_archive("-Xss4m") == {OPTIONS: "-Xss4m"}
    (tmp_path / "conf" / "spark-defaults.conf").unlink()
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert with_archive("-Xss4m") == {OPTIONS: "-Xss4m"}


def test_another_home_of_spark_has_another_archive(monkeypatch):
    before = archive_of_spark()
    monkeypatch.setenv("SPARK_HOME", "/opt/spark")
    assert archive_of_spark() != before


def test_java_that_wrote_none_is_one_sentence(monkeypatch):
    monkeypatch.setattr("moldau.spark.class_archive._run_and_end", lambda spark: None)
    with pytest.raises(SparkSetupError, match=r"wrote no archive .* unset SPARK_CONF_DIR"):
        make_archive(lambda flags, settings: None)  # type: ignore[arg-type, return-value]


@pytest.mark.long
@pytest.mark.timeout(2 * TIMEOUT_S)
def test_what_prepare_makes_has_most_classes_of_a_session(tmp_path):
    variables = {**os.environ, "PYTHONWARNINGS": "ignore"}
    for arguments in (
        ["-m", "moldau", "pipeline", "prepare"],
        ["-c", SESSION, str(tmp_path / "log")],
    ):
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, env=variables, capture_output=True, text=True, timeout=TIMEOUT_S
        )
        assert done.returncode == 0, done.stderr
    taken = [line for line in (tmp_path / "log").read_text().splitlines() if LOADED in line]
    assert len(taken) > FEW
    assert any(COMPILER in line for line in taken)
