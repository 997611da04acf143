"""A local HTTP server that answers as scripted."""

from __future__ import annotations

import json
import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Union

from sluice import Client


class Step:
    """An answer: `body` as JSON, or `text`; `cut` ends the connection after so many bytes."""

    def __init__(
        self,
        status: int = 200,
        body: Any = None,
        *,
        text: Optional[str] = None,
        headers: Optional[Dict[str, str]] = None,
        cut: Optional[int] = None,
        hangs: bool = False,
        drips: bool = False,
    ) -> None:
        self.status = status
        self.content = (json.dumps(body) if text is None else text).encode()
        self.headers = headers or {}
        self.cut = cut
        self.hangs = hangs
        self.drips = drips


CUT = Step(cut=0)
HANG = Step(hangs=True)


def refusal(status: int, code: str, details: Any = None, **headers: str) -> Step:
    """A refusal as the service sends it."""
    whole = {"requestId": "request-1", "docUrl": f"/docs/errors#{code}", **(details or {})}
    body = {"error": code, "message": f"This is {code}.", "statusCode": status, "details": whole}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status, body, headers=named)


class Asked:
    """A request as it arrived."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.method = handler.command
        self.path = handler.path
        self.headers = handler.headers
        self.text = body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class ScriptedServer:
    """Answers with one step after the other, and repeats the last one."""

    def __init__(self) -> None:
        self.asked: List[Asked] = []
        self._steps: List[Step] = []
        self._released = threading.Event()
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                script.asked.append(Asked(self, self.rfile.read(length)))
                step = script._steps.pop(0) if len(script._steps) > 1 else script._steps[0]
                if step.hangs:
                    script._released.wait()
                    return
                self.close_connection = True
                if step.cut == 0:
                    reset(self.connection)
                    return
                self.send_response(step.status)
                for name, value in step.headers.items():
                    self.send_header(name, value)
                if "transfer-encoding" not in step.headers:
                    self.send_header("content-length", str(len(step.content)))
                self.end_headers()
                if step.drips:
                    script._drip(self.wfile, step.content)
                else:
                    self.wfile.write(step.content[: step.cut])

            do_POST = do_PATCH = do_DELETE = do_GET

            def log_message(self, *_words: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def will(self, *steps: Step) -> None:
        """Sets the next answers; the last one is repeated."""
        self._steps = list(steps)

    def _drip(self, file: Any, content: bytes) -> None:
        """One byte after the other, each of them sooner than a read times out."""
        for byte in content:
            if self._released.wait(0.01):
                return
            try:
                file.write(bytes([byte]))
            except OSError:
                return

    def close(self) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class PatientClient:
    """A client that records its waits and does not wait."""

    def __init__(self, base_url: str, random: float = 0.5, **options: Any) -> None:
        self.waits: List[float] = []
        self.client = Client(
            base_url,
            api_key=options.pop("api_key", "key"),
            sleep=self.waits.append,
            random=lambda: random,
            **options,
        )


def reset(connection: Union[socket.socket, Any]) -> None:
    """Ends a connection without an answer."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
