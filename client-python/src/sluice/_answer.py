"""Distinguishes successful answers, refusals of the service, and other answers."""

from __future__ import annotations

import json
from typing import Any, Collection, Optional, Union

from ._http import Answer
from ._json import parse_json
from ._retry import read_retry_after
from .errors import SluiceAnswerError, SluiceError

EXCERPT_LENGTH = 200


def is_success(status: int, accepted: Collection[int]) -> bool:
    """Whether the status is 2xx or one of the `accepted` ones."""
    return 200 <= status < 300 or status in accepted


def read_answer(answer: Answer, base_url: str, now: float, accepted: Collection[int]) -> Any:
    """The body of a successful answer. Raises SluiceError or SluiceAnswerError."""
    text = answer.read()
    body = _parse(text)
    if is_success(answer.status, accepted) and isinstance(body, (dict, list)):
        return body
    raise to_error(answer, text, base_url, now)


def to_error(
    answer: Answer, text: str, base_url: str, now: float
) -> Union[SluiceError, SluiceAnswerError]:
    """The error for an answer that is not the expected one."""
    retry_after = read_retry_after(answer.header("retry-after"), now)
    status = answer.status
    body = _parse(text)
    if not _is_error_body(body):
        excerpt = text[:EXCERPT_LENGTH]
        return SluiceAnswerError(
            f"answer {status} is not from Sluice: {json.dumps(excerpt)}",
            status=status,
            excerpt=excerpt,
            retry_after_seconds=retry_after,
        )
    details = body["details"] if isinstance(body.get("details"), dict) else {}
    return SluiceError(
        f"{body['error']}: {body['message']}",
        status=status,
        code=body["error"],
        details=details,
        request_id=_text_of(details.get("requestId")) or answer.header("x-request-id"),
        doc_url=_absolute(_text_of(details.get("docUrl")), base_url),
        retry_after_seconds=retry_after,
    )


def _parse(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return None


def _is_error_body(body: Any) -> bool:
    return (
        isinstance(body, dict)
        and isinstance(body.get("error"), str)
        and isinstance(body.get("message"), str)
    )


def _text_of(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _absolute(url: Optional[str], base_url: str) -> Optional[str]:
    return f"{base_url}{url}" if url is not None and url.startswith("/") else url
