"""A key distribution centre of MIT Kerberos on the loopback, from Debian's packages.

It is found, or installed where that is allowed; else `MissingCentre` has the sentence for a skip.
Nothing outside of its folder is read or written: its own krb5.conf, database, keytabs and tickets.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tests.judges.kafka_node import HOST, free_ports

REALM = "MOLDAU.TEST"
PACKAGES = ("krb5-kdc", "krb5-admin-server", "krb5-user")
PROGRAMS = ("krb5kdc", "kadmin.local", "kdb5_util", "kinit")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
INSTALL_TIMEOUT_S = 120
START_TIMEOUT_S = 30


class MissingCentre(Exception):
    """There is none here; the sentence has the reason."""


def find_programs() -> dict[str, str]:
    found = {name: shutil.which(name, path=PATH) for name in PROGRAMS}
    if not all(found.values()) and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(
            ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            capture_output=True,
            timeout=INSTALL_TIMEOUT_S,
        )
        found = {name: shutil.which(name, path=PATH) for name in PROGRAMS}
    if not all(found.values()):
        raise MissingCentre(f"MIT Kerberos is not installed (Debian: {' '.join(PACKAGES)})")
    return {name: path for name, path in found.items() if path}


class KerberosCentre:
    """Runs until it is closed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._programs = find_programs()
        (self.port,) = free_ports(1)
        self.conf.write_text(
            f"[libdefaults]\ndefault_realm = {REALM}\ndns_lookup_kdc = false\nrdns = false\n"
            "dns_lookup_realm = false\ndns_canonicalize_hostname = false\n"
            f"udp_preference_limit = 1\n[realms]\n{REALM} = {{\n kdc = {HOST}:{self.port}\n}}\n"
            f"[domain_realm]\nlocalhost = {REALM}\n"
        )
        (folder / "kdc.conf").write_text(
            f"[kdcdefaults]\nkdc_listen = {HOST}:{self.port}\n"
            f"kdc_tcp_listen = {HOST}:{self.port}\n[realms]\n{REALM} = {{\n"
            f" database_name = {folder}/principal\n key_stash_file = {folder}/stash\n}}\n"
            f"[logging]\nkdc = FILE:{folder}/kdc.log\n"
        )
        self.run("kdb5_util", "create", "-s", "-P", "master", "-r", REALM)
        self._process = subprocess.Popen(
            [self._programs["krb5kdc"], "-n", "-r", REALM],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._is_listening() and time.monotonic() < deadline:
            time.sleep(0.05)

    def _is_listening(self) -> bool:
        """Its log is there before."""
        try:
            socket.create_connection((HOST, self.port), START_TIMEOUT_S).close()
        except OSError:
            return False
        return True

    def __enter__(self) -> KerberosCentre:
        return self

    def __exit__(self, *caught: object) -> None:
        self._process.terminate()
        self._process.wait()

    @property
    def conf(self) -> Path:
        return self.folder / "krb5.conf"

    @property
    def environment(self) -> Mapping[str, str]:
        own = {
            "KRB5_CONFIG": str(self.conf),
            "KRB5_KDC_PROFILE": str(self.folder / "kdc.conf"),
            "KRB5CCNAME": f"FILE:{self.folder}/tickets",
            "KRB5RCACHENAME": "none:",
        }
        return {**os.environ, **own}

    def keytab(self, *principals: str) -> Path:
        """Their keys, made now, in one file."""
        path = self.folder / f"{principals[0].replace('/', '-')}.keytab"
        for principal in principals:
            self.run("kadmin.local", "-r", REALM, "-q", f"addprinc -randkey {principal}")
            self.run("kadmin.local", "-r", REALM, "-q", f"ktadd -k {path} {principal}")
        return path

    def log_in(self, principal: str, keytab: Path) -> None:
        """As kinit does, into the tickets of the environment."""
        self.run("kinit", "-k", "-t", str(keytab), f"{principal}@{REALM}")

    def run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [self._programs[program], *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, f"{program}: {done.stderr or done.stdout}"
        return done.stdout
