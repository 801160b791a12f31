"""`moldau certs` makes an authority and what belongs to it, and leaves alone what is there."""

import json
import stat
from io import StringIO

import pytest

from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command


@pytest.fixture
def certs(tmp_path):
    """Run the command in a directory: its status, output and errors."""

    def run(*arguments):
        out, errors = StringIO(), StringIO()
        world = World(
            files=SystemFiles(), clock=SystemClock(), random=SeededRandom(1), out=out, errors=errors
        )
        status = run_command(["certs", "-d", str(tmp_path / "certs"), *arguments], world)
        return status, out.getvalue(), errors.getvalue()

    return run


def test_one_call_makes_all_that_a_node_and_a_client_need(certs, tmp_path):
    status, out, _ = certs()
    assert status == 0
    names = {path.name for path in (tmp_path / "certs").iterdir()}
    assert names == {
        "ca-key.pem", "ca.pem", "truststore.p12", "password",
        "localhost.pem", "localhost.p12", "localhost.properties",
        "client.pem", "client.p12", "client.properties",
    }  # fmt: skip
    assert "localhost.pem    a node, localhost, 127.0.0.1, ::1, until 20" in out


def test_a_dry_run_names_what_it_would_make_and_writes_nothing(certs, tmp_path):
    status, out, _ = certs("--dry-run")
    folder = tmp_path / "certs"
    assert (status, out.splitlines()) == (
        0,
        [
            f"DRY RUN of making an authority in {folder}",
            f"DRY RUN of making {folder}/localhost.pem: a node, localhost, 127.0.0.1, ::1",
            f"DRY RUN of making {folder}/client.pem: a client",
        ],
    )
    assert not folder.exists()


def test_a_dry_run_is_refused_where_the_name_is_taken(certs):
    certs()
    status, _, errors = certs("--client", "client", "--dry-run")
    assert status == 1
    assert "client.pem is there already" in errors


def test_keys_and_passwords_are_for_their_owner_alone(certs, tmp_path):
    certs()
    public = {
        path.name
        for path in (tmp_path / "certs").iterdir()
        if stat.S_IMODE(path.stat().st_mode) != 0o600
    }
    assert public == {"ca.pem", "truststore.p12"}


def test_another_call_goes_on_with_the_authority_that_is_there(certs, tmp_path):
    certs()
    before = (tmp_path / "certs/ca.pem").read_bytes()
    status, out, _ = certs("--client", "CN=bob,O=Company", "--node", "kafka-1,10.0.0.5", "--json")
    assert status == 0
    assert (tmp_path / "certs/ca.pem").read_bytes() == before
    shown = json.loads(out)["certificates"]
    assert [(one["kind"], one["subject"], one["hosts"]) for one in shown] == [
        ("node", "CN=kafka-1", ["kafka-1", "10.0.0.5"]),
        ("client", "CN=bob,O=Company", []),
    ]
    assert shown[1]["pem"].endswith("/bob.pem")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "has an authority already: say --node HOST or --client NAME"),
        (("--client", "client"), "client.pem is there already"),
        (("--client", "../up"), "gives no name for a file"),
        (("--node", ","), "--node needs a host"),
        (("--days", "0"), "holds for 1 day or more"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(certs, arguments, reason):
    certs()
    status, _, errors = certs(*arguments)
    assert status == 1
    assert reason in errors
