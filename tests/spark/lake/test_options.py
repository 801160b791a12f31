"""Options come as strings, and leave as what they mean or as one sentence."""

from __future__ import annotations

import pytest

from moldau.spark.errors import OptionError
from moldau.spark.lake.options import FILE_SIZE, lake_options


def test_what_is_not_set_has_its_default():
    options = lake_options({"path": "lake/orders"})
    assert (options.path, options.partition_by, options.merge_schema) == ("lake/orders", (), True)
    assert (options.file_size, options.application) == (FILE_SIZE, None)


def test_names_come_in_any_case_and_spark_adds_its_own():
    given = {
        "PATH": "x",
        "partitionby": "day, country",
        "checkpointlocation": "c",
        "queryname": "q",
    }
    assert lake_options(given).partition_by == ("day", "country")


def test_a_file_address_is_a_folder():
    assert lake_options({"path": "file:///lake/orders/"}).path == "/lake/orders"
    assert lake_options({"path": "s3://lake/orders"}).path == "s3://lake/orders"


def test_settings_of_the_object_store_keep_their_case():
    options = lake_options({"path": "s3://b/t", "storage.AWS_REGION": "eu"})
    assert options.storage == {"AWS_REGION": "eu"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "a table needs a place"),
        ({"path": "x", "mergeschema": "maybe"}, "mergeSchema is true or false"),
        ({"path": "x", "targetfilesize": "small"}, "targetFileSize is a whole number"),
        ({"path": "x", "targetfilesize": "1"}, "targetFileSize is a whole number from 65536"),
        ({"path": "x", "compression": "zip"}, "compression is one of"),
        ({"path": "x", "txnversion": "3"}, "txnVersion means nothing without txnAppId"),
        ({"path": "x", "mergeSchemas": "true"}, "mergeschemas is no option"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(OptionError, match=sentence):
        lake_options(given)
