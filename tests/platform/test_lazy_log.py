"""A logger that loads `logging` with its first line."""

from __future__ import annotations

from moldau.platform.lazy_log import LazyLog


def test_a_line_names_the_module_and_the_place_that_logs(caplog):
    log = LazyLog("moldau.some.module")
    log.warning("%s of %d", "one", 2)
    try:
        raise KeyError("city")
    except KeyError as error:
        log.error("it has failed", exc_info=error)
    first, second = caplog.records
    assert (first.name, first.levelname, first.getMessage()) == (
        "moldau.some.module",
        "WARNING",
        "one of 2",
    )
    assert first.filename == "test_lazy_log.py"
    assert second.funcName == "test_a_line_names_the_module_and_the_place_that_logs"
    assert second.exc_info is not None
    assert repr(second.exc_info[1]) == "KeyError('city')"
