"""When `.venv` is made, from what, and how much of it."""

from __future__ import annotations

import sys
import threading

import pytest

from devtools import environment
from devtools.environment import Level, ensure_environment

PROJECT = """
[project]
name = "x"
dependencies = ["lz4>=4"]
[project.optional-dependencies]
arrow = ["pyarrow"]
spark = ["pyspark", "pyarrow"]
kerberos = ["gssapi"]
[dependency-groups]
build = ["mypy>=2.4"]
dev = [{ include-group = "build" }, "pytest>=9.0"]
"""


class Checkout:
    """One with nothing installed, and the commands that an installation would run."""

    def __init__(self, root) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.commands: list[list[str]] = []
        self.interrupts_at: str | None = None

    def run(self, command, lock) -> None:
        """In place of the command: a venv appears, packages do not."""
        self.commands.append(command)
        if "venv" in command:
            for old in self.venv.glob("*"):
                old.is_file() and old.unlink()
            (self.venv / "bin").mkdir(parents=True, exist_ok=True)
            (self.venv / "bin" / "python").touch()
        if self.interrupts_at in command:
            raise KeyboardInterrupt

    @property
    def calls(self) -> list[str]:
        """`venv`, `run` or `check` for each command."""
        names = {"venv": "venv", "--editable": "run", "pytest>=9.0": "check"}
        return [names[word] for command in self.commands for word in command if word in names]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    made = Checkout(tmp_path)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", made.venv)
    monkeypatch.setattr(environment, "PYTHON", made.venv / "bin" / "python")
    monkeypatch.setattr(environment, "_must", made.run)
    monkeypatch.setattr("shutil.which", lambda name: None)
    return made


def test_a_node_needs_the_project_and_its_own_packages_alone(checkout):
    ensure_environment(Level.RUN)
    assert checkout.calls == ["venv", "run"]
    assert checkout.commands[-1][-2:] == ["--editable", str(checkout.root)]


def test_the_tools_come_on_top_and_leave_the_project_alone(checkout):
    ensure_environment(Level.RUN)
    ensure_environment(Level.CHECK)
    assert checkout.calls == ["venv", "run", "check"]
    assert checkout.commands[-1][-4:] == ["pyarrow", "pyspark", "mypy>=2.4", "pytest>=9.0"]


def test_what_compiles_comes_on_top_of_a_node_and_without_spark(checkout):
    ensure_environment(Level.BUILD)
    assert checkout.calls == ["venv", "run"]
    assert checkout.commands[-1][-1] == "mypy>=2.4"
    assert not {"pyspark", "pytest>=9.0"} & set(checkout.commands[-1])
    ensure_environment(Level.BUILD)
    assert len(checkout.commands) == 3


def test_the_tools_include_what_compiles(checkout):
    ensure_environment(Level.CHECK)
    made = len(checkout.commands)
    ensure_environment(Level.BUILD)
    assert len(checkout.commands) == made


def test_an_extra_without_its_library_is_left_out_with_a_sentence(checkout, capsys):
    ensure_environment(Level.CHECK)
    assert "gssapi" not in checkout.commands[-1]
    assert "left out: the extra kerberos" in capsys.readouterr().err


def test_an_extra_comes_in_once_its_library_is_there(checkout, monkeypatch, capsys):
    ensure_environment(Level.CHECK)
    there = {"krb5-config", "cc"}
    monkeypatch.setattr("shutil.which", lambda name: name if name in there else None)
    capsys.readouterr()
    ensure_environment(Level.CHECK)
    assert "gssapi" in checkout.commands[-1]
    assert "left out" not in capsys.readouterr().err
    assert checkout.calls[-2:] == ["run", "check"]


def test_a_first_check_installs_both(checkout):
    ensure_environment(Level.CHECK)
    assert checkout.calls == ["venv", "run", "check"]


@pytest.mark.parametrize("level", Level)
def test_a_second_call_installs_nothing(checkout, level):
    ensure_environment(Level.CHECK)
    ensure_environment(level)
    assert checkout.calls == ["venv", "run", "check"]


def test_a_folder_with_all_tools_from_before_there_were_levels_is_as_good(checkout):
    ensure_environment(Level.CHECK)
    Level.RUN.stamp.unlink()
    ensure_environment(Level.RUN)
    assert checkout.calls == ["venv", "run", "check"]


def test_a_changed_project_is_installed_again_into_the_same_place(checkout):
    ensure_environment(Level.CHECK)
    (checkout.root / "setup.py").write_text("changed")
    ensure_environment(Level.RUN)
    ensure_environment(Level.CHECK)
    assert checkout.calls == ["venv", "run", "check", "run", "check"]


@pytest.mark.parametrize("interrupted", ["--editable", "pytest>=9.0"])
def test_an_interrupted_installation_begins_anew(checkout, interrupted):
    checkout.interrupts_at = interrupted
    with pytest.raises(KeyboardInterrupt):
        ensure_environment(Level.CHECK)
    checkout.interrupts_at = None
    checkout.commands.clear()
    ensure_environment(Level.CHECK)
    assert checkout.calls == ["venv", "run", "check"]


def test_a_node_starts_after_an_interrupted_installation_of_the_tools(checkout):
    checkout.interrupts_at = "pytest>=9.0"
    with pytest.raises(KeyboardInterrupt):
        ensure_environment(Level.CHECK)
    ensure_environment(Level.RUN)
    assert checkout.calls == ["venv", "run", "check"]


def test_a_second_call_meanwhile_waits_and_then_has_nothing_to_do(checkout, monkeypatch):
    begun, may_end = threading.Event(), threading.Event()

    def slowly(command, lock):
        begun.set()
        assert may_end.wait(60)
        checkout.run(command, lock)

    def report(line):
        if "waiting" in line:
            may_end.set()

    monkeypatch.setattr(environment, "_must", slowly)
    monkeypatch.setattr(environment, "_report", report)
    calls = [threading.Thread(target=ensure_environment, args=(Level.RUN,)) for _ in range(2)]
    calls[0].start()
    assert begun.wait(60)
    calls[1].start()
    for call in calls:
        call.join()
    assert checkout.calls == ["venv", "run"]


def test_uv_is_used_where_it_is(checkout, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: "/opt/bin/uv")
    ensure_environment(Level.CHECK)
    assert {command[0] for command in checkout.commands} == {"/opt/bin/uv"}


def test_a_missing_venv_module_is_one_sentence(checkout, monkeypatch):
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="venv module is missing"):
        ensure_environment(Level.RUN)


@pytest.fixture
def lock(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    with environment._lock() as held:
        yield held


def test_a_command_that_fails_shows_its_output_and_is_no_interruption(lock):
    environment._unfinished().touch()
    with pytest.raises(SystemExit, match="no such package"):
        environment._must([sys.executable, "-c", "print('no such package'); exit(1)"], lock)
    assert not environment._unfinished().exists()


def test_the_progress_of_an_installation_is_not_on_standard_output(lock, capsys):
    environment._must([sys.executable, "-c", "print('Collecting a package')"], lock)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Collecting a package" in printed.err


def test_nothing_is_compiled_and_no_compiler_fetched(lock, capsys):
    code = "import os; print('Collecting', os.environ['MOLDAU_COMPILE'])"
    environment._must([sys.executable, "-c", code], lock)
    assert "Collecting never" in capsys.readouterr().err


def test_the_command_holds_the_lock_too_in_case_its_dev_is_killed(lock):
    code = "import fcntl, sys; fcntl.flock(int(sys.argv[1]), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    environment._must([sys.executable, "-c", code, str(lock)], lock)
