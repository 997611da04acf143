from __future__ import annotations

import pickle
import unittest
from decimal import Decimal
from typing import Any, List

from sluice import Client, SluiceAnswerError, SluiceError, SluiceNetworkError, RequestReport

from .scripted_server import CUT, HANG, PatientClient, ScriptedServer, Step, refusal

FINE = Step(200, {"id": "org", "payments": []})
BUSY = refusal(503, "SERVICE_UNAVAILABLE", retry_after="3")
ORDER = {
    "chain_id": "c",
    "token_id": "t",
    "amount": "5",
    "recipient": "r",
    "reference": "x",
}


class ServerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.service = ScriptedServer()
        self.addCleanup(self.service.close)

    def patient(self, **options: Any) -> PatientClient:
        return PatientClient(self.service.base_url, **options)


class RefusalTest(ServerTest):
    def test_a_refusal_is_a_sluice_error_with_all_fields(self) -> None:
        details = {"available": "1", "required": "5"}
        self.service.will(refusal(422, "INSUFFICIENT_BALANCE", details))
        client = PatientClient(f"{self.service.base_url}/at").client
        with self.assertRaises(SluiceError) as caught:
            client.post_withdrawals(**ORDER)
        error = caught.exception
        self.assertEqual(error.code, "INSUFFICIENT_BALANCE")
        self.assertEqual(error.status, 422)
        self.assertEqual(str(error), "INSUFFICIENT_BALANCE: This is INSUFFICIENT_BALANCE.")
        self.assertEqual(error.details["available"], "1")
        self.assertEqual(error.request_id, "request-1")
        url = f"{self.service.base_url}/at/docs/errors#INSUFFICIENT_BALANCE"
        self.assertEqual(error.doc_url, url)
        self.assertIsNone(error.retry_after_seconds)
        self.assertEqual(len(self.service.asked), 1)

    def test_a_refusal_without_details_has_the_request_id_of_its_header(self) -> None:
        body = {"error": "INVALID_CHAIN", "message": "no", "statusCode": 422}
        self.service.will(Step(422, body, headers={"x-request-id": "other"}))
        with self.assertRaises(SluiceError) as caught:
            self.patient().client.get_chain(id="x")
        self.assertEqual(caught.exception.request_id, "other")
        self.assertEqual(caught.exception.details, {})
        self.assertIsNone(caught.exception.doc_url)

    def test_errors_survive_a_pickle(self) -> None:
        error = SluiceError("A: b", status=422, code="A", details={"field": "x"}, request_id="1")
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copy), copy.__dict__), (str(error), error.__dict__))
        late = pickle.loads(pickle.dumps(SluiceNetworkError("late", reason="timeout")))
        self.assertEqual(late.reason, "timeout")

    def test_an_answer_of_a_proxy_is_a_sluice_answer_error(self) -> None:
        for step in (
            Step(404, text="<html>"),
            Step(302, text="", headers={"location": "/elsewhere"}),
            Step(200, text="fine"),
            Step(200, 5),
            Step(422, {"message": "no"}),
        ):
            self.service.will(step)
            with self.assertRaises(SluiceAnswerError) as caught:
                self.patient().client.get_organisation()
            self.assertEqual(caught.exception.status, step.status)
            self.assertEqual(caught.exception.excerpt, step.content.decode())
        self.assertEqual({asked.path for asked in self.service.asked}, {"/organisation"})


class RetryTest(ServerTest):
    def test_passing_failures_are_retried(self) -> None:
        for step in (
            refusal(503, "SERVICE_UNAVAILABLE"),
            refusal(500, "INTERNAL_ERROR"),
            refusal(429, "RATE_LIMIT_EXCEEDED"),
            CUT,
            Step(200, {"id": "a long organization"}, cut=9),
            Step(502, text="<html>Bad Gateway</html>"),
        ):
            self.service.asked.clear()
            self.service.will(step, step, FINE)
            patient = self.patient()
            self.assertEqual(patient.client.get_organisation()["id"], "org")
            self.assertEqual(len(self.service.asked), 3)
            self.assertEqual(patient.waits, [0.125, 0.25])

    def test_retries_are_bounded_and_the_last_error_is_raised(self) -> None:
        self.service.will(BUSY)
        patient = self.patient()
        with self.assertRaises(SluiceError) as caught:
            patient.client.get_organisation()
        self.assertEqual(caught.exception.code, "SERVICE_UNAVAILABLE")
        self.assertEqual(len(self.service.asked), 3)
        self.assertEqual(patient.waits, [3.125, 3.25])

    def test_retries_can_be_disabled_and_set_for_a_call(self) -> None:
        self.service.will(CUT)
        patient = self.patient(retries=0)
        with self.assertRaises(SluiceNetworkError) as caught:
            patient.client.get_organisation()
        self.assertEqual(caught.exception.reason, "network")
        self.assertEqual(len(self.service.asked), 1)
        with self.assertRaises(SluiceNetworkError):
            patient.client.with_options(retries=4).get_organisation()
        self.assertEqual(len(self.service.asked), 6)

    def test_the_wait_grows_exponentially_to_eight_seconds(self) -> None:
        self.service.will(CUT)
        patient = self.patient(retries=7, random=1.0)
        with self.assertRaises(SluiceNetworkError):
            patient.client.get_organisation()
        self.assertEqual(patient.waits, [0.25, 0.5, 1, 2, 4, 8, 8])

    def test_a_requested_wait_of_more_than_a_minute_is_raised(self) -> None:
        self.service.will(refusal(429, "RATE_LIMIT_EXCEEDED", retry_after="61"), FINE)
        patient = self.patient()
        with self.assertRaises(SluiceError) as caught:
            patient.client.get_organisation()
        self.assertEqual(caught.exception.retry_after_seconds, 61)
        self.assertEqual(patient.waits, [])

    def test_a_tampered_record_is_not_requested_again(self) -> None:
        self.service.will(refusal(500, "INTERNAL_ERROR", {"reason": "tampered"}))
        with self.assertRaises(SluiceError):
            self.patient().client.get_withdrawal(id="x")
        self.assertEqual(len(self.service.asked), 1)

    def test_operations_with_another_effect_the_second_time_are_not_retried(self) -> None:
        self.service.will(CUT)
        client = self.patient().client
        for operation in (
            lambda: client.post_login(username="ann", password="p", totp_code="123456"),
            lambda: client.patch_signing_secret(),
            lambda: client.post_event_redeliver(id="x"),
            lambda: client.post_withdrawal_approve(id="x", totp_code="123456"),
            lambda: client.get_readiness(),
        ):
            self.service.asked.clear()
            with self.assertRaises(SluiceNetworkError):
                operation()
            self.assertEqual(len(self.service.asked), 1)

    def test_a_withdrawal_whose_answer_was_lost_is_returned(self) -> None:
        details = {"existingWithdrawalId": "w", "sameParameters": True}
        found = {"withdrawals": [{"id": "w", "reference": "x"}], "nextCursor": None}
        self.service.will(CUT, refusal(422, "DUPLICATE_REFERENCE", details), Step(200, found))
        self.assertEqual(self.patient().client.post_withdrawals(**ORDER)["withdrawal"]["id"], "w")
        self.assertEqual(self.service.asked[2].path, "/withdrawals?reference=x&limit=1")

    def test_a_duplicate_reference_of_the_first_attempt_is_raised(self) -> None:
        details = {"existingWithdrawalId": "w", "sameParameters": True}
        self.service.will(refusal(422, "DUPLICATE_REFERENCE", details))
        with self.assertRaises(SluiceError):
            self.patient().client.post_withdrawals(**ORDER)
        self.assertEqual(len(self.service.asked), 1)

    def test_a_duplicate_reference_after_a_limit_is_raised(self) -> None:
        details = {"existingWithdrawalId": "w", "sameParameters": True}
        duplicate = refusal(422, "DUPLICATE_REFERENCE", details)
        found = Step(200, {"withdrawals": [{"id": "w"}]})
        self.service.will(refusal(429, "RATE_LIMIT_EXCEEDED"), duplicate, found)
        self.assertRaises(SluiceError, self.patient().client.post_withdrawals, **ORDER)
        self.assertEqual(len(self.service.asked), 2)

    def test_a_duplicate_is_returned_on_request_if_its_parameters_are_the_same(self) -> None:
        client = self.patient().client.with_options(if_duplicate="return")
        details = {"existingWithdrawalId": "w", "sameParameters": True}
        duplicate = refusal(422, "DUPLICATE_REFERENCE", details)
        self.service.will(duplicate, Step(200, {"withdrawals": [{"id": "w"}]}))
        self.assertEqual(client.post_withdrawals(**ORDER), {"withdrawal": {"id": "w"}})
        self.service.will(duplicate, Step(200, {"withdrawals": [{"id": "other"}]}))
        self.assertRaises(SluiceError, client.post_withdrawals, **ORDER)
        other = {**details, "sameParameters": False}
        found = Step(200, {"withdrawals": [{"id": "w"}]})
        self.service.will(refusal(422, "DUPLICATE_REFERENCE", other), found)
        self.assertRaises(SluiceError, client.post_withdrawals, **ORDER)

    def test_a_cancellation_whose_answer_was_lost_is_returned(self) -> None:
        record = {"id": "w", "status": "Cancelled", "txnError": None, "updatedAt": "t", "memo": "m"}
        late = refusal(422, "WITHDRAWAL_NOT_PENDING")
        self.service.will(CUT, late, Step(200, record))
        cancelled = self.patient().client.delete_withdrawal(id="w")["withdrawal"]
        self.assertEqual(
            cancelled, {"id": "w", "status": "Cancelled", "txnError": None, "updatedAt": "t"}
        )
        self.service.will(CUT, late, Step(200, {**record, "status": "Completed"}))
        with self.assertRaises(SluiceError) as caught:
            self.patient().client.delete_withdrawal(id="w")
        self.assertEqual(caught.exception.code, "WITHDRAWAL_NOT_PENDING")


class TimeoutTest(ServerTest):
    def test_a_service_that_does_not_answer_is_a_timeout(self) -> None:
        self.service.will(HANG)
        with self.assertRaises(SluiceNetworkError) as caught:
            self.patient(retries=0, timeout=0.05).client.get_organisation()
        self.assertEqual(caught.exception.reason, "timeout")
        self.assertIn("no answer within 0.05 s: GET", str(caught.exception))

    def test_the_timeout_begins_after_the_wait_that_a_request_asks_for(self) -> None:
        self.service.will(HANG)
        with self.assertRaises(SluiceNetworkError) as caught:
            self.patient(retries=0, timeout=0.05).client.get_events(after=7, wait=1)
        self.assertIn("no answer within 1.05 s: GET", str(caught.exception))

    def test_the_timeout_limits_the_whole_attempt_and_not_each_read(self) -> None:
        self.service.will(Step(200, {"id": "x" * 200}, drips=True))
        with self.assertRaises(SluiceNetworkError) as caught:
            self.patient(retries=0, timeout=0.2).client.get_organisation()
        self.assertEqual(caught.exception.reason, "timeout")

    def test_limits_out_of_range_are_refused_before_a_request(self) -> None:
        client = self.patient().client
        nan, infinity = float("nan"), float("inf")
        wrongs: List[Any] = [{"timeout": one} for one in (0, nan, infinity, 2**31)]
        wrongs += [{"retries": one} for one in (-1, 0.5, 11)]
        for wrong in wrongs:
            self.assertRaises(ValueError, client.with_options, **wrong)
            self.assertRaises(ValueError, Client, self.service.base_url, **wrong)
        self.assertEqual(self.service.asked, [])


class RequestTest(ServerTest):
    def test_the_request_has_the_credential_and_no_unset_field(self) -> None:
        self.service.will(FINE)
        self.patient().client.post_withdrawals(**ORDER, memo=None)
        (asked,) = self.service.asked
        self.assertEqual(asked.headers["x-api-key"], "key")
        self.assertEqual(asked.headers["content-type"], "application/json")
        self.assertTrue(asked.headers["user-agent"].startswith("sluice-python/"))
        names = ["chainId", "tokenId", "amount", "recipient", "reference", "memo"]
        self.assertEqual(list(asked.json), names)
        self.assertIsNone(asked.json["memo"])

    def test_an_optional_body_without_fields_is_not_sent(self) -> None:
        self.service.will(FINE)
        self.patient().client.patch_signing_secret()
        self.assertEqual(self.service.asked[0].text, "")
        self.patient().client.patch_signing_secret(totp_code="123456")
        self.assertEqual(self.service.asked[1].json, {"totpCode": "123456"})

    def test_a_code_without_a_body_is_a_header(self) -> None:
        self.service.will(FINE)
        self.patient().client.get_organisation(totp_code="123456")
        self.assertEqual(self.service.asked[0].headers["x-totp-code"], "123456")

    def test_a_rotated_credential_is_used_by_the_next_attempt(self) -> None:
        keys = iter(["old", "new"])
        self.service.will(CUT, FINE)
        self.patient(api_key=lambda: next(keys)).client.get_organisation()
        sent = [asked.headers["x-api-key"] for asked in self.service.asked]
        self.assertEqual(sent, ["old", "new"])

    def test_an_access_token_is_a_bearer_token_and_sign_in_has_no_credential(self) -> None:
        self.service.will(FINE)
        client = Client(self.service.base_url, access_token="token")
        client.get_profile()
        client.post_login(username="ann", password="p", totp_code="123456")
        first, second = self.service.asked
        self.assertEqual(first.headers["authorization"], "Bearer token")
        self.assertNotIn("authorization", second.headers)
        self.assertRaises(TypeError, Client, self.service.base_url, access_token="a", api_key="b")

    def test_a_credential_with_a_line_break_is_refused_without_repeating_it(self) -> None:
        with self.assertRaises(TypeError) as caught:
            self.patient(api_key="secret\n").client.get_chains()
        self.assertNotIn("secret", str(caught.exception))

    def test_numbers_keep_their_precision(self) -> None:
        text = '{"portfolio": [0.1000000000000000055, 9007199254740993]}'
        self.service.will(Step(200, text=text))
        answer: Any = self.patient().client.get_portfolio()
        exact = [Decimal("0.1000000000000000055"), 9007199254740993]
        self.assertEqual(answer["portfolio"], exact)

    def test_a_float_is_refused_before_a_request(self) -> None:
        wrong: Any = {**ORDER, "amount": 1.5}
        self.assertRaises(TypeError, self.patient().client.post_withdrawals, **wrong)
        self.assertEqual(self.service.asked, [])

    def test_readiness_is_an_answer_although_its_status_is_503(self) -> None:
        self.service.will(Step(503, {"status": "unavailable", "checks": {"database": "away"}}))
        self.assertEqual(self.patient().client.get_readiness()["status"], "unavailable")

    def test_reports_describe_every_attempt(self) -> None:
        reports: List[RequestReport] = []

        def report(one: RequestReport) -> None:
            reports.append(one)
            raise RuntimeError("ignored")

        self.service.will(CUT, Step(200, {}, headers={"x-request-id": "r"}))
        self.patient(on_request=report).client.get_organisation()
        found = [(one.operation, one.attempt, one.status, one.request_id) for one in reports]
        self.assertEqual(
            found, [("getOrganisation", 0, None, None), ("getOrganisation", 1, 200, "r")]
        )


class PagesTest(ServerTest):
    def test_an_iterator_reads_page_after_page_and_no_page_too_early(self) -> None:
        first = Step(200, {"payments": [{"id": "a"}, {"id": "b"}], "nextCursor": "next"})
        self.service.will(first, Step(200, {"payments": [{"id": "c"}], "nextCursor": None}))
        payments = self.patient().client.iter_payments(user_id="ann", from_="2026-01-01")
        self.assertEqual([next(payments)["id"], next(payments)["id"]], ["a", "b"])
        self.assertEqual(len(self.service.asked), 1)
        self.assertEqual([one["id"] for one in payments], ["c"])
        query = "/payments?userId=ann&from=2026-01-01&limit=500"
        paths = [asked.path for asked in self.service.asked]
        self.assertEqual(paths, [query, f"{query}&cursor=next"])

    def test_an_iterator_ends_if_a_page_points_to_itself(self) -> None:
        self.service.will(Step(200, {"payments": [], "nextCursor": "same"}))
        with self.assertRaises(SluiceAnswerError):
            list(self.patient().client.iter_payments())
        self.assertEqual(len(self.service.asked), 2)


if __name__ == "__main__":
    unittest.main()
