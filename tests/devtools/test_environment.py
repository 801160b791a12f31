"""When `.venv` is made, and from what."""

from __future__ import annotations

import sys

import pytest

from devtools import environment


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with nothing installed; the commands that an installation would run."""
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\noptional-dependencies = { arrow = [], spark = [] }\n'
        '[dependency-groups]\ndev = ["pytest>=9.0"]\n'
    )
    venv = tmp_path / ".venv"
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", venv)
    monkeypatch.setattr(environment, "PYTHON", venv / "bin" / "python")
    monkeypatch.setattr(environment, "STAMP", venv / "installed")
    commands = []

    def pretend(command):
        commands.append(command)
        (venv / "bin").mkdir(parents=True, exist_ok=True)
        (venv / "bin" / "python").touch()

    monkeypatch.setattr(environment, "_must", pretend)
    monkeypatch.setattr("shutil.which", lambda name: None)
    return tmp_path, commands


def test_a_second_call_installs_nothing(checkout):
    _, commands = checkout
    environment.ensure_environment()
    made = len(commands)
    environment.ensure_environment()
    assert made == len(commands) == 2


def test_a_changed_project_is_installed_again_into_the_same_place(checkout):
    root, commands = checkout
    environment.ensure_environment()
    (root / "setup.py").write_text("changed")
    environment.ensure_environment()
    assert [command[2] for command in commands] == ["venv", "pip", "pip"]


def test_an_interrupted_installation_begins_anew(checkout):
    _, commands = checkout
    environment.ensure_environment()
    environment.STAMP.unlink()
    environment.ensure_environment()
    assert [command[2] for command in commands] == ["venv", "pip", "venv", "pip"]


def test_uv_is_used_where_it_is(checkout, monkeypatch):
    _, commands = checkout
    monkeypatch.setattr("shutil.which", lambda name: "/opt/bin/uv")
    environment.ensure_environment()
    assert {command[0] for command in commands} == {"/opt/bin/uv"}


def test_a_missing_venv_module_is_one_sentence(checkout, monkeypatch):
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="venv module is missing"):
        environment.ensure_environment()


def test_every_extra_and_the_developers_group_are_installed(checkout):
    root, _ = checkout
    assert environment.requirements() == ["--editable", f"{root}[arrow,spark]", "pytest>=9.0"]


def test_a_command_that_fails_shows_what_it_said(monkeypatch):
    import sys

    with pytest.raises(SystemExit, match="no such package"):
        environment._must([sys.executable, "-c", "print('no such package'); exit(1)"])


def test_news_of_an_installation_leave_what_a_command_says_alone(capsys):
    environment._must([sys.executable, "-c", "print('Collecting a package')"])
    said = capsys.readouterr()
    assert said.out == ""
    assert "Collecting a package" in said.err
