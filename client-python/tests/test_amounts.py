from __future__ import annotations

import unittest
from typing import Any

from sluice import to_base_units, to_decimal


class AmountsTest(unittest.TestCase):
    def test_base_units_are_converted_exactly(self) -> None:
        for units, decimals, text in (
            ("1500000", 6, "1.5"),
            ("-1500000", 6, "-1.5"),
            (5, 18, "0.000000000000000005"),
            ("100", 0, "100"),
            ("0", 6, "0"),
            (str(2**256 - 1), 18, f"{(2**256 - 1) // 10**18}.{(2**256 - 1) % 10**18:018}"),
        ):
            self.assertEqual(to_decimal(units, decimals), text)
            self.assertEqual(to_base_units(text, decimals), str(units))

    def test_an_amount_is_never_rounded(self) -> None:
        self.assertEqual(to_base_units("1.500", 1), "15")
        for wrong in ("1.55", "1e3", "1,5", " 1", "", ".5", "1.", "١", "9" * 401):
            self.assertRaises(ValueError, to_base_units, wrong, 1)
        for wrong in ("1.5", "", "x", "9" * 401):
            self.assertRaises(ValueError, to_decimal, wrong, 1)

    def test_numbers_that_can_lose_digits_are_refused(self) -> None:
        wrongs: Any = (1.5, True, None)
        for wrong in wrongs:
            self.assertRaises(TypeError, to_decimal, wrong, 6)
            self.assertRaises(TypeError, to_base_units, wrong, 6)
        for decimals in (-1, 256):
            self.assertRaises(ValueError, to_decimal, "1", decimals)
