from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from sluice import UNSET
from sluice._json import parse_json
from sluice._request import comma_separated, encode, read_base_url, url_of
from sluice._retry import read_retry_after

AT = datetime(2026, 1, 31, 10, 30, tzinfo=timezone(timedelta(hours=1)))


class RequestTest(unittest.TestCase):
    def test_a_base_url_keeps_its_path(self) -> None:
        self.assertEqual(read_base_url("https://a.b:8/at//"), "https://a.b:8/at")
        wrongs = ["", "a.b", "ftp://a.b", "https://", "https://u:p@a.b", "https://a?", "http://a "]
        for wrong in wrongs:
            self.assertRaises(ValueError, read_base_url, wrong)
        self.assertRaises(ValueError, read_base_url, "https://a.b:99999")

    def test_an_address_is_escaped(self) -> None:
        query = {"q": "a b&c", "n": 5, "is": True, "from": AT, "no": UNSET, "all": ["a", "b"]}
        url = url_of("http://a", "/users/{userId}/x", {"userId": "a/b?é"}, query)
        head = "http://a/users/a%2Fb%3F%C3%A9/x?q=a%20b%26c&n=5&is=true"
        self.assertEqual(url, f"{head}&from=2026-01-31T09%3A30%3A00.000Z&all=a&all=b")

    def test_a_segment_that_a_path_cannot_contain_is_refused(self) -> None:
        for wrong in ("", ".", ".."):
            self.assertRaises(ValueError, url_of, "http://a", "/x/{id}", {"id": wrong}, {})

    def test_a_datetime_needs_a_time_zone(self) -> None:
        naive = AT.replace(tzinfo=None)
        self.assertRaises(ValueError, url_of, "http://a", "/", {}, {"from": naive})

    def test_a_list_can_be_one_parameter(self) -> None:
        self.assertEqual(comma_separated(["a", "b"]), "a,b")
        self.assertEqual(comma_separated("a,b"), "a,b")
        self.assertIs(comma_separated(UNSET), UNSET)

    def test_a_body_is_exact_json(self) -> None:
        value = {"a": [1, None, True, "é\n"], "b": Decimal("0.10"), "c": AT, "d": UNSET, "e": {}}
        self.assertEqual(
            encode(value),
            '{"a":[1,null,true,"\\u00e9\\n"],"b":0.10,"c":"2026-01-31T09:30:00.000Z","e":{}}',
        )
        for wrong in (1.5, b"x", Decimal("NaN"), {1, 2}):
            self.assertRaises(TypeError, encode, [wrong])

    def test_json_that_is_not_standard_is_refused(self) -> None:
        for wrong in ("NaN", "[Infinity]", "{", "[" * 100_000):
            self.assertRaises(ValueError, parse_json, wrong)

    def test_retry_after_is_a_number_of_seconds_or_a_date(self) -> None:
        now = datetime(2026, 1, 31, 9, 30, tzinfo=timezone.utc).timestamp()
        for header, seconds in (
            ("3", 3),
            (" 07 ", 7),
            ("Sat, 31 Jan 2026 09:30:05 GMT", 5),
            ("Sat, 31 Jan 2026 09:29:00 GMT", 0),
            ("soon", None),
            ("-1", None),
            (None, None),
        ):
            self.assertEqual(read_retry_after(header, now), seconds)
