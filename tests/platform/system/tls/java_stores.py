"""Key stores that Java has made."""

from __future__ import annotations

import subprocess
from pathlib import Path

PASSWORD = "of the store"
KEY_PASSWORD = "of the key"


def keytool(store: Path, kind: str, *arguments: str, password: str = PASSWORD) -> None:
    command = ["keytool", *arguments, "-keystore", str(store), "-storetype", kind]
    done = subprocess.run(
        [*command, "-storepass", password, "-noprompt"], capture_output=True, timeout=60, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def make_key_store(store: Path, kind: str, key_password: str = PASSWORD) -> Path:
    subject = ["-dname", "CN=java, O=Stores", "-ext", "san=ip:127.0.0.1,dns:localhost"]
    arguments = ["-genkeypair", "-alias", "node", "-keyalg", "RSA", *subject]
    keytool(store, kind, *arguments, "-keypass", key_password)
    return store


def make_trust_store(store: Path, kind: str, certificate: Path) -> Path:
    keytool(store, kind, "-importcert", "-alias", "ca", "-file", str(certificate))
    return store
