"""A message of Protobuf that has another file's in it, and is the second of its own."""

from __future__ import annotations

import pytest

pool_module = pytest.importorskip("google.protobuf.descriptor_pool")
factory = pytest.importorskip("google.protobuf.message_factory")

MONEY = 'syntax = "proto3"; package shop; message Money { int64 cents = 1; }'
ORDER = """syntax = "proto3";
package shop;
import "money.proto";
message Other {}
message Order {
  int64 id = 1;
  Money price = 2;
}
"""


def made_order_class():
    """Its class, by our own reader of .proto."""
    from moldau.schemas.protobuf.pools import read

    pool = pool_module.DescriptorPool()
    for name, text in (("money.proto", MONEY), ("order.proto", ORDER)):
        pool.Add(read(text, name)[0])
    return factory.GetMessageClass(pool.FindMessageTypeByName("shop.Order"))
