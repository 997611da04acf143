"""The errors of the client."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional


class SluiceError(Exception):
    """The service refused the request; `code` is the reason.

    A newer service may send codes that `ErrorCode` does not list, so handle a default.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        details: Optional[Mapping[str, Any]] = None,
        request_id: Optional[str] = None,
        doc_url: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """The code and the message of the service."""
        self.status = status
        """The HTTP status."""
        self.code = code
        self.details: Mapping[str, Any] = {} if details is None else details
        """Values that help to correct the request; the fields depend on the code."""
        self.request_id = request_id
        """Identifies the request in the service's log."""
        self.doc_url = doc_url
        """The page of the service's documentation that explains the code."""
        self.retry_after_seconds = retry_after_seconds
        """The wait that the service requests before the next attempt."""


class SluiceNetworkError(Exception):
    """No answer: the network failed, or the timeout expired.

    The request may have been carried out. `__cause__` has the error of the network.
    """

    def __init__(self, message: str, *, reason: Literal["network", "timeout"] = "network") -> None:
        super().__init__(message)
        self.reason: Literal["network", "timeout"] = reason


class SluiceAnswerError(Exception):
    """The answer is not in the service's format: the page of a proxy, a redirect, half a body.

    The request may have been carried out.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        excerpt: str = "",
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.excerpt = excerpt
        """The beginning of the body."""
        self.retry_after_seconds = retry_after_seconds
