"""The flags of `moldau console`; what it serves is in tests/programs/console."""

import subprocess
import sys

import pytest

from moldau.programs.console.values.masking import Masks
from moldau.programs.tools.main import COMMANDS, parser_for

PARSER = parser_for(next(command for command in COMMANDS if command.name == "console"))


def test_it_listens_on_this_machine_and_may_change_things_unless_it_is_given_flags():
    options = PARSER.parse_args(["--bootstrap-server", "localhost:9092"])
    assert (str(options.listen), options.read_only) == ("127.0.0.1:8080", False)


def test_masks_add_up():
    flags = ["--bootstrap-server", "a:1", "--mask", "pay*:card", "--mask", "users:*"]
    masks = Masks(PARSER.parse_args(flags).mask)
    hidden = [topic for topic in ("payments", "users", "users2") if masks.hide_some(topic)]
    assert hidden == ["payments", "users"]


def test_a_registry_is_given_by_its_addresses():
    flags = ["--bootstrap-server", "a:1", "--registry-url", "http://a:8081,http://b:8081/"]
    assert PARSER.parse_args(flags).registry_url.urls == ("http://a:8081", "http://b:8081")
    assert PARSER.parse_args(flags[:2]).registry_url is None


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["--bootstrap-server", "a:1", "--mask", "payments"],
        ["--bootstrap-server", "a:1", "--registry-url", "registry:8081"],
    ],
)
def test_wrong_usage_is_refused(given, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(given)
    assert ended.value.code == 2
    capsys.readouterr()


def test_a_cluster_is_given_by_its_servers_or_by_a_file(capsys):
    assert PARSER.parse_args(["--config", "a.yaml", "--cluster", "b"]).cluster == ["b"]
    with pytest.raises(SystemExit):
        PARSER.parse_args(["--config", "a.yaml", "--bootstrap-server", "a:1"])
    capsys.readouterr()


@pytest.mark.parametrize(
    ("text", "flags", "message"),
    [
        (None, [], "there is no such file of YAML"),
        ("a: 1", [], "neither kafka.clusters of kafbat UI nor akhq.connections of AKHQ"),
        (
            "kafka: {clusters: [{bootstrapServers: 'a:1', masking: [{type: REMOVE}]}]}",
            [],
            "a mask needs topicKeysPattern or topicValuesPattern",
        ),
        (
            "akhq: {connections: {a: {properties: {bootstrap.servers: 'a:1'}}},"
            " security: {data-masking: {mode: regex, filters: [{search-regex: '[0-9]'}]}}}",
            [],
            "name them with --mask to hide them here",
        ),
        ("kafka: {clusters: [{bootstrapServers: 'a:1'}]}", ["--cluster", "b"], "no cluster b"),
        (
            "kafka: {clusters: [{name: a, bootstrapServers: x}, {name: b, bootstrapServers: y}]}",
            ["--registry-url", "http://r:1"],
            "--registry-url is of one cluster: choose it with --cluster",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path, text, flags, message):
    path = tmp_path / "config.yaml"
    if text is not None:
        path.write_text(text)
    command = [sys.executable, "-m", "moldau", "console", "--config", str(path), *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
