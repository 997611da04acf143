"""Sends the requests of a client and repeats them if that is safe."""

from __future__ import annotations

import math
import ssl
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, TypeVar, Union

from ._answer import is_success, read_answer, to_error
from ._http import Answer, Download, Request, open_request
from ._request import UNSET, Unset, check_credential, encode, url_of
from ._retry import CallError, leaves_doubt, wait_before_retry
from ._version import VERSION
from .errors import SluiceAnswerError, SluiceError, SluiceNetworkError

JSON = "application/json"
RETRIES_MAX = 10
TIMEOUT_MAX_SECONDS = 2_147_483

Credential = Union[str, Callable[[], str]]
"""A credential, or a function that returns the current one before each attempt."""


@dataclass(frozen=True)
class Operation:
    """An operation of the interface."""

    name: str
    method: str
    path: str
    has_credential: bool
    is_repeatable: bool
    """Whether a second execution changes no state."""
    accepted: Tuple[int, ...] = ()
    """Statuses outside 2xx that are successful answers."""
    is_body_optional: bool = False


@dataclass(frozen=True)
class RequestReport:
    """The outcome of one attempt, for logs and metrics."""

    operation: str
    method: str
    url: str
    attempt: int
    """0 for the first, 1 for the first retry."""
    duration_seconds: float
    status: Optional[int]
    """None if there was no answer."""
    request_id: Optional[str]


@dataclass(frozen=True)
class Input:
    """The input of an operation; values that are `UNSET` are not sent."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, Any] = field(default_factory=dict)
    body: Any = UNSET


@dataclass(frozen=True)
class Transport:
    """The settings and dependencies of a client."""

    base_url: str
    credential_kind: str
    credential: Optional[Credential]
    timeout: float
    retries: int
    tls: Optional[ssl.SSLContext]
    on_request: Optional[Callable[[RequestReport], None]]
    sleep: Callable[[float], None]
    random: Callable[[], float]


Result = TypeVar("Result")
Recover = Callable[[SluiceError], Optional[Result]]
"""Checks a refusal after an attempt of unknown outcome: the answer of that attempt, or None."""


def check_limits(timeout: float, retries: int) -> None:
    """Raises ValueError if a timeout or a number of retries is out of range."""
    if not (math.isfinite(timeout) and 0.001 <= timeout <= TIMEOUT_MAX_SECONDS):
        raise ValueError(f"timeout must be 0.001 to {TIMEOUT_MAX_SECONDS} seconds")
    if not isinstance(retries, int) or not 0 <= retries <= RETRIES_MAX:
        raise ValueError(f"retries must be a whole number from 0 to {RETRIES_MAX}")


def call(
    transport: Transport,
    operation: Operation,
    parts: Input,
    recover: Optional[Recover[Any]] = None,
    starts_in_doubt: bool = False,
) -> Any:
    """Carries out an operation and returns the body of its answer."""

    def attempt(number: int) -> Any:
        answer = _send(transport, operation, parts, number, JSON)
        return read_answer(answer, transport.base_url, time.time(), operation.accepted)

    return _repeat(transport, operation, attempt, recover, starts_in_doubt)


def download(
    transport: Transport, operation: Operation, parts: Input, media_type: str
) -> Download:
    """Carries out an operation whose answer is a file. Retries end when the file begins."""

    def attempt(number: int) -> Download:
        answer = _send(transport, operation, parts, number, media_type)
        if _is_file(answer, media_type):
            return answer.download()
        raise to_error(answer, answer.read(), transport.base_url, time.time())

    return _repeat(transport, operation, attempt, None, False)


def _is_file(answer: Answer, media_type: str) -> bool:
    content_type = (answer.header("content-type") or "").split(";")[0].strip().lower()
    return is_success(answer.status, ()) and content_type == media_type


def _repeat(
    transport: Transport,
    operation: Operation,
    attempt: Callable[[int], Result],
    recover: Optional[Recover[Result]],
    is_in_doubt: bool,
) -> Result:
    retries = transport.retries if operation.is_repeatable else 0
    number = 0
    while True:
        try:
            return attempt(number)
        except (SluiceError, SluiceAnswerError, SluiceNetworkError) as error:
            found = _recovered(error, recover) if is_in_doubt else None
            if found is not None:
                return found
            is_in_doubt = is_in_doubt or leaves_doubt(error)
            if number >= retries:
                raise
            wait = wait_before_retry(error, number, transport.random())
            if wait is None:
                raise
        transport.sleep(wait)
        number += 1


def _recovered(error: CallError, recover: Optional[Recover[Result]]) -> Optional[Result]:
    return recover(error) if recover is not None and isinstance(error, SluiceError) else None


def _send(
    transport: Transport, operation: Operation, parts: Input, number: int, accept: str
) -> Answer:
    request = _request_of(transport, operation, parts, accept)
    started_at = time.monotonic()

    def report(answer: Optional[Answer]) -> None:
        if transport.on_request is None:
            return
        outcome = RequestReport(
            operation=operation.name,
            method=request.method,
            url=request.url,
            attempt=number,
            duration_seconds=time.monotonic() - started_at,
            status=None if answer is None else answer.status,
            request_id=None if answer is None else answer.header("x-request-id"),
        )
        try:
            transport.on_request(outcome)
        except Exception:  # An error of the callback must not turn an answer into an error.
            pass

    try:
        # The timeout begins after a wait that the request asks the service for.
        wait = parts.query.get("wait", 0)
        timeout = transport.timeout + (0 if isinstance(wait, Unset) else wait)
        answer = open_request(request, timeout, transport.tls)
        if accept == JSON or not _is_file(answer, accept):
            answer.read()
    except SluiceNetworkError:
        report(None)
        raise
    report(answer)
    return answer


def _request_of(
    transport: Transport, operation: Operation, parts: Input, accept: str
) -> Request:
    url = url_of(transport.base_url, operation.path, parts.path, parts.query)
    headers: Dict[str, str] = {"accept": accept, "user-agent": f"sluice-python/{VERSION}"}
    if operation.has_credential and transport.credential is not None:
        value = transport.credential
        kind = transport.credential_kind
        text = check_credential(kind, value() if callable(value) else value)
        if kind == "api_key":
            headers["x-api-key"] = text
        else:
            headers["authorization"] = f"Bearer {text}"
    for name, value in parts.headers.items():
        if not isinstance(value, Unset):
            headers[name] = value
    text_body = UNSET if isinstance(parts.body, Unset) else encode(parts.body)
    if isinstance(text_body, Unset) or (operation.is_body_optional and text_body == "{}"):
        return Request(operation.method, url, headers, None)
    headers["content-type"] = "application/json"
    return Request(operation.method, url, headers, text_body.encode())
