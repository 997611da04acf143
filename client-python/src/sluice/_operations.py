"""The base of the generated methods."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, Iterator, Literal, Mapping, Optional

from ._http import Download
from ._recover import recover_cancellation, recover_creation
from ._transport import Input, Operation, Recover, Transport, call, download
from .errors import SluiceAnswerError, SluiceError


class OperationCaller:
    """Carries out operations by name."""

    _operations: ClassVar[Mapping[str, Operation]] = {}
    _transport: Transport
    _if_duplicate: Literal["raise", "return"]

    def _call(self, name: str, **parts: Any) -> Any:
        values = Input(**parts)
        starts_in_doubt = name == "postWithdrawals" and self._if_duplicate == "return"
        recover = self._recovery_of(name, values)
        return call(self._transport, self._operations[name], values, recover, starts_in_doubt)

    def _download(self, name: str, media_type: str, **parts: Any) -> Download:
        return download(self._transport, self._operations[name], Input(**parts), media_type)

    def _each(
        self, name: str, items: str, page_size: int, query: Mapping[str, Any], **parts: Any
    ) -> Iterator[Any]:
        """Every record of a list. Memory holds one page, and the next one is requested late."""
        cursor: Optional[str] = None
        while True:
            part: Dict[str, Any] = {"limit": page_size}
            if cursor is not None:
                part["cursor"] = cursor
            page = self._call(name, query={**query, **part}, **parts)
            yield from page[items]
            following = page.get("nextCursor")
            if following is None:
                return
            if following == cursor:
                message = "the list points to the page that it came from"
                raise SluiceAnswerError(message, status=200, excerpt=following)
            cursor = following

    def _recovery_of(self, name: str, values: Input) -> Optional[Recover[Any]]:
        def read(operation: str, path: Mapping[str, str], query: Mapping[str, Any]) -> Any:
            return self._call(operation, path=path, query=query)

        def creation(refusal: SluiceError) -> Optional[Any]:
            return recover_creation(read, refusal, values.body)

        def cancellation(refusal: SluiceError) -> Optional[Any]:
            return recover_cancellation(read, refusal, values.path)

        recoveries = {"postWithdrawals": creation, "deleteWithdrawal": cancellation}
        return recoveries.get(name)
