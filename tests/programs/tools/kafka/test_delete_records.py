"""Files of `moldau delete-records` are read with care, and a dry run asks no broker."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{SERVER}", 'Missing required argument "[offset-json-file]"'),
        (f"{SERVER} --offset-json-file /none", "Unable to read file /none"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"delete-records {words}")
    assert code == 1
    assert printed[0].startswith(message)


def write(world, text):
    file = world.files.open("/a.json", create=True)
    file.append(text.encode())
    file.close()


def test_a_dry_run_shows_what_would_go(call, world):
    write(world, '{"partitions": [{"topic": "a", "partition": 1, "offset": -1}]}')
    words = f"delete-records {SERVER} --offset-json-file /a.json --dry-run"
    assert call(words) == (0, ["DRY RUN of deleting what is below the end of a-1"])


def test_a_partition_that_is_there_twice_is_refused(call, world):
    row = '{"topic": "a", "partition": 1, "offset": 4}'
    write(world, f'{{"partitions": [{row}, {row}]}}')
    code, printed = call(f"delete-records {SERVER} --offset-json-file /a.json")
    assert (code, printed) == (1, ["Offset json file contains duplicate topic partitions: a-1"])
