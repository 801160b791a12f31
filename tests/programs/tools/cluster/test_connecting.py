"""The flags that lead to a cluster."""

from argparse import ArgumentParser

from moldau.platform.system.files import SystemFiles
from moldau.programs.tools.cluster.connecting import declare_cluster, settings_for


def test_properties_win_over_the_file_and_the_command_over_both(tmp_path):
    path = tmp_path / "client.properties"
    path.write_text("client.id=file\nlinger.ms=3\n")
    parser = ArgumentParser()
    declare_cluster(parser)
    words = ["-b", "a:1", "--command-config", str(path), "--command-property", "client.id=given"]
    options = parser.parse_args(words)

    class Place:
        files = SystemFiles()

    found = settings_for(options, Place(), enable_auto_commit="false")  # type: ignore[arg-type]
    assert found == {
        "client.id": "given",
        "linger.ms": "3",
        "bootstrap.servers": "a:1",
        "enable.auto.commit": "false",
    }
