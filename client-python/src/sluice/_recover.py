"""Finds the outcome of an attempt whose answer was lost."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from .errors import SluiceError

Call = Callable[[str, Mapping[str, str], Mapping[str, Any]], Any]
"""Carries out an operation with a path and a query."""


def recover_creation(call: Call, refusal: SluiceError, body: Mapping[str, Any]) -> Optional[Any]:
    """The withdrawal that an earlier attempt created, in the shape of the creation's answer."""
    if refusal.code != "DUPLICATE_REFERENCE" or not refusal.details.get("sameParameters"):
        return None
    query = {"reference": body["reference"], "limit": 1}
    for withdrawal in call("getWithdrawals", {}, query)["withdrawals"]:
        if withdrawal["id"] == refusal.details.get("existingWithdrawalId"):
            return {"withdrawal": withdrawal}
    return None


def recover_cancellation(
    call: Call, refusal: SluiceError, path: Mapping[str, str]
) -> Optional[Any]:
    """The withdrawal that an earlier attempt cancelled, in the shape of that answer."""
    if refusal.code != "WITHDRAWAL_NOT_PENDING":
        return None
    withdrawal = call("getWithdrawal", path, {})
    if withdrawal["status"] != "Cancelled":
        return None
    names = ("id", "status", "txnError", "updatedAt")
    return {"withdrawal": {name: withdrawal[name] for name in names}}
