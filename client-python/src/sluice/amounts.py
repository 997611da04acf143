"""Converts between base units and decimal numbers, exactly."""

from __future__ import annotations

import re
from typing import Union

DECIMALS_MAX = 255
LENGTH_MAX = 400
"""Longer than any amount: 2^256 has 78 digits."""


def to_decimal(base_units: Union[str, int], decimals: int) -> str:
    """Base units as a decimal number in text: `to_decimal("1500000", 6)` is `"1.5"`.

    Exact, without exponent and trailing zeros. Raises ValueError for anything but a whole number,
    and TypeError for a float.
    """
    _check_decimals(decimals)
    if isinstance(base_units, bool) or not isinstance(base_units, (str, int)):
        raise TypeError(f"base_units must be a str or an int, not a {type(base_units).__name__}")
    text = str(base_units)
    if len(text) > LENGTH_MAX or not re.fullmatch(r"-?[0-9]+", text):
        raise ValueError(f"{text[:50]!r} is not a whole number of base units")
    units = int(text)
    digits = str(abs(units)).rjust(decimals + 1, "0")
    whole, fraction = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    fraction = fraction.rstrip("0")
    return f"{'-' if units < 0 else ''}{whole}{'.' if fraction else ''}{fraction}"


def to_base_units(decimal: str, decimals: int) -> str:
    """A decimal number in text as base units: `to_base_units("1.5", 6)` is `"1500000"`.

    Never rounds: raises ValueError if the token has too few decimals, and for any text but digits
    with at most one point among them. Raises TypeError for a number.
    """
    _check_decimals(decimals)
    if not isinstance(decimal, str):
        raise TypeError(f"amount must be a str, not a {type(decimal).__name__}")
    found = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]+))?", decimal)
    if found is None or len(decimal) > LENGTH_MAX:
        raise ValueError(f"{decimal[:50]!r} is not a decimal number")
    sign, whole, fraction = found[1], found[2], (found[3] or "").rstrip("0")
    if len(fraction) > decimals:
        raise ValueError(f"{decimal[:50]!r} has more than {decimals} decimals")
    return str(int(f"{sign}{whole}{fraction.ljust(decimals, '0')}"))


def _check_decimals(decimals: int) -> None:
    if not isinstance(decimals, int) or not 0 <= decimals <= DECIMALS_MAX:
        raise ValueError(f"decimals must be a whole number from 0 to {DECIMALS_MAX}")
