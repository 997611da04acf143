"""Reads JSON without loss of precision."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


def parse_json(text: str) -> Any:
    """Integers of any size are `int`, other numbers `Decimal`. Raises ValueError if invalid."""
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
