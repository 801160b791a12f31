"""Covers moldau.platform.system.unsigned_jars; Java's side of it is in tests/spark."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from moldau.platform.system.unsigned_jars import class_path, copies_in, copy_signed_jars

ENTRIES = {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0", "org/One.class": "code"}
SIGNED = {"META-INF/DUMMY.SF": "digests", "META-INF/DUMMY.DSA": "signature"}
LONG_AGO_S = 1_000_000_000


@pytest.fixture
def jars(tmp_path):
    (tmp_path / "jars").mkdir()
    write(tmp_path / "jars" / "plain.jar", ENTRIES)
    write(tmp_path / "jars" / "signed.jar", ENTRIES | SIGNED)
    (tmp_path / "jars" / "broken.jar").write_text("no jar")
    return str(tmp_path / "jars")


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "copies")


def write(jar, entries):
    with ZipFile(jar, "w") as made:
        for name, contents in entries.items():
            made.writestr(name, contents)
    os.utime(jar, (LONG_AGO_S, LONG_AGO_S))


def entries_of(jar):
    with ZipFile(jar) as read:
        return {name: read.read(name).decode() for name in read.namelist()}


def test_a_signed_jar_is_copied_without_its_signature(jars, folder):
    copy_signed_jars(jars, folder)
    assert copies_in(folder, jars) == [f"{folder}/signed.jar"]
    assert entries_of(f"{folder}/signed.jar") == ENTRIES
    assert [path.name for path in Path(folder).iterdir()] == ["signed.jar"]


def test_a_signature_is_what_lies_beside_the_manifest(jars, folder):
    write(Path(jars, "nested.jar"), ENTRIES | {"META-INF/maven/notes.rsa": "", "org/A.SF": ""})
    copy_signed_jars(jars, folder)
    assert copies_in(folder, jars) == [f"{folder}/signed.jar"]


def test_a_copy_that_is_there_stays_as_it_is(jars, folder):
    copy_signed_jars(jars, folder)
    before = os.stat(f"{folder}/signed.jar").st_ino
    copy_signed_jars(jars, folder)
    assert os.stat(f"{folder}/signed.jar").st_ino == before


def test_copies_of_jars_that_are_others_now_are_not_used_and_made_anew(jars, folder):
    copy_signed_jars(jars, folder)
    os.utime(f"{jars}/signed.jar")
    assert copies_in(folder, jars) is None
    copy_signed_jars(jars, folder)
    assert copies_in(folder, jars) == [f"{folder}/signed.jar"]


def test_a_copy_of_a_jar_that_is_gone_is_not_used_and_removed(jars, folder):
    copy_signed_jars(jars, folder)
    os.rename(f"{jars}/signed.jar", f"{jars}/signed-2.jar")
    assert copies_in(folder, jars) is None
    copy_signed_jars(jars, folder)
    assert copies_in(folder, jars) == [f"{folder}/signed-2.jar"]


def test_where_none_was_copied_there_is_none(jars, folder):
    assert copies_in(folder, jars) == []


def test_a_class_path_is_as_java_takes_it():
    assert class_path(["/one.jar", "/two.jar"]) == os.pathsep.join(["/one.jar", "/two.jar"])
