"""A program that says it is some Java."""

from __future__ import annotations


def a_java(folder, says):
    java = folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    java.chmod(0o755)
    return java
