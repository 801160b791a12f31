"""Names are resolved among what a file imports."""

import pytest

from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.protobuf.pools import resolved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("message A { optional B b = 1; }", "resolve name 'B'"),
        ("message A { optional int32 a = 1; optional int32 b = 1; }", "duplicate"),
        ('import "x.proto";', "not among the references"),
        ("AAAA", "neither a .proto text nor a descriptor"),
        ("message A {} message A {}", "duplicate"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_the_reason(text, message):
    with pytest.raises(InvalidSchemaError, match=message):
        resolved(text, {})


def test_files_that_import_each_other_are_refused():
    others = {"a": 'import "b";', "b": 'import "a";'}
    with pytest.raises(InvalidSchemaError, match="imports itself"):
        resolved('import "a";', others)
