"""Voters are named by numbers and directories, and their files are read."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "describe --status",
            "kafka-metadata-quorum: error: one of the arguments --bootstrap-server --bootstrap-con",
        ),
        (f"{SERVER} describe", "One of --status or --replication must be specified with desc"),
        (f"{SERVER} describe --human-readable", "One of --status or --replication must be"),
        (
            f"{SERVER} describe --status --human-readable",
            "The option --human-readable is only supported along with --replication",
        ),
        (
            f"{SERVER} remove-controller -i -1 -d AAAAAAAAAAAAAAAAAAAAAQ",
            "Invalid negative --controller-id: -1",
        ),
        (
            f"{SERVER} add-controller",
            "You must supply the configuration file of the controller you",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"metadata-quorum {words}")
    assert code == 1
    assert printed[0].startswith(message)


def write(world, path, *lines):
    file = world.files.open(path, create=True)
    file.append("\n".join(lines).encode())
    file.close()


def test_a_controller_is_added_as_its_file_has_it(call, world):
    write(
        world,
        "/server.properties",
        "node.id=4",
        "process.roles=controller",
        "controller.listener.names=QUORUM",
        "listeners=QUORUM://10.0.0.4:9093",
        "log.dirs=/",
    )
    write(world, "/meta.properties", "directory.id=AAAAAAAAAAAAAAAAAAAAAQ")
    words = "--command-config /server.properties add-controller --dry-run"
    code, printed = call(f"metadata-quorum {SERVER} {words}")
    where = "with directory id AAAAAAAAAAAAAAAAAAAAAQ and endpoints: QUORUM://10.0.0.4:9093"
    assert (code, printed) == (0, [f"DRY RUN of adding controller 4 {where}"])


def test_the_file_of_a_broker_adds_no_controller(call, world):
    write(world, "/server.properties", "node.id=4", "process.roles=broker")
    words = "--command-config /server.properties add-controller"
    code, printed = call(f"metadata-quorum {SERVER} {words}")
    assert code == 1
    assert printed[0].startswith("process.roles did not contain 'controller' in configuration file")
