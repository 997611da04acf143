"""The client of Sluice, the self-hosted service for crypto deposits and withdrawals."""

from . import _generated
from ._generated import *
from ._http import Download
from ._request import UNSET
from ._transport import Credential, RequestReport
from ._version import VERSION as __version__
from .amounts import to_base_units, to_decimal
from .client import Client
from .errors import SluiceAnswerError, SluiceError, SluiceNetworkError
from .webhook import WebhookProblem, WebhookVerificationError, verify_webhook

__all__ = [
    "Client",
    "Credential",
    "Download",
    "RequestReport",
    "SluiceAnswerError",
    "SluiceError",
    "SluiceNetworkError",
    "UNSET",
    "WebhookProblem",
    "WebhookVerificationError",
    "__version__",
    "to_base_units",
    "to_decimal",
    "verify_webhook",
]
__all__ += _generated.__all__
