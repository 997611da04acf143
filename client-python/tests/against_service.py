"""Uses a running service as an integrator does, and prints what happened as JSON.

Standard input has `baseUrl`, `apiKey`, `chainId`, `tokenId`, `recipient`, `depositor` (a user with
a deposit) and `webhookPort` as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple

from sluice import (
    Client,
    SluiceError,
    WebhookEvent,
    WebhookVerificationError,
    verify_webhook,
)

WAIT_SECONDS = 30


class Receiver:
    """Receives webhooks and verifies each with the current secrets."""

    def __init__(self, port: int, secrets: List[str]) -> None:
        self.secrets = secrets
        self._arrived = threading.Condition()
        self._verified: Dict[str, Tuple[bytes, Dict[str, str], WebhookEvent]] = {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                self.send_response(receiver._take(body, dict(self.headers.items())))
                self.end_headers()

            def log_message(self, *_words: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{port}/webhooks"

    def _take(self, body: bytes, headers: Dict[str, str]) -> int:
        try:
            event = verify_webhook(body, headers, self.secrets)
        except WebhookVerificationError:
            return 401
        with self._arrived:
            self._verified[event["id"]] = (body, headers, event)
            self._arrived.notify_all()
        return 204

    def wait_for(self, event_id: str) -> Tuple[bytes, Dict[str, str], WebhookEvent]:
        with self._arrived:
            if not self._arrived.wait_for(lambda: event_id in self._verified, WAIT_SECONDS):
                raise TimeoutError(f"the event {event_id} did not arrive")
            return self._verified[event_id]


def refusal_of(call: Callable[[], Any]) -> Dict[str, Any]:
    try:
        call()
    except SluiceError as error:
        page = error.doc_url
        return {
            "status": error.status,
            "code": error.code,
            "details": dict(error.details),
            "hasRequestId": error.request_id is not None,
            "page": page if page is None else page.split("/docs/")[-1],
        }
    raise AssertionError("the service did not refuse the request")


def reason_of(body: bytes, headers: Dict[str, str], secret: str, now: Optional[float]) -> str:
    try:
        verify_webhook(body, headers, secret, now=now)
    except WebhookVerificationError as error:
        return error.reason
    return "verified"


def use_deposits(client: Client, given: Dict[str, Any]) -> Dict[str, Any]:
    def address_of(user_id: str) -> str:
        account = client.get_deposit_address(
            chain_id=given["chainId"], token_id=given["tokenId"], user_id=user_id
        )
        return account["address"]["properties"]["address"]

    user_id = str(uuid.uuid4())
    (deposit,) = client.iter_payments(user_id=given["depositor"])
    return {
        "isSameAddress": address_of(user_id) == address_of(user_id),
        "isOtherAddress": address_of(user_id) != address_of(given["depositor"]),
        "deposit": {name: deposit[name] for name in ("amount", "externalUserId", "tokenId")},
    }


def use_withdrawals(client: Client, given: Dict[str, Any]) -> Dict[str, Any]:
    order = {
        "chain_id": given["chainId"],
        "token_id": given["tokenId"],
        "amount": "1500",
        "recipient": given["recipient"],
        "reference": str(uuid.uuid4()),
    }
    created = client.post_withdrawals(**order)["withdrawal"]
    again = client.with_options(if_duplicate="return").post_withdrawals(**order)["withdrawal"]
    other = {**order, "reference": str(uuid.uuid4()), "amount": "9" * 30}
    return {
        "id": created["id"],
        "amount": created["amount"],
        "isSame": again["id"] == created["id"],
        "duplicate": refusal_of(lambda: client.post_withdrawals(**order)),
        "tooMuch": refusal_of(lambda: client.post_withdrawals(**other)),
    }


def use_webhooks(client: Client, receiver: Receiver) -> Dict[str, Any]:
    (old,) = receiver.secrets
    sent = client.post_webhook_test()["event"]
    body, headers, event = receiver.wait_for(sent["id"])
    changed = bytes([body[0] ^ 1]) + body[1:]
    new = client.patch_signing_secret()["webhookSigningSecret"]
    receiver.secrets = [new, old]
    both_body, both_headers, _ = receiver.wait_for(client.post_webhook_test()["event"]["id"])
    sequences = [one["sequence"] for one in client.iter_events(after=0)]
    return {
        "type": event["type"],
        "payload": event["payload"],
        "right": reason_of(body, headers, old, None),
        "tampered": reason_of(changed, headers, old, None),
        "replayed": reason_of(body, headers, old, time.time() + 400),
        "otherSecret": reason_of(body, headers, new, None),
        "oldAfterRotation": reason_of(both_body, both_headers, old, None),
        "newAfterRotation": reason_of(both_body, both_headers, new, None),
        "feedIsOrdered": sequences == sorted(sequences) and event["sequence"] in sequences,
    }


def main() -> None:
    given = json.load(sys.stdin)
    client = Client(given["baseUrl"], api_key=given["apiKey"])
    stranger = Client(given["baseUrl"], api_key="unknown")
    secret = client.get_organisation()["webhookSigningSecret"]
    receiver = Receiver(given["webhookPort"], [secret])
    client.patch_webhook(webhook_url=receiver.url)
    report = {
        "isReady": stranger.get_readiness()["status"] in ("ready", "degraded"),
        "stranger": refusal_of(stranger.get_chains),
        "deposits": use_deposits(client, given),
        "withdrawals": use_withdrawals(client, given),
        "webhooks": use_webhooks(client, receiver),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
