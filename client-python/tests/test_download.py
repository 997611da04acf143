from __future__ import annotations

import csv
import io

from sluice import SluiceAnswerError, SluiceError, SluiceNetworkError
from sluice._transport import Operation

from .scripted_server import CUT, PatientClient, ScriptedServer, Step, refusal
from .test_transport import ServerTest

TEXT = 'id,amount\r\n1,"5"\r\n2,"7"\r\n'
CSV = {"content-type": "text/csv; charset=utf-8"}


class DownloadTest(ServerTest):
    """With an operation of its own: the interface decides which ones have files."""

    def open(self, patient: PatientClient) -> io.RawIOBase:
        client = patient.client
        operation = Operation("getFile", "GET", "/file", has_credential=True, is_repeatable=True)
        vars(client)["_operations"] = {"getFile": operation}
        return client._download("getFile", "text/csv", query={"status": "a,b"})

    def test_a_file_is_read_as_text(self) -> None:
        self.service.will(Step(text=TEXT, headers=CSV))
        with self.open(self.patient()) as download:
            text = io.TextIOWrapper(io.BufferedReader(download), "utf-8", newline="")
            self.assertEqual(list(csv.reader(text)), [["id", "amount"], ["1", "5"], ["2", "7"]])
        self.assertEqual(self.service.asked[0].headers["accept"], "text/csv")
        self.assertEqual(self.service.asked[0].path, "/file?status=a%2Cb")
        self.assertRaises(ValueError, download.read)

    def test_a_file_that_ends_early_is_an_error(self) -> None:
        chunked = {**CSV, "transfer-encoding": "chunked"}
        for step in (
            Step(text=TEXT, headers=CSV, cut=9),
            Step(text=f"{len(TEXT):x}\r\n{TEXT}\r\n", headers=chunked),
            Step(text=f"{len(TEXT):x}\r\n{TEXT[:5]}", headers=chunked),
        ):
            self.service.will(step)
            with self.open(self.patient()) as download:
                self.assertRaises(SluiceNetworkError, download.readall)

    def test_a_refusal_is_raised_and_retried_before_the_file_begins(self) -> None:
        self.service.will(CUT, refusal(503, "SERVICE_UNAVAILABLE"), Step(text=TEXT, headers=CSV))
        with self.open(self.patient()) as download:
            self.assertEqual(download.readall(), TEXT.encode())
        self.service.will(refusal(403, "FORBIDDEN"))
        self.assertRaises(SluiceError, self.open, self.patient())

    def test_an_answer_of_another_type_is_refused(self) -> None:
        self.service.will(Step(200, {"payments": []}, headers={"content-type": "application/json"}))
        self.assertRaises(SluiceAnswerError, self.open, self.patient())


del ServerTest
