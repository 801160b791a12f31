"""Codes and statuses."""

from moldau.programs.registry.refusals import Refusal, refuse


def test_the_status_is_in_the_code():
    error = refuse(Refusal.INVALID_SCHEMA, "no")
    assert (error.status, error.code, str(error)) == (422, 42201, "no")
