"""When a call is repeated, and after how long; the same rules as `client/src/retry.ts`."""

from __future__ import annotations

import math
import re
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Optional, Union

from .errors import SluiceAnswerError, SluiceError, SluiceNetworkError

CallError = Union[SluiceError, SluiceAnswerError, SluiceNetworkError]

BACKOFF_FIRST_MS = 250
BACKOFF_MAX_MS = 8_000
RETRY_AFTER_MAX_SECONDS = 60
"""The error is raised if the service requests a longer wait."""


def leaves_doubt(error: CallError) -> bool:
    """Whether an operation may have been carried out although it failed with this error."""
    return not isinstance(error, SluiceError) or error.status >= 500


def wait_before_retry(error: CallError, attempt: int, random: float) -> Optional[float]:
    """The wait before the next attempt in seconds; None if a retry would fail in the same way.

    Without `Retry-After`, exponential from 250 ms to 8 s, with full jitter. `attempt` is 0 after
    the first attempt; `random` is from 0 to 1.
    """
    if not _may_pass(error):
        return None
    requested = None if isinstance(error, SluiceNetworkError) else error.retry_after_seconds
    if requested is not None and requested > RETRY_AFTER_MAX_SECONDS:
        return None
    jitter = random * min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * (1 << attempt))
    return math.ceil((requested or 0) * 1_000 + jitter) / 1_000


def _may_pass(error: CallError) -> bool:
    if isinstance(error, SluiceNetworkError):
        return True
    # A tampered record stays tampered, and each attempt would raise an alert.
    if isinstance(error, SluiceError) and error.details.get("reason") == "tampered":
        return False
    return error.status == 429 or error.status >= 500


def read_retry_after(header: Optional[str], now: float) -> Optional[int]:
    """`Retry-After` in seconds, from a number of seconds or a date; None if it is neither.

    `now` is in seconds since 1970.
    """
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return int(header)
    try:
        date = parsedate_to_datetime(header)
    except (TypeError, ValueError, IndexError):
        return None
    zoned = date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)
    return max(0, math.ceil(zoned.timestamp() - now))
