"""How differences are shown."""

from moldau.schemas.parsed import Difference, no_format


def test_a_difference_reads_as_registries_print_it():
    found = Difference("TYPE_MISMATCH", "/x", "it differs", "INT")
    assert (
        str(found) == "{errorType:'TYPE_MISMATCH', description:'it differs', additionalInfo:'INT'}"
    )
    assert str(Difference("A", "/", "b")) == "{errorType:'A', description:'b'}"


def test_a_format_that_is_not_there_is_named():
    assert str(no_format("klingon", "AVRO")) == "AVRO has no format 'klingon'"
