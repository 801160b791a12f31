"""What goes over connections adds up."""

from moldau.network.outgoing.traffic import Traffic


def test_traffic_is_added_number_by_number():
    assert Traffic(1, 2, 3, 4).plus(Traffic(10, 20, 30, 40)) == Traffic(11, 22, 33, 44)
    assert Traffic(1, 2, 3, 4).plus(Traffic()) == Traffic(1, 2, 3, 4)
