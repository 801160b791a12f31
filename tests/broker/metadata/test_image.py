"""An image says where it stands."""

from __future__ import annotations

from moldau.broker.metadata.image import EMPTY_IMAGE, Image


def test_an_image_shows_itself_in_one_line():
    assert repr(Image(offset=7, epoch=2)) == "Image(offset 7, epoch 2, 0 brokers, 0 topics)"


def test_the_first_image_is_empty():
    assert EMPTY_IMAGE.is_empty
    assert not Image(offset=0).is_empty
