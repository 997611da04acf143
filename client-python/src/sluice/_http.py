"""One HTTP request within a time limit. Redirects are not followed."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
from dataclasses import dataclass
from typing import Any, Mapping, Optional
from urllib.parse import urlsplit

from .errors import SluiceNetworkError

NETWORK_ERRORS = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Request:
    """A request as it is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes]


class Deadline:
    """The time limit of one attempt, connection and answer included."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        """Grants the full time once more, for the next part of a stream."""
        self._end = time.monotonic() + self.seconds

    def remaining(self) -> float:
        """The remaining seconds. Raises TimeoutError if the deadline has passed."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time limit of the attempt has passed")
        return left

    def error_of(self, request: Request, cause: BaseException) -> SluiceNetworkError:
        """The client's error for an error of the network."""
        is_late = isinstance(cause, (TimeoutError, socket.timeout)) or self._end <= time.monotonic()
        no_answer = f"no answer within {self.seconds:g} s" if is_late else "no answer"
        message = f"{no_answer}: {request.method} {request.url.split('?')[0]}"
        error = SluiceNetworkError(message, reason="timeout" if is_late else "network")
        error.__cause__ = cause
        return error


class Answer:
    """An answer whose head has arrived."""

    def __init__(
        self,
        request: Request,
        deadline: Deadline,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
    ) -> None:
        self.status = response.status
        self._parts = (request, deadline, connection, response)
        self._text: Optional[str] = None

    def header(self, name: str) -> Optional[str]:
        return self._parts[3].getheader(name)

    def read(self) -> str:
        """The whole body. Raises SluiceNetworkError if it does not arrive in time."""
        if self._text is not None:
            return self._text
        request, deadline, connection, response = self._parts
        try:
            self._text = response.read().decode("utf-8", "replace")
            return self._text
        except NETWORK_ERRORS as error:
            raise deadline.error_of(request, error) from error
        finally:
            connection.close()

    def download(self) -> Download:
        """The body as a stream."""
        return Download(*self._parts)


class Download(io.RawIOBase):
    """A file that the service streams, as unbuffered bytes.

    Wrap it for text: `io.TextIOWrapper(io.BufferedReader(download), "utf-8", newline="")`. Close
    it, or use it in a `with` statement. The timeout applies to each read. Raises
    SluiceNetworkError if the stream ends early, so a complete read is a complete file.
    """

    def __init__(
        self,
        request: Request,
        deadline: Deadline,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
    ) -> None:
        self.content_type = response.getheader("content-type")
        self._parts = (request, deadline, connection, response)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.closed:
            raise ValueError("the download is closed")
        request, deadline, _connection, response = self._parts
        deadline.restart()
        try:
            count = response.readinto(buffer)
            # Of a body with a length; a body in chunks raises IncompleteRead itself.
            if count == 0 and response.length and len(buffer) > 0:
                raise http.client.IncompleteRead(b"", response.length)
            return count
        except NETWORK_ERRORS as error:
            raise deadline.error_of(request, error) from error

    def close(self) -> None:
        if not self.closed:
            self._parts[3].close()
            self._parts[2].close()
        super().close()


def open_request(request: Request, timeout: float, tls: Optional[ssl.SSLContext]) -> Answer:
    """Sends a request and reads the head of its answer.

    Raises SluiceNetworkError if there is no answer within `timeout` seconds.
    """
    url = urlsplit(request.url)
    deadline = Deadline(timeout)
    context = tls if url.scheme == "https" else None
    connection = _Connection(url.hostname or "", url.port, deadline, context)
    target = url.path or "/"
    try:
        connection.request(
            request.method,
            f"{target}?{url.query}" if url.query else target,
            body=request.body,
            headers=dict(request.headers),
        )
        return Answer(request, deadline, connection, connection.getresponse())
    except NETWORK_ERRORS as error:
        connection.close()
        raise deadline.error_of(request, error) from error


class _Connection(http.client.HTTPConnection):
    """A connection whose every step ends at the deadline; the library limits each read alone."""

    def __init__(
        self,
        host: str,
        port: Optional[int],
        deadline: Deadline,
        tls: Optional[ssl.SSLContext],
    ) -> None:
        self.default_port = http.client.HTTP_PORT if tls is None else http.client.HTTPS_PORT
        super().__init__(host, port)
        self._deadline = deadline
        self._tls = tls

    def connect(self) -> None:
        bare = socket.create_connection((self.host, self.port), self._deadline.remaining())
        try:
            bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            bare.settimeout(self._deadline.remaining())
            tls = self._tls
            sock = bare if tls is None else tls.wrap_socket(bare, server_hostname=self.host)
        except BaseException:
            bare.close()
            raise
        self.sock: Any = _TimedSocket(sock, self._deadline)


class _TimedSocket:
    """The methods of a socket that `http.client` uses."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def sendall(self, data: Any) -> None:
        self._sock.settimeout(self._deadline.remaining())
        self._sock.sendall(data)

    def makefile(self, *_mode: Any) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._sock, self._deadline))

    def close(self) -> None:
        self._sock.close()


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        # Keeps the socket open until this reader is closed.
        self._file = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._deadline.remaining())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
