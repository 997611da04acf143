"""Verifies webhook deliveries; the same rules as `client/src/webhook.ts`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import re
import time
from datetime import datetime
from typing import Any, Iterable, List, Literal, Optional, Protocol, Sequence, Union, cast

from ._generated import WebhookEvent
from ._json import parse_json

WebhookProblem = Literal[
    "MISSING_HEADER",
    "MALFORMED_TIMESTAMP",
    "TIMESTAMP_TOO_OLD",
    "TIMESTAMP_TOO_NEW",
    "NO_MATCHING_SIGNATURE",
    "MALFORMED_SECRET",
    "MALFORMED_BODY",
]
"""The reason why a delivery is refused."""

SECRET_PREFIX = "whsec_"
SIGNATURES_MAX = 32
"""More than a rotation has at once; further signatures are ignored."""


class Headers(Protocol):
    """Headers of a framework, or a dictionary; names in any case."""

    def items(self) -> Any: ...


class WebhookVerificationError(Exception):
    """The delivery is not from the service, or is a replay; answer it with 401."""

    def __init__(self, message: str, *, reason: WebhookProblem = "NO_MATCHING_SIGNATURE") -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    raw_body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Union[float, datetime, None] = None,
    require_timestamp: bool = True,
) -> WebhookEvent:
    """Verifies a delivery over its unparsed bytes and returns its event, typed by `type`.

    Checks the Standard Webhooks headers; one valid signature of several is enough, so a secret can
    be rotated without a gap. Compares in constant time. Raises WebhookVerificationError with a
    `reason`, and TypeError if `raw_body` was parsed.

    Args:
        raw_body: The unparsed body.
        headers: The headers of the request.
        secret: The organization's `webhookSigningSecret`, or several during a rotation.
        tolerance_seconds: The largest difference of `webhook-timestamp` from now.
        now: Seconds since 1970, or a datetime; by default the clock of the machine.
        require_timestamp: If false, a delivery without the Standard Webhooks headers is verified by
            `x-webhook-signature` alone, which does not cover the time: a captured delivery can be
            replayed at any time, and you must detect it by its event id.
    """
    if not isinstance(raw_body, (bytes, bytearray, memoryview, str)):
        raise TypeError("raw_body must be the unparsed body: bytes or text")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    standard = [_header(headers, name) for name in names]
    event_id, timestamp, signature = standard
    if require_timestamp or standard != [None, None, None]:
        if event_id is None or timestamp is None or signature is None:
            raise _refusal("MISSING_HEADER", " or ".join(names) + " is missing")
        _check_timestamp(timestamp, tolerance_seconds, now)
        head = f"{event_id}.{timestamp}.".encode("utf-8", "replace")
        _check_standard(head + body, signature, secrets)
    else:
        _check_hex(body, _header(headers, "x-webhook-signature"), secrets)
    return _parse_event(body)


def _check_standard(signed: bytes, header: str, secrets: Sequence[str]) -> None:
    """Standard Webhooks 1.0: base64 of HMAC-SHA256 over `id.timestamp.body`, secret decoded."""
    texts = [text[len("v1,") :] for text in header.split(" ") if text.startswith("v1,")]
    decoded = [one for one in map(_base64, texts) if one is not None]
    _check(signed, decoded[:SIGNATURES_MAX], (_decode_secret(one) for one in secrets))


def _check_hex(body: bytes, header: Optional[str], secrets: Sequence[str]) -> None:
    """Section 6.4 of the interface: lower-case hex over the body, keyed with the secret's text."""
    if header is None:
        raise _refusal("MISSING_HEADER", "the signature header is missing")
    is_hex = re.fullmatch(r"([0-9a-fA-F]{2})+", header) is not None
    _check(body, [bytes.fromhex(header)] if is_hex else [], (one.encode() for one in secrets))


def _check(signed: bytes, signatures: Sequence[bytes], keys: Iterable[bytes]) -> None:
    for key in keys:
        if not key:
            raise _refusal("MALFORMED_SECRET", "the secret is empty")
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, one) for one in signatures):
            return
    raise _refusal("NO_MATCHING_SIGNATURE", "the delivery has no valid signature")


def _check_timestamp(text: str, tolerance: float, now: Union[float, datetime, None]) -> None:
    if math.isnan(tolerance) or tolerance < 0:
        raise ValueError("tolerance_seconds must be zero or more")
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise _refusal("MALFORMED_TIMESTAMP", "webhook-timestamp is not a number of seconds")
    if isinstance(now, datetime) and now.tzinfo is None:
        raise ValueError("now must have a time zone")
    clock = now.timestamp() if isinstance(now, datetime) else time.time() if now is None else now
    age = math.floor(clock) - int(text)
    if age > tolerance:
        raise _refusal("TIMESTAMP_TOO_OLD", f"sent {age} s ago")
    if -age > tolerance:
        raise _refusal("TIMESTAMP_TOO_NEW", f"sent in {-age} s from now")


def _parse_event(body: bytes) -> WebhookEvent:
    """A signed body is an event; unknown types are returned unchanged."""
    try:
        event = parse_json(body.decode("utf-8"))
    except ValueError as error:
        raise _refusal("MALFORMED_BODY", "the body is not JSON") from error
    if (
        isinstance(event, dict)
        and isinstance(event.get("type"), str)
        and isinstance(event.get("payload"), dict)
    ):
        return cast(WebhookEvent, event)
    raise _refusal("MALFORMED_BODY", "the body is not an event")


def _header(headers: Headers, name: str) -> Optional[str]:
    """A header with its name in any case; None if it is missing, empty or repeated."""
    found: List[Any] = []
    for key, value in headers.items():
        if isinstance(key, str) and key.lower() == name:
            found.extend(value if isinstance(value, (list, tuple)) else [value])
    return found[0] if len(found) == 1 and isinstance(found[0], str) and found[0] else None


def _decode_secret(secret: str) -> bytes:
    text = secret[len(SECRET_PREFIX) :] if secret.startswith(SECRET_PREFIX) else secret
    decoded = _base64(text)
    if decoded is None:
        raise _refusal("MALFORMED_SECRET", "the secret is not whsec_ followed by base64")
    return decoded


def _base64(text: str) -> Optional[bytes]:
    """Base64 with or without padding and white space; None if the text is anything else."""
    dense = re.sub(r"[\t\n\f\r ]", "", text)
    bare = re.sub(r"={1,2}$", "", dense) if len(dense) % 4 == 0 else dense
    if len(bare) % 4 == 1 or not re.fullmatch(r"[A-Za-z0-9+/]*", bare):
        return None
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return None


def _refusal(reason: WebhookProblem, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(message, reason=reason)
