"""Operations as bits."""

from moldau.broker.security.access import OPERATIONS, Operation, Resource, bits_of


def test_each_operation_sets_the_bit_of_its_number():
    assert bits_of((Operation.READ, Operation.DESCRIBE)) == 0b1_0000_1000


def test_all_that_can_be_done_to_a_topic_is_what_kafka_reports_without_an_authorizer():
    assert bits_of(OPERATIONS[Resource.TOPIC]) == 3576
    assert bits_of(OPERATIONS[Resource.CLUSTER]) == 8096
