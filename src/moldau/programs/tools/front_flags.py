"""The flags of every command that serves HTTP to others: which pages may ask, and how often."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from math import inf

__all__ = ["declare_front"]


def declare_front(parser: ArgumentParser) -> None:
    """Who may ask, and how often."""
    parser.add_argument(
        "--allow-origin",
        type=lambda text: text.split(","),
        default=[],
        metavar="ORIGIN[,…]",
        help="pages of these origins may ask, such as https://shop.example; * is any",
    )
    parser.add_argument(
        "--requests-per-second",
        type=_rate,
        metavar="N",
        help="as many as one address, and one user, may send; what is more gets 429",
    )


def _rate(text: str) -> float:
    found = float(text)
    if not 0 < found < inf:
        raise ArgumentTypeError(f"{text} is no number of requests")
    return found
