"""The flags of `moldau probe`; that it probes is in tests/programs/probe."""

import pytest

from moldau.programs.tools.main import COMMANDS, parser_for

PARSER = parser_for(next(command for command in COMMANDS if command.name == "probe"))


def test_it_listens_on_this_machine_and_probes_each_second():
    options = PARSER.parse_args(["--bootstrap-server", "localhost:9092"])
    assert (str(options.listen), options.topic) == ("127.0.0.1:9405", "moldau-probe")
    assert (options.interval, options.limit) == (1000, 10_000)


@pytest.mark.parametrize("given", [[], ["--bootstrap-server", "a:1", "--interval", "often"]])
def test_wrong_usage_is_refused(given, capsys):
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(given)
    assert ended.value.code == 2
    capsys.readouterr()
