"""An object store: moto's S3 server in a process of its own, on loopback, with one bucket."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

__all__ = ["BUCKET", "object_store"]

BUCKET = "s3://lake"
PATIENCE_S = 60
PROGRAM = """
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
server._thread.join()
"""


@contextmanager
def object_store() -> Iterator[dict[str, str]]:
    """The settings by which a client finds the server, as long as it runs."""
    if not find_spec("moto"):
        pytest.skip("the package moto, whose S3 server is asked, is not installed")
    asked = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            assert server.stdout is not None
            endpoint = f"http://127.0.0.1:{int(server.stdout.readline())}"
            _make_bucket(endpoint)
            yield {
                "AWS_ENDPOINT_URL": endpoint,
                "AWS_ALLOW_HTTP": "true",
                "AWS_ACCESS_KEY_ID": "tester",
                "AWS_SECRET_ACCESS_KEY": "secret",
                "AWS_REGION": "us-east-1",
                "conditional_put": "etag",
            }
        finally:
            server.kill()


def _make_bucket(endpoint: str) -> None:
    name = BUCKET.rpartition("/")[2]
    request = urllib.request.Request(f"{endpoint}/{name}", method="PUT")
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            urllib.request.urlopen(request).close()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return
