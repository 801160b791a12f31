"""A broker's loggers with their levels, as its page lists them."""


def test_a_broker_has_a_root_logger_and_every_logger_a_level(console):
    found = console.get("/brokers/1/loggers")
    names = [one["logger"] for one in found]
    assert "root" in names
    assert names == sorted(names)
    assert all(one["level"] for one in found)


def test_a_broker_that_is_none_is_refused(console):
    assert console.refusal("GET", "/brokers/x/loggers")[0] == 404
    assert console.refusal("GET", "/brokers/77/loggers")[0] == 404
