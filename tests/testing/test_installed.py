"""The fixtures, where Moldau is installed from a wheel, in an environment that has nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.wheels import WITHOUT_COMPILER, wheel_made_in

TESTS = """
import sys


def test_nothing_is_loaded_before_it_is_asked_for():
    assert "moldau.testing.fixtures" in sys.modules
    assert not {"moldau.testing.node", "moldau.client.sync.producer", "asyncio"} & set(sys.modules)


def test_a_record_arrives(kafka_node, kafka_topic, kafka_producer, kafka_consumer):
    assert "site-packages" in sys.modules["moldau.testing.node"].__file__
    kafka_producer.send(kafka_topic, b"mine").result(30)
    found = []
    while not found:
        found = kafka_consumer.poll(1.0)
    assert [record.value for record in found] == [b"mine"]
"""
INSTALL_TIMEOUT_S = 300


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an environment with Moldau, what it needs, and pytest."""
    wheel = wheel_made_in(tmp_path_factory.mktemp("checkout"), WITHOUT_COMPILER)
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    made = folder / "bin" / "python"
    install = [str(made), "-m", "pip", "install", "--quiet", str(wheel), "pytest"]
    subprocess.run(install, check=True, timeout=INSTALL_TIMEOUT_S)
    return made


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("line", ["", 'pytest_plugins = ["moldau.testing.fixtures"]\n'])
def test_pytest_finds_them_by_itself(python, tmp_path, line):
    """A conftest.py that names them, as a checkout on the path needs it, does no harm."""
    if line:
        (tmp_path / "conftest.py").write_text(line)
    (tmp_path / "test_theirs.py").write_text(TESTS)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_theirs.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
