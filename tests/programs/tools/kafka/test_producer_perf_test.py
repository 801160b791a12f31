"""What `moldau producer-perf-test` refuses, and what it would send."""

import pytest

from moldau.programs.tools.kafka.flags import parse
from moldau.programs.tools.kafka.producer_perf_test import FLAGS, payload_of, throughput_of

SERVER = "producer-perf-test --bootstrap-server localhost:1"
WHO = "kafka-producer-perf-test: error: "


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--num-records 1 --throughput -1 --record-size 1", "argument --topic is required"),
        ("--topic t --num-records 1 --record-size 1", "argument --throughput is required"),
        (
            "--topic t --num-records 1 --throughput -1",
            "one of the arguments --record-size --payload-file --payload-monotonic is required",
        ),
        (
            "--topic t --num-records 1 --throughput -1 --record-size 1 --payload-file f",
            "argument --payload-file: not allowed with argument --record-size",
        ),
        (
            "--topic t --num-records 1 --throughput -1 --record-size 0",
            "--record-size should be greater than zero.",
        ),
        (
            "--topic t --num-records 9 --throughput -1 --record-size 1 --warmup-records 9",
            "The value for --warmup-records must be strictly fewer than the number of records in "
            "the test, --num-records.",
        ),
        (
            "--topic t --num-records 9 --throughput x --record-size 1",
            "argument --throughput: could not convert 'x' to Double",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"{SERVER} {words}")
    assert (code, printed[0]) == (1, WHO + message)


def given(words):
    return parse(FLAGS, words.split())


def test_settings_go_on_up_to_the_next_flag():
    found = given("--command-property linger.ms=5 acks=1 --topic t")
    assert found.texts("command-property") == ["linger.ms=5", "acks=1"]
    assert found.text("topic") == "t"


def test_values_are_numbers_letters_or_lines_of_a_file(world):
    numbers = payload_of(given("--payload-monotonic"), world)
    assert [numbers(), numbers()] == [b"0", b"1"]
    letters = payload_of(given("--record-size 40"), world)()
    assert len(letters) == 40
    assert letters.isalpha()
    assert letters.isupper()


def test_a_throughput_of_nothing_is_refused():
    assert throughput_of(given("--throughput -1")) == -1
    with pytest.raises(Exception, match="would send nothing"):
        throughput_of(given("--throughput 0"))
