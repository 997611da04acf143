"""Runs the samples of README.md; Flask and Django are replaced by what the samples use of them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import time
import types
import unittest
from pathlib import Path
from typing import Any, Callable, Dict
from unittest import mock

from .scripted_server import ScriptedServer, Step, refusal
from .test_webhook import BODY, SECRET, headers_of

PAGE = Path(__file__).parents[1] / "README.md"
SAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)


def sample_with(words: str) -> str:
    (found,) = [sample for sample in SAMPLES if words in sample]
    return str(found)


def module(name: str, **members: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    vars(made).update(members)
    return made


def unchanged(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


class Flask:
    def __init__(self, _name: str) -> None:
        pass

    def post(self, _path: str) -> Callable[..., Any]:
        return unchanged


class FlaskRequest:
    body = b""
    headers: Dict[str, str] = {}

    def get_data(self) -> bytes:
        return self.body


class DjangoResponse:
    def __init__(self, status: int) -> None:
        self.status_code = status


class ReadmeTest(unittest.TestCase):
    def test_every_sample_is_run_here(self) -> None:
        self.assertEqual(len(SAMPLES), 4)

    def run_sample(self, text: str, modules: Dict[str, types.ModuleType]) -> Dict[str, Any]:
        names: Dict[str, Any] = {"__name__": "sample"}
        with mock.patch.dict(sys.modules, modules):
            with mock.patch.dict(os.environ, {"WEBHOOK_SECRET": SECRET}):
                exec(compile(text, str(PAGE), "exec"), names)
        return names

    def test_the_flask_receiver_accepts_only_valid_deliveries(self) -> None:
        request = FlaskRequest()
        stub = module("flask", Flask=Flask, request=request)
        receive = self.run_sample(sample_with("from flask"), {"flask": stub})["receive"]
        request.body, request.headers = BODY, headers_of(at=int(time.time()))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(receive(), ("", 204))
            request.body = BODY.replace(b"25000000", b"95000000")
            self.assertEqual(receive(), ("", 401))
        self.assertEqual(output.getvalue(), "credit deposit-1\n")

    def test_the_django_receiver_accepts_only_valid_deliveries(self) -> None:
        stubs = {
            name: module(name, csrf_exempt=unchanged, require_POST=unchanged)
            for name in ("django", "django.views", "django.views.decorators")
        }
        for name in ("django.views.decorators.csrf", "django.views.decorators.http"):
            stubs[name] = module(name, csrf_exempt=unchanged, require_POST=unchanged)
        stubs["django.http"] = module("django.http", HttpResponse=DjangoResponse)
        receive = self.run_sample(sample_with("from django"), stubs)["receive"]
        request = types.SimpleNamespace(body=BODY, headers=headers_of(at=int(time.time())))
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(receive(request).status_code, 204)
            request.headers = headers_of(at=1)
            self.assertEqual(receive(request).status_code, 401)

    def test_the_first_calls_send_the_requests_that_they_describe(self) -> None:
        token = {"id": "eip155:1/slip44:60", "symbol": "ETH", "decimals": 6}
        deposit = {"amount": "1500000", "Token": token}
        service = ScriptedServer()
        self.addCleanup(service.close)
        service.will(
            Step(200, {"tokens": [token]}),
            Step(200, {"address": {"properties": {"address": "0xabc"}}}),
            Step(200, {"payments": [deposit], "nextCursor": None}),
            Step(201, {"withdrawal": {"status": "Pending"}}),
        )
        output = io.StringIO()
        sample = sample_with("# Pay 12.50").replace("https://sluice.example.com", service.base_url)
        with mock.patch.dict(os.environ, {"API_KEY": "key"}), contextlib.redirect_stdout(output):
            self.run_sample(sample, {})
        self.assertEqual(output.getvalue(), "0xabc\n1.5 ETH\nPending\n")
        sent = [f"{asked.method} {asked.path}" for asked in service.asked]
        user = "userId=alice"
        token_query = "chainId=eip155%3A1&tokenId=eip155%3A1%2Fslip44%3A60"
        self.assertEqual(
            sent,
            [
                "GET /tokens?chainId=eip155%3A1",
                f"GET /payments/deposit-address?{token_query}&{user}",
                f"GET /payments?{user}&status=Confirmed&limit=500",
                "POST /withdrawals",
            ],
        )
        self.assertEqual(service.asked[3].json["amount"], "12500000")

    def test_the_errors_sample_describes_refusals(self) -> None:
        pay = self.run_sample(sample_with("def pay"), {})["pay"]
        from sluice import Client

        service = ScriptedServer()
        self.addCleanup(service.close)
        client = Client(service.base_url, api_key="key")
        order = dict(chain_id="c", token_id="t", amount="5", recipient="r", reference="x")
        details = {"available": "1", "required": "5"}
        service.will(refusal(422, "INSUFFICIENT_BALANCE", details))
        self.assertEqual(pay(client, order), "only 1 of 5")
        service.will(refusal(422, "INVALID_CHAIN"))
        self.assertRegex(pay(client, order), r"^INVALID_CHAIN \(http://.*\), request request-1$")
        service.will(Step(cut=0))
        self.assertRegex(pay(client.with_options(retries=0), order), "^no answer")
