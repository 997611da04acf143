"""Puts requests together: addresses, bodies, credentials."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any, Mapping
from urllib.parse import quote, urlsplit


class Unset:
    """The type of `UNSET`."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()
"""The default of an optional field that may also be null: the field is not sent."""


def or_unset(value: Any) -> Any:
    """The value of an optional field that cannot be null: not sent if it is None."""
    return UNSET if value is None else value


def comma_separated(values: Any) -> Any:
    """A list as one query parameter."""
    return values if isinstance(values, (str, Unset)) else ",".join(_text(one) for one in values)


def read_base_url(text: str) -> str:
    """The address without a slash at its end. Raises ValueError for an invalid one."""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or re.search(r"[^\x21-\x7e]", text):
        raise ValueError("base_url must be an http or https address")
    if url.username is not None or re.search(r"[?#]", text):
        raise ValueError("base_url must not have credentials, a query or a fragment")
    _ = url.port  # Raises ValueError if it is not a number up to 65535.
    return text.rstrip("/")


def url_of(
    base_url: str, template: str, path: Mapping[str, str], query: Mapping[str, Any]
) -> str:
    """The address of a request. Raises ValueError for a segment that a path cannot contain."""
    filled = re.sub(r"\{(\w+)\}", lambda found: _segment(found[1], path.get(found[1])), template)
    pairs = [
        f"{quote(name, safe='')}={quote(_text(one), safe='')}"
        for name, value in query.items()
        if not isinstance(value, Unset)
        for one in (value if isinstance(value, (list, tuple)) else [value])
    ]
    return f"{base_url}{filled}{'?' if pairs else ''}{'&'.join(pairs)}"


def _segment(name: str, value: Any) -> str:
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{name} cannot be {value!r}")
    return quote(value, safe="")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date)):
        return _timestamp(value)
    if isinstance(value, (str, int)):
        return str(value)
    raise TypeError(f"a query parameter cannot be a {type(value).__name__}")


def _timestamp(value: date) -> str:
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is None:
        raise ValueError("a datetime must have a time zone")
    text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def encode(value: Any) -> str:
    """A body as JSON. Fields that are `UNSET` are left out.

    Raises TypeError for a float: it cannot hold every amount.
    """
    if value is None or isinstance(value, (str, bool, int)):
        return json.dumps(value)
    if isinstance(value, date):
        return json.dumps(_timestamp(value))
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, Mapping):
        sent = {name: one for name, one in value.items() if not isinstance(one, Unset)}
        return "{" + ",".join(f"{json.dumps(n)}:{encode(one)}" for n, one in sent.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(one) for one in value) + "]"
    hint = "; amounts are strings of base units" if isinstance(value, float) else ""
    raise TypeError(f"a request cannot have a {type(value).__name__}{hint}")


def check_credential(kind: str, value: str) -> str:
    """A credential as a header can contain it. Raises TypeError without repeating it."""
    if isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]+", value):
        return value
    raise TypeError(f"{kind} has characters that a header cannot contain")
