"""The operations and types of the interface.

Written by `tools/generate-python.mjs` from the service's OpenAPI document.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Iterator, Literal, Mapping, Optional, TypedDict, Union

from ._http import Download
from ._operations import OperationCaller
from ._request import UNSET, Unset, or_unset
from ._transport import Operation

__all__ = [
    "AccessToken",
    "AccountProperties",
    "Account",
    "AccountEventProperties",
    "AccountEvent",
    "Alert",
    "ApiKey",
    "ApiKeyChange",
    "ApiKeyRequest",
    "ApiKeyRotation",
    "ApprovalRequestAssertionResponse",
    "ApprovalRequestAssertion",
    "ApprovalRequest",
    "ApprovalsRequest",
    "AssignmentRequest",
    "AuditEntry",
    "AuditVerification",
    "BalanceEvent",
    "CancelledWithdrawal",
    "ChainPropertiesExplorer",
    "ChainProperties",
    "Chain",
    "ChainFrozenEvent",
    "ChainStatusTip",
    "ChainStatusLag",
    "ChainStatusNodes",
    "ChainStatusLastReorg",
    "ChainStatus",
    "ChainSwitchRequest",
    "CodeRequest",
    "DayStats",
    "DeliveryAttemptRequest",
    "DeliveryAttemptResponse",
    "DeliveryAttempt",
    "Deposit",
    "DepositEvent",
    "DepositNotification",
    "DepositSweep",
    "EligibleApprover",
    "EndpointDelivery",
    "EndpointTest",
    "EstimateRequest",
    "EstimateWarning",
    "EstimatedBalance",
    "EstimatedFee",
    "EventCount",
    "EventDelivery",
    "GasLowEvent",
    "GasWalletChainProperties",
    "GasWalletChain",
    "GasWallet",
    "Health",
    "LedgerEntry",
    "LoginRequest",
    "MinHumansRequest",
    "MinSignersRequest",
    "NewApiKey",
    "NewSigningSecret",
    "Organization",
    "Passkey",
    "PasskeyCreationRp",
    "PasskeyCreationUser",
    "PasskeyCreationPubKeyCredParamsItem",
    "PasskeyCreationAuthenticatorSelection",
    "PasskeyCreation",
    "PasskeyCredentialResponse",
    "PasskeyCredential",
    "PasskeyDescriptor",
    "PasskeyRequest",
    "PaymentTrace",
    "Person",
    "PortfolioEntryAsOf",
    "PortfolioEntry",
    "ProfileOrg",
    "Profile",
    "Readiness",
    "RedeliveryCount",
    "RedeliveryRequest",
    "RefusedApproval",
    "RejectionRequest",
    "Session",
    "SettingsChangedEvent",
    "SingleDeposit",
    "SingleEvent",
    "SingleWithdrawal",
    "SpeedUp",
    "StatementLine",
    "StoredEvent",
    "Sweep",
    "Token",
    "TokenSummary",
    "TokenSwitchRequest",
    "TraceStep",
    "TracedPayment",
    "UnattributedPayment",
    "WebhookEndpoint",
    "WebhookRequest",
    "WebhookTestEvent",
    "Withdrawal",
    "WithdrawalApproval",
    "WithdrawalCancellation",
    "WithdrawalEstimate",
    "WithdrawalEvent",
    "WithdrawalRequest",
    "WithdrawalReview",
    "WithdrawalTransaction",
    "PostInvitationAnswerOrganization",
    "PostInvitationAnswer",
    "PostInvitationAcceptAnswer",
    "PostTotpAnswer",
    "PostRecoveryCodesAnswer",
    "GetSessionsAnswer",
    "GetPasskeysAnswer",
    "PostPasskeysAnswer",
    "PatchPasskeyAnswer",
    "GetUsersAnswer",
    "PostUsersAnswerInvitation",
    "PostUsersAnswer",
    "GetUserAnswer",
    "PatchUserAnswer",
    "PostUserResetAnswerInvitation",
    "PostUserResetAnswer",
    "DeleteUserInvitationAnswer",
    "GetApiKeysAnswer",
    "PostApiKeyAnswer",
    "PatchApiKeyTermsAnswer",
    "DeleteApiKeyAnswer",
    "PostApiKeyRotateAnswer",
    "GetDepositAddressAnswer",
    "GetPaymentsAnswer",
    "GetUserDepositsAnswer",
    "GetAccountsAnswer",
    "GetDepositAnswer",
    "GetPaymentsTraceAnswer",
    "GetWithdrawalsAnswer",
    "PostWithdrawalsAnswer",
    "PostWithdrawalsEstimateAnswer",
    "DeleteWithdrawalAnswer",
    "PostWithdrawalSpeedUpAnswer",
    "PostWithdrawalApproveAssertionResponse",
    "PostWithdrawalApproveAssertion",
    "PostWithdrawalApproveAnswer",
    "PostWithdrawalRejectAnswer",
    "PostWithdrawalsApproveAnswer",
    "GetChainsAnswer",
    "GetChainsStatusAnswer",
    "GetChainAnswer",
    "GetTokensAnswer",
    "PatchOrganisationChainAnswer",
    "PatchOrganisationTokenAnswer",
    "GetGasStationAnswer",
    "GetPortfolioAnswer",
    "GetStatementAnswer",
    "GetStatsAnswer",
    "GetEventsAnswer",
    "GetEventsCountAnswer",
    "GetEventAnswer",
    "PostEventRedeliverAnswer",
    "PostWebhookTestAnswer",
    "GetWebhookEndpointsAnswer",
    "PostWebhookEndpointAnswer",
    "GetWebhookEndpointAnswer",
    "PatchWebhookEndpointAnswer",
    "PostWebhookEndpointSecretAnswer",
    "PostWebhookEndpointTestAnswer",
    "GetSweepsAnswer",
    "GetUnattributedAnswer",
    "PostUnattributedAssignAnswer",
    "GetLedgerEntriesAnswer",
    "GetAlertsAnswer",
    "GetAlertAnswer",
    "PostAlertAcknowledgeAnswer",
    "GetAuditLogAnswer",
    "GetAuditLogVerificationAnswer",
    "DepositDetectedWebhook",
    "DepositConfirmedWebhookPayload",
    "DepositConfirmedWebhook",
    "DepositRevertedWebhookPayload",
    "DepositRevertedWebhook",
    "DepositHeldWebhookPayload",
    "DepositHeldWebhook",
    "AccountCreatedWebhook",
    "WithdrawalCreatedWebhook",
    "WithdrawalApprovedWebhook",
    "WithdrawalProcessingWebhook",
    "WithdrawalCompletedWebhook",
    "WithdrawalFailedWebhook",
    "WithdrawalCancelledWebhook",
    "BalanceUpdatedWebhook",
    "GasLowWebhook",
    "ChainFrozenWebhook",
    "SettingsChangedWebhook",
    "WebhookTestWebhook",
    "WebhookEvent",
    "ErrorCode",
]


class _AccessTokenRequired(TypedDict):
    accessToken: str
    """A JWT: the bearer token of the session."""
    expiresIn: int
    """Lifetime in seconds."""


class AccessToken(_AccessTokenRequired, total=False):
    mustEnrolTotp: bool
    """True after a recovery code, otherwise absent: the session can only enrol a new TOTP secret
    (`POST /auth/totp`).
    """
    recoveryCodesLeft: int
    """Unused recovery codes, after a recovery code."""


class _AccountPropertiesRequired(TypedDict):
    address: str
    """The address to pay to."""


class AccountProperties(_AccountPropertiesRequired, total=False):
    """The address to pay to; on XRP with a `destinationTag`."""

    destinationTag: str
    """The tag that the payment must carry (XRP)."""
    xAddress: str
    """Address and tag in one text (XRP)."""


class Account(TypedDict):
    orgId: str
    """The owning organization."""
    chainId: str
    """The chain: a CAIP-2 id."""
    externalUserId: str
    """Your own id of the end user."""
    orgDepositAccountId: str
    """The account, unique within the organization."""
    properties: AccountProperties
    """The address to pay to; on XRP with a `destinationTag`."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class _AccountEventPropertiesRequired(TypedDict):
    address: str
    """The address to pay to."""


class AccountEventProperties(_AccountEventPropertiesRequired, total=False):
    """The address to pay to; on XRP with a `destinationTag`."""

    destinationTag: str
    """The tag that the payment must carry (XRP)."""
    xAddress: str
    """Address and tag in one text (XRP)."""


class AccountEvent(TypedDict):
    orgId: str
    """The owning organization."""
    chainId: str
    """The chain: a CAIP-2 id."""
    externalUserId: str
    """Your own id of the end user."""
    orgDepositAccountId: str
    """The account, unique within the organization."""
    properties: AccountEventProperties
    """The address to pay to; on XRP with a `destinationTag`."""
    createdAt: str
    """When it was created."""


class Alert(TypedDict):
    id: str
    """Unique id."""
    code: str
    """The kind, such as `gas.low`; each kind has a runbook."""
    subject: str
    """The record that it is about: a deposit, withdrawal, address or chain."""
    message: str
    """The cause and the action to take."""
    times: int
    """How often it was raised while open."""
    raisedAt: str
    """When it was first raised."""
    lastAt: str
    """When it was last raised."""
    resolvedAt: Optional[str]
    """When its cause ended; null while it is open."""
    acknowledgedAt: Optional[str]
    """When a user acknowledged it; null before."""
    acknowledgedBy: Optional[str]
    """The user who acknowledged it; null before."""


class ApiKey(TypedDict):
    id: str
    """Unique id."""
    name: str
    """Its name."""
    scopes: list[Literal["read", "deposits", "withdrawals", "configure"]]
    """The operations that it is allowed to call."""
    allowedCidrs: list[str]
    """The networks from which it may be used; empty: from everywhere."""
    isDefault: bool
    """Whether `PATCH /organisation/api-key` replaces it."""
    status: Literal["active", "expired", "revoked"]
    """Only an `active` key is accepted."""
    lastFour: str
    """Its last four characters."""
    createdBy: Optional[str]
    """The user who created it; null: an operator of the service."""
    createdAt: str
    """When it was created."""
    lastUsedAt: Optional[str]
    """When it was last used, to the minute or so; null: never."""
    expiresAt: Optional[str]
    """When it expires; null: never."""
    revokedAt: Optional[str]
    """When it was revoked; null: not revoked."""


class ApiKeyChange(TypedDict, total=False):
    name: str
    """A name of 1 to 100 characters, not only white space."""
    scopes: list[Literal["read", "deposits", "withdrawals", "configure"]]
    """What the key may do: `read` everything, issue addresses (`deposits`), create and cancel
    `withdrawals`, or `configure`, which includes sending events again.
    """
    allowedCidrs: list[str]
    """Up to 50 IPv4 or IPv6 networks from which the key may be used, such as `203.0.113.0/24`;
    empty: from everywhere.
    """
    expiresAt: Optional[str]
    """When the key expires (ISO 8601, in the future); null: never."""
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class _ApiKeyRequestRequired(TypedDict):
    name: str
    """A name of 1 to 100 characters, not only white space."""
    scopes: list[Literal["read", "deposits", "withdrawals", "configure"]]
    """What the key may do: `read` everything, issue addresses (`deposits`), create and cancel
    `withdrawals`, or `configure`, which includes sending events again.
    """


class ApiKeyRequest(_ApiKeyRequestRequired, total=False):
    allowedCidrs: list[str]
    """Up to 50 IPv4 or IPv6 networks from which the key may be used, such as `203.0.113.0/24`;
    empty: from everywhere.
    """
    expiresAt: Optional[str]
    """When the key expires (ISO 8601, in the future); null: never."""
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class ApiKeyRotation(TypedDict, total=False):
    overlapSeconds: int
    """How many seconds the old key stays valid; 0 by default, at most 24 hours."""
    expiresAt: Optional[str]
    """When the key expires (ISO 8601, in the future); null: never."""
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class ApprovalRequestAssertionResponse(TypedDict):
    clientDataJSON: str
    """What the browser signed: type, challenge and origin. In base64url."""
    authenticatorData: str
    """What the authenticator checked, and its counter. In base64url."""
    signature: str
    """The signature of the passkey over both. In base64url."""


class ApprovalRequestAssertion(TypedDict):
    id: str
    """The id of the credential. In base64url."""
    response: ApprovalRequestAssertionResponse


class ApprovalRequest(TypedDict, total=False):
    totpCode: str
    """A one-time code: six digits of an authenticator app. Each code works once."""
    assertion: ApprovalRequestAssertion


class ApprovalsRequest(TypedDict):
    ids: list[str]
    """The ids of 1 to 100 withdrawals, without duplicates."""
    totpCode: str
    """A one-time code: six digits of an authenticator app. Each code works once."""


class AssignmentRequest(TypedDict):
    externalUserId: str
    """Your own id of an end user: 1 to 255 characters, no control characters, not only white space.
    It is stored unchanged.
    """
    reason: str
    """The reason, for the audit log: 1 to 500 characters."""
    totpCode: str
    """A one-time code: six digits of an authenticator app. Each code works once."""


class AuditEntry(TypedDict):
    id: int
    """Its number; numbers of others lie between."""
    at: str
    """When it was done."""
    actor: str
    """The actor: `user:<id>`, `cli:<name>` for the operator, or a part of the service."""
    action: str
    """The change: `<noun>.<verb>`, such as `api-key.rotate`."""
    object: str
    """The id of the changed object."""
    details: dict[str, Any]
    """More about the change; the fields depend on the action."""


class AuditVerification(TypedDict):
    verified: bool
    """Whether the seals of the checked entries match, and the service finds the whole log intact.
    """
    checked: int
    """Number of the newest entries that were compared with their seals; at most 10000."""
    waiting: int
    """Number of entries that are not sealed yet; sealing takes a few seconds."""
    head: str
    """The last seal, as `<sequence>:<hash>`: keep it elsewhere to detect a rewritten log."""


class BalanceEvent(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    accountId: str
    """The address whose balance changed; `balance` may cover more addresses."""
    balance: str
    """The new balance, in base units. For the reasons `deposit`, `withdrawal` and `reversal`: what
    is available of this token on this chain, over all addresses. For `sweep` and `gas`: the
    balance of the account itself. For `funding`, and its reversal: what is available of the
    token, or, for a gas wallet, available for gas.
    """
    previousBalance: str
    """The balance before, in base units."""
    delta: str
    """The difference in base units; negative if the balance fell."""
    reason: Literal["deposit", "withdrawal", "sweep", "gas", "funding", "reversal"]
    """The cause of the change."""
    referenceId: str
    """The deposit, withdrawal or transaction that changed it."""
    Token: TokenSummary
    updatedAt: str
    """When it happened."""


class CancelledWithdrawal(TypedDict):
    id: str
    """Unique id."""
    status: Literal["PendingApproval", "Pending", "Processing", "Completed", "Failed", "Cancelled"]
    """The status."""
    txnError: Optional[str]
    """Why it failed, or `CANCELLED BY <user id>`."""
    updatedAt: str
    """When it was last changed."""


class ChainPropertiesExplorer(TypedDict):
    """URL templates of a block explorer; null without one. The operator can change them."""

    tx: str
    """The page of a transaction: replace `{hash}`."""
    address: str
    """The page of an address: replace `{address}`."""


class ChainProperties(TypedDict):
    nativeCurrency: str
    """Symbol of the native currency."""
    decimals: int
    """Decimal places of the native currency."""
    carriesMemo: bool
    """Whether the `memo` of a withdrawal goes on-chain: true on TRON (as the data of the
    transaction) and XRPL (as the destination tag). False on EVM chains and Bitcoin, which store
    `memo` with the withdrawal and never send it.
    """
    explorer: Optional[ChainPropertiesExplorer]
    """URL templates of a block explorer; null without one. The operator can change them."""


class Chain(TypedDict):
    id: str
    """The CAIP-2 id."""
    name: str
    """Display name."""
    namespace: str
    """The family: `eip155`, `bip122`, `tron` or `xrpl`."""
    reference: str
    """The part of the id after the colon."""
    enabled: bool
    """Whether the organization can use it now."""
    enabledByOperator: bool
    """Whether the operator of the service has it enabled for the organization."""
    enabledByOrganization: bool
    """Whether the organization has it enabled; true unless it was switched off. `enabled` is false
    if either is.
    """
    isTestnet: bool
    """Whether it is a test network."""
    properties: ChainProperties


class ChainFrozenEvent(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    state: Literal["frozen", "halted"]
    """A halted chain is not scanned either."""
    reason: str
    """Why."""
    at: str
    """When it happened."""


class ChainStatusTip(TypedDict):
    """The last processed block; null if `condition` is `unreached`."""

    height: int
    """The height of the last processed block."""
    hash: str
    """Its hash."""
    time: str
    """Its time, as the block says."""


class ChainStatusLag(TypedDict):
    """How far the service is behind; null if `condition` is `unreached`."""

    blocks: int
    """Blocks of the nodes that are not processed yet."""
    seconds: int
    """Seconds since the time of the last processed block."""


class ChainStatusNodes(TypedDict):
    """The nodes of the service; null before their first query."""

    answering: int
    """Nodes that answered and serve this chain."""
    total: int
    """Configured nodes."""
    checkedAt: str
    """When they were queried; usually at most a minute ago."""


class ChainStatusLastReorg(TypedDict):
    """The last reorg; null before the first."""

    height: int
    """The height of the highest block that stayed."""
    depth: int
    """How many blocks left the chain."""
    at: str
    """When they were undone."""


class ChainStatus(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    name: str
    """Display name."""
    condition: Literal["running", "undoing", "frozen", "halted", "unreached"]
    """`undoing`: a reorg is being undone, and payments wait. `frozen`: scanned, and nothing is
    credited or paid until an operator resumes it. `halted`: not scanned either. `unreached`: no
    node was reached yet.
    """
    tip: Optional[ChainStatusTip]
    """The last processed block; null if `condition` is `unreached`."""
    head: Optional[int]
    """The height of the nodes; null if `condition` is `unreached`."""
    final: Optional[int]
    """The highest final block; null if no node names one."""
    lag: Optional[ChainStatusLag]
    """How far the service is behind; null if `condition` is `unreached`."""
    nodes: Optional[ChainStatusNodes]
    """The nodes of the service; null before their first query."""
    lastReorg: Optional[ChainStatusLastReorg]
    """The last reorg; null before the first."""
    enabled: bool
    """Whether the organization can use the chain now."""
    deposits: bool
    """Whether deposits of the organization are credited now."""
    withdrawals: bool
    """Whether withdrawals of the organization are paid now."""


class _ChainSwitchRequestRequired(TypedDict):
    chainId: str
    """A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them."""
    enabled: bool
    """Whether the organization uses it: false to switch it off, true to switch it on."""


class ChainSwitchRequest(_ChainSwitchRequestRequired, total=False):
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class CodeRequest(TypedDict, total=False):
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class DayStats(TypedDict):
    day: str
    """The day in UTC: YYYY-MM-DD."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    depositCount: int
    """Number of deposits that were credited."""
    withdrawalCount: int
    """Number of withdrawals that a block contains."""
    deposits: str
    """Credited to end users, less deposits that a reorg took back. In base units."""
    fundings: str
    """Sent by the organization to its settlement addresses and gas wallets. In base units."""
    withdrawals: str
    """Paid by withdrawals that a block contains. In base units."""
    fees: str
    """Network fees of withdrawals, sweeps and top-ups. In base units."""
    corrections: str
    """Differences between the ledger and a chain that an audit booked. In base units."""
    closing: str
    """Credited balance at the end of the day. In base units."""
    Token: TokenSummary


class DeliveryAttemptRequest(TypedDict):
    method: str
    """POST."""
    url: str
    """The URL without credentials; empty if no URL was set."""
    headers: dict[str, str]
    """Header names in lower case."""
    body: str
    """The exact text that was signed and sent."""


class DeliveryAttemptResponse(TypedDict):
    """Null without a response."""

    status: int
    """The HTTP status; any 2xx acknowledges the event."""
    headers: dict[str, str]
    """Header names in lower case."""
    body: str
    """The beginning of the body: 16 KiB, or 1 KiB of a 2xx."""


class DeliveryAttempt(TypedDict):
    endpointId: str
    """The webhook endpoint that it was sent to."""
    number: int
    """1 for the first attempt."""
    startedAt: str
    """When it began."""
    finishedAt: str
    """When it ended."""
    durationMs: int
    """Duration in milliseconds: name resolution, connection and response."""
    request: DeliveryAttemptRequest
    response: Optional[DeliveryAttemptResponse]
    """Null without a response."""
    error: str
    """Why the attempt failed: the status (`answered 500`), or the step that failed (name
    resolution, connection, TLS). Empty for any 2xx.
    """


class Deposit(TypedDict):
    id: str
    """Unique id: deduplicate deposits by it."""
    index: int
    """The position in its transaction."""
    chainId: str
    """The chain of the transaction: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    accountChainId: str
    """The chain of the account that was paid."""
    externalUserId: str
    """Your own id of the end user."""
    senderAddress: str
    """The sender."""
    status: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """Credited at `Confirmed`."""
    confirmations: int
    """Blocks on top of its block."""
    requiredConfirmations: int
    """Confirmations that it needs to be credited, on chains that count them."""
    blockNumber: int
    """The height of its block."""
    blockHash: str
    """The hash of its block."""
    confirmedAt: Optional[str]
    """When it was credited; null until then."""
    Token: TokenSummary
    createdAt: str
    """When it was detected."""
    updatedAt: str
    """When it was last changed."""


class DepositEvent(TypedDict):
    id: str
    """Unique id: deduplicate deposits by it."""
    index: int
    """The position in its transaction."""
    chainId: str
    """The chain of the transaction: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    accountChainId: str
    """The chain of the account that was paid."""
    externalUserId: str
    """Your own id of the end user."""
    senderAddress: str
    """The sender."""
    status: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """Credited at `Confirmed`."""
    confirmations: int
    """Blocks on top of its block."""
    blockNumber: int
    """The height of its block."""
    Token: TokenSummary


class DepositNotification(TypedDict):
    eventId: str
    """The event; `GET /events/{id}` shows its attempts."""
    timestamp: str
    """When the event happened."""
    delivery: EventDelivery


class DepositSweep(TypedDict):
    id: str
    """Unique id."""
    status: Literal["Waiting", "Sent", "Done", "Failed"]
    """`Waiting`: not signed yet, for example because its address lacks gas. `Sent`: signed. `Done`:
    included in a block. `Failed`: see `error`; its funds are swept again later.
    """
    txnHash: Optional[str]
    """The transaction on the chain; null before it is signed."""
    createdAt: str
    """When it was planned."""
    updatedAt: str
    """When it was last changed."""


class EligibleApprover(TypedDict):
    userId: str
    """The user."""
    name: str
    """The name of that user."""


class EndpointDelivery(TypedDict):
    endpointId: str
    """The webhook endpoint; it may have been deleted."""
    state: Literal["none", "pending", "delivered", "failed"]
    """`pending` until it is `delivered` (a 2xx) or `failed` (no attempts left); `none` if no URL
    was set: redeliver it after setting one.
    """
    attemptCount: int
    """Number of attempts, redeliveries included."""
    lastStatus: Optional[int]
    """The HTTP status of the last attempt; null without a response."""
    lastError: str
    """The error of the last attempt; empty without an error."""
    nextAttemptAt: Optional[str]
    """When the next attempt is due; null without a scheduled attempt."""
    finishedAt: Optional[str]
    """When it was delivered or failed; null until then."""


class EndpointTest(TypedDict):
    eventId: str
    """The id of the `webhook.test` event; `GET /events/{id}` shows the request."""
    isAccepted: bool
    """Whether the receiver answered with a 2xx."""
    status: Optional[int]
    """The HTTP status of the answer; null without an answer."""
    durationMs: int
    """Duration in milliseconds, from name resolution to the answer."""
    failedStep: Optional[
        Literal["check", "nameResolution", "connection", "tls", "response", "status"],
    ]
    """The step that failed: `check` of the URL, its addresses and the secret, `nameResolution`,
    `connection`, `tls`, `response` (no complete answer) or `status` (not a 2xx). Null if it was
    accepted.
    """
    error: str
    """Why it failed; empty if it was accepted."""


class _EstimateRequestRequired(TypedDict):
    chainId: str
    """A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them."""
    tokenId: str
    """A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them."""
    amount: str
    """Base units of the token, in decimal digits; at most 2^256-1."""
    recipient: str
    """A valid address of the chain. Settlement and gas addresses of this service are refused."""


class EstimateRequest(_EstimateRequestRequired, total=False):
    reference: Optional[str]
    """Your own key of the withdrawal: 1 to 128 characters, no control characters."""
    memo: Optional[str]
    """A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain if
    `properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and Bitcoin store it
    with the withdrawal and never send it.
    """
    internalNote: Optional[str]
    """Your own note of at most 500 characters; it is never sent to a chain."""
    externalUserId: Optional[str]
    """Your own id of the end user for whom the withdrawal is made."""


class EstimateWarning(TypedDict):
    code: Literal[
        "FIRST_PAYMENT",
        "LOOKALIKE_ADDRESS",
        "OWN_ADDRESS",
        "CONTRACT_RECIPIENT",
        "CONTRACT_UNKNOWN",
        "TAG_MISSING",
        "TAG_UNKNOWN",
        "DUPLICATE_PAYMENT",
        "LARGE_SHARE",
    ]
    """`FIRST_PAYMENT`: No earlier withdrawal of the organization paid this recipient on this chain
    (with this destination tag, on chains that have tags). `LOOKALIKE_ADDRESS`: The recipient
    begins and ends like another address that the organization knows, and differs between:
    `details.addresses` lists up to five, each with `address` and `known` (`recipient`,
    `deposit`, `settlement` or `gas`). Attackers create such addresses. `OWN_ADDRESS`: The
    recipient is a deposit address of the organization itself. `CONTRACT_RECIPIENT`: The
    recipient is a contract. It may keep or refuse what it receives. `CONTRACT_UNKNOWN`: No node
    answered whether the recipient is a contract. `TAG_MISSING`: The request has no destination
    tag, and earlier withdrawals to this recipient had one. `TAG_UNKNOWN`: No node answered
    whether the recipient requires a destination tag. `DUPLICATE_PAYMENT`: The same amount of the
    same token was requested for this recipient within 24 hours; `details.withdrawalId` names
    that withdrawal. `LARGE_SHARE`: The amount is more than half of the available balance.
    """
    message: str
    """The point that a person should check."""
    details: dict[str, Any]
    """The facts of the warning; its fields depend on the code."""


class EstimatedBalance(TypedDict):
    """The balance of the token that withdrawals may use."""

    before: str
    """Available without the withdrawal. In base units."""
    after: str
    """Available with the withdrawal: without the amount and `held`. In base units."""
    held: str
    """Held for the fee in addition to the amount; zero if a gas wallet pays it. In base units."""


class EstimatedFee(TypedDict):
    """The network fee."""

    tokenId: str
    """The native currency of the chain, which pays the fee: a CAIP-19 id."""
    expected: Optional[str]
    """The fee of a plain transfer at the current price, with headroom, in base units of the native
    currency; null if no node answers.
    """
    maximum: str
    """The fee cap: the most that the service pays for this withdrawal, replacements included. In
    base units.
    """
    unknownReason: Optional[str]
    """Why `expected` is null; otherwise null."""


class EventCount(TypedDict):
    count: int
    """Number of matching events, at most 100000."""
    redeliverable: int
    """Number of those that `POST /events/redeliver` with the same filter sends again: all but the
    types that the endpoint does not receive. Events that are being sent at that moment are left
    out then.
    """
    isAtLeast: bool
    """Whether more than 100000 events match; the newest are counted."""


class EventDelivery(TypedDict):
    state: Literal["none", "pending", "delivered", "failed"]
    """`pending` until it is `delivered` (a 2xx) or `failed` (no attempts left); `none` if no URL
    was set: redeliver it after setting one.
    """
    attemptCount: int
    """Number of attempts, redeliveries included."""
    lastStatus: Optional[int]
    """The HTTP status of the last attempt; null without a response."""
    lastError: str
    """The error of the last attempt; empty without an error."""
    nextAttemptAt: Optional[str]
    """When the next attempt is due; null without a scheduled attempt."""
    finishedAt: Optional[str]
    """When it was delivered or failed; null until then."""


class GasLowEvent(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    address: str
    """The gas wallet: send native currency to it."""
    balance: str
    """Available for gas, in base units of the native currency."""
    sweepsLeft: int
    """How many token sweeps the balance pays for, at the highest fee."""
    Token: TokenSummary
    at: str
    """When it happened."""


class GasWalletChainProperties(TypedDict):
    nativeCurrency: str
    """Symbol of the native currency."""
    decimals: int
    """Decimal places of the native currency."""


class GasWalletChain(TypedDict):
    name: str
    """Display name of the chain."""
    properties: GasWalletChainProperties


class GasWallet(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    address: str
    """The address to send native currency for fees to."""
    balance: str
    """Its balance of the native currency. In base units."""
    live: bool
    """False if no node of the chain answers: the balance is that of our last block."""
    spendable: str
    """The part available for gas: without the fees of pending transactions. In base units."""
    Chain: GasWalletChain


class Health(TypedDict):
    status: str
    """`ok`: the process answers."""


class LedgerEntry(TypedDict):
    id: int
    """Its number; numbers of others lie between."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    debit: str
    """The account that is debited: `claim:<kind>` or `place:<kind>:<address>`."""
    credit: str
    """The account that is credited."""
    amount: str
    """The amount. In base units."""
    reason: str
    """Why it was posted, such as `deposit.confirmed`."""
    reversal: bool
    """Whether it reverses what a reorg undid."""
    referenceId: str
    """The record that it belongs to: a deposit, withdrawal, sweep or spend."""
    blockNumber: Optional[int]
    """The height of its block; null if it belongs to no block."""
    Token: TokenSummary
    createdAt: str
    """When it was posted."""


class LoginRequest(TypedDict):
    username: str
    """The name that the person signs in with."""
    password: str
    """The password."""
    totpCode: str
    """A one-time code: six digits of an authenticator app, each code works once. Or a recovery
    code, which also works once.
    """


class _MinHumansRequestRequired(TypedDict):
    minHumanApprovals: Optional[int]
    """How many approvals of a new withdrawal people must give: 0 to the number of signers; null for
    the default.
    """


class MinHumansRequest(_MinHumansRequestRequired, total=False):
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class _MinSignersRequestRequired(TypedDict):
    minWithdrawalSigners: int
    """How many approvals a new withdrawal needs: 1 to the number of signers."""


class MinSignersRequest(_MinSignersRequestRequired, total=False):
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class NewApiKey(TypedDict):
    apiKey: str
    """The new key. It is shown only once: the service stores a hash of it."""


class NewSigningSecret(TypedDict):
    webhookSigningSecret: str
    """The new secret. For 24 hours `webhook-signature` also has a signature of the previous one."""


class Organization(TypedDict):
    id: str
    """Unique id."""
    name: str
    """Its name."""
    webhookUrl: str
    """The URL that receives events; empty if not set."""
    webhookSigningSecret: str
    """Signs deliveries (HMAC SHA-256). Complete for an API key with the scope `configure`, and for
    an admin who sends a one-time code in the header `x-totp-code`; otherwise its last four
    characters.
    """
    minWithdrawalSigners: int
    """Approvals that a new withdrawal needs, including that of its initiator."""
    minHumanApprovals: int
    """Approvals that must come from people; an API key does not count."""
    permissions: list[str]
    """The permissions of the caller: `read`, `issueAddresses`, `createWithdrawals` and more, the
    names of `details.required` of a 403. For an API key, limited by its scopes.
    """
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class Passkey(TypedDict):
    id: str
    """Unique id."""
    name: str
    """The name that the person chose."""
    createdAt: str
    """When it was added."""
    lastUsedAt: Optional[str]
    """When it last approved a withdrawal; null while never used."""


class PasskeyCreationRp(TypedDict):
    id: str
    """The host name that the passkey is bound to."""
    name: str
    """The name that the browser shows."""


class PasskeyCreationUser(TypedDict):
    id: str
    """The id of the person. In base64url."""
    name: str
    """The name that the person signs in with."""
    displayName: str
    """The same name."""


class PasskeyCreationPubKeyCredParamsItem(TypedDict):
    type: Literal["public-key"]
    """The only type of WebAuthn."""
    alg: int
    """An algorithm of COSE."""


class PasskeyCreationAuthenticatorSelection(TypedDict):
    residentKey: Literal["preferred"]
    """Stored by the authenticator."""
    userVerification: Literal["required"]
    """The authenticator checks a fingerprint, a face or a PIN."""


class PasskeyCreation(TypedDict):
    challenge: str
    """Signed by the authenticator; it works once, for ten minutes. In base64url."""
    rp: PasskeyCreationRp
    user: PasskeyCreationUser
    pubKeyCredParams: list[PasskeyCreationPubKeyCredParamsItem]
    """The accepted algorithms, the preferred one first."""
    timeout: int
    """How long the browser waits, in milliseconds."""
    excludeCredentials: list[PasskeyDescriptor]
    """The passkeys that the person has already."""
    authenticatorSelection: PasskeyCreationAuthenticatorSelection
    attestation: Literal["none"]
    """The model of the authenticator is not asked."""


class PasskeyCredentialResponse(TypedDict):
    clientDataJSON: str
    """What the browser signed: type, challenge and origin. In base64url."""
    attestationObject: str
    """The public key, with what the authenticator checked. In base64url."""


class PasskeyCredential(TypedDict):
    id: str
    """The id of the credential. In base64url."""
    response: PasskeyCredentialResponse


class PasskeyDescriptor(TypedDict):
    type: Literal["public-key"]
    """The only type of WebAuthn."""
    id: str
    """The id of the credential. In base64url."""


class PasskeyRequest(TypedDict):
    challenge: str
    """The canonical hash of the withdrawal. In base64url."""
    rpId: str
    """The host name that the passkeys are bound to."""
    timeout: int
    """How long the browser waits, in milliseconds."""
    userVerification: Literal["required"]
    """The authenticator checks a fingerprint, a face or a PIN."""
    allowCredentials: list[PasskeyDescriptor]
    """The passkeys of the person that have not approved this withdrawal before."""


class PaymentTrace(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    txnHash: str
    """The transaction, as the chain writes it."""
    outcome: Literal[
        "CHAIN_NOT_FOLLOWED",
        "NODE_AWAY",
        "TRANSACTION_NOT_FOUND",
        "TRANSACTION_WAITS",
        "TRANSACTION_FOUND",
        "TRANSACTION_FAILED",
        "BEFORE_START",
        "NOT_YET_SCANNED",
        "BLOCK_READ",
        "CHAIN_FROZEN",
        "CHAIN_HALTED",
        "CHAIN_DISPUTED",
        "OWN_TRANSACTION",
        "OWN_WITHDRAWAL",
        "NOTHING_FOR_YOU",
        "RECIPIENT_IS_USER",
        "RECIPIENT_IS_SETTLEMENT",
        "RECIPIENT_IS_GAS",
        "OTHER_NETWORK",
        "ZERO_VALUE",
        "TOKEN_NOT_LISTED",
        "TOKEN_DISABLED",
        "TAG_MISSING",
        "TAG_UNKNOWN",
        "NOT_DETECTED",
        "DETECTED",
        "WAITING_FOR_CONFIRMATIONS",
        "BEING_CONFIRMED",
        "BELOW_MINIMUM",
        "HELD",
        "ORPHANED",
        "CREDITED",
    ]
    """A stable code; the documentation lists them all."""
    steps: list[TraceStep]
    """The facts about the transaction as a whole."""
    payments: list[TracedPayment]
    """The payments in it that concern the organization."""


class Person(TypedDict):
    id: str
    """Unique id."""
    username: str
    """The name that the person signs in with."""
    role: Literal["viewer", "operator", "approver", "admin"]
    """The role, which grants the permissions."""
    status: Literal["invited", "active", "disabled"]
    """`invited` until the first invitation is accepted."""
    enrolled: bool
    """Whether the person has a password and a TOTP secret; false after a reset."""
    invitationExpiresAt: Optional[str]
    """Until when the invitation can be accepted; in the past if it expired, null without one."""
    lastLoginAt: Optional[str]
    """The last sign-in."""
    tampered: bool
    """Whether role or status were changed in the database. Such a user has no permissions and can
    only be disabled.
    """
    createdAt: str
    """When the person was invited."""
    updatedAt: str
    """When the person was last changed."""


class PortfolioEntryAsOf(TypedDict):
    """The last processed block of the chain: everything up to it is included. Null before the first
    contact with a node.
    """

    height: int
    """Height of the block."""
    hash: str
    """Hash of the block."""
    time: str
    """Time of the block."""


class PortfolioEntry(TypedDict):
    id: str
    """Unique id."""
    orgId: str
    """The owning organization."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    accountId: str
    """The address; empty for the deposit addresses of a chain, which are summed."""
    accountType: Literal["settlement", "gas", "deposits"]
    """The purpose of the account."""
    balance: str
    """The balance of the account. In base units."""
    available: str
    """Available for withdrawals. In base units."""
    reserved: str
    """Reserved for open withdrawals. In base units."""
    heldForFees: str
    """Held for the network fees of open withdrawals, on Bitcoin and XRPL, which pay fees from the
    balance. The unspent part returns to `available`. 0 elsewhere. In base units.
    """
    unconfirmed: str
    """Detected, not credited yet. In base units."""
    belowMinimum: str
    """Deposits below the minimum, not credited yet. In base units."""
    held: str
    """Deposits that are held for an operator. In base units."""
    unattributed: str
    """Payments that name no user, until an operator assigns them (XRPL). In base units."""
    gas: str
    """Native currency kept for fees (EVM, TRON) or for the reserve of the base account (XRPL). In
    base units.
    """
    unswept: str
    """Held by deposit addresses, not swept yet. In base units."""
    asOf: Optional[PortfolioEntryAsOf]
    """The last processed block of the chain: everything up to it is included. Null before the first
    contact with a node.
    """
    Token: TokenSummary
    lastUpdated: str
    """When a balance last changed."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class ProfileOrg(TypedDict):
    id: str
    """The organization."""
    name: str
    """Its name."""


class Profile(TypedDict):
    id: str
    """Unique id."""
    username: str
    """The name that the person signs in with."""
    role: str
    """`viewer`, `operator`, `approver` or `admin`."""
    permissions: list[str]
    """What the person may do; the names of `details.required` of a 403."""
    org: ProfileOrg


class Readiness(TypedDict):
    status: str
    """`ready`, `degraded` (a chain lags) or `unavailable`."""
    checks: dict[str, str]
    """The result by check."""


class RedeliveryCount(TypedDict):
    count: int
    """Number of events that are sent again."""
    underWay: int
    """Number of events that were being sent at this moment and are not sent again."""


RedeliveryRequest = TypedDict(
    "RedeliveryRequest",
    {
        "after": int,
        "type": Literal[
            "deposit.detected",
            "deposit.confirmed",
            "deposit.reverted",
            "deposit.held",
            "account.created",
            "withdrawal.created",
            "withdrawal.approved",
            "withdrawal.processing",
            "withdrawal.completed",
            "withdrawal.failed",
            "withdrawal.cancelled",
            "balance.updated",
            "gas.low",
            "chain.frozen",
            "settings.changed",
            "webhook.test",
        ],
        "subjectId": str,
        "from": str,
        "to": str,
        "delivery": Literal["none", "pending", "delivered", "failed"],
        "endpointId": str,
    },
    total=False,
)


class RefusedApproval(TypedDict):
    id: str
    """The withdrawal."""
    error: str
    """The error code."""
    message: str
    """What is wrong and what to do."""


class _RejectionRequestRequired(TypedDict):
    totpCode: str
    """A one-time code: six digits of an authenticator app. Each code works once."""


class RejectionRequest(_RejectionRequestRequired, total=False):
    reason: Optional[str]
    """The reason, for the audit log: at most 500 characters."""


class Session(TypedDict):
    id: str
    """Unique id."""
    current: bool
    """Whether it is the session of this request."""
    address: str
    """The address of the client at sign-in; of IPv6 its /64."""
    createdAt: str
    """When the person signed in."""
    expiresAt: str
    """When it expires."""


class SettingsChangedEvent(TypedDict):
    setting: Literal["webhookUrl", "signingSecret", "minWithdrawalSigners", "minHumanApprovals"]
    """The setting."""
    previous: str
    """The previous value: the origin of a URL, whose path may be a secret; empty for a secret, and
    for the default of `minHumanApprovals`.
    """
    current: str
    """The new value, written like the previous one."""
    changedBy: str
    """Id of the user who changed it; an API key acts as its user. Empty: operator."""
    credential: Literal["apiKey", "bearer", "commandLine"]
    """The credential: `commandLine` is an operator of the service."""
    at: str
    """When it happened."""


class SingleDeposit(TypedDict):
    id: str
    """Unique id: deduplicate deposits by it."""
    index: int
    """The position in its transaction."""
    chainId: str
    """The chain of the transaction: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    accountChainId: str
    """The chain of the account that was paid."""
    externalUserId: str
    """Your own id of the end user."""
    senderAddress: str
    """The sender."""
    status: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """Credited at `Confirmed`."""
    confirmations: int
    """Blocks on top of its block."""
    requiredConfirmations: int
    """Confirmations that it needs to be credited, on chains that count them."""
    blockNumber: int
    """The height of its block."""
    blockHash: str
    """The hash of its block."""
    confirmedAt: Optional[str]
    """When it was credited; null until then."""
    Token: TokenSummary
    createdAt: str
    """When it was detected."""
    updatedAt: str
    """When it was last changed."""
    orgDepositAccountId: str
    """The account that was paid."""
    recipientAddress: str
    """The address that was paid."""
    destinationTag: Optional[str]
    """The destination tag of its account (XRP); null on other chains."""
    heldReason: Optional[str]
    """Why it is held; null unless `status` is `Held`."""
    detectedAt: str
    """When it was detected."""
    notification: Optional[DepositNotification]
    """The newest `deposit.confirmed` event, with its delivery to the default webhook endpoint; null
    before the first.
    """
    sweep: Optional[DepositSweep]
    """The sweep that moved it to the settlement address, or will move it; null without one. XRP and
    Bitcoin deposits are not swept.
    """


class SingleEvent(TypedDict):
    id: str
    """Unique id, the `webhook-id` of every delivery."""
    type: str
    """One of the types of the event catalogue."""
    timestamp: str
    """When it happened."""
    orgId: str
    """The owning organization."""
    sequence: int
    """Its number, without gaps; the value for `after`."""
    subjectId: str
    """The id of the deposit, withdrawal, account or chain that it is about."""
    payload: dict[str, Any]
    """The payload; its fields depend on the type."""
    delivery: EventDelivery
    deliveries: list[EndpointDelivery]
    """Its delivery to each webhook endpoint that receives it, the default one first."""
    attempts: list[DeliveryAttempt]
    """The newest 100 attempts, oldest first. Old attempts are deleted after a while."""


class SingleWithdrawal(TypedDict):
    id: str
    """Unique id."""
    orgId: str
    """The owning organization."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that the recipient receives. In base units."""
    recipient: str
    """The address that is paid."""
    memo: Optional[str]
    """A memo or destination tag."""
    reference: str
    """Your own key of the withdrawal, unique in the organization."""
    internalNote: Optional[str]
    """Your own note; it is never sent to a chain."""
    status: Literal["PendingApproval", "Pending", "Processing", "Completed", "Failed", "Cancelled"]
    """The status."""
    txnHash: Optional[str]
    """The transaction on the chain: the current one, and finally the one that was confirmed; null
    before it is signed.
    """
    txnError: Optional[str]
    """Why it failed, or `CANCELLED BY <user id>`."""
    failureCode: Optional[str]
    """Why it failed, as a code."""
    initiator: str
    """The user who created it."""
    approvers: list[str]
    """The users who approved it, the initiator first."""
    requiredApprovals: int
    """How many approvals it needs; `requiredHumans` of them must come from people."""
    requiredHumans: int
    """How many people must approve it; an API key does not count."""
    externalUserId: str
    """Your own id of the end user; empty without an end user."""
    fee: Optional[str]
    """The network fee in base units of the native currency; null until known."""
    waitingFor: Optional[
        Literal["approvals", "confirmations", "gas", "fee", "chain", "signer", "operator"],
    ]
    """Why it is not paid yet. `approvals` of people; `confirmations` of its transaction, of an
    earlier one of the same sender, or of the deposit or sweep that brings its funds; `gas`: the
    gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: the chain is
    stopped, or its nodes do not answer; `operator`: the operator must act. Null if nothing
    blocks it, or if it has ended.
    """
    waitingSince: Optional[str]
    """When that wait began; null if `waitingFor` is null."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    Token: TokenSummary
    initiatorName: str
    """The name of the person or API key that created it."""
    eligibleApprovers: list[EligibleApprover]
    """The people whose approval would count now; empty unless its status is `PendingApproval`."""
    transactions: list[WithdrawalTransaction]
    """Every transaction that was signed for it, replacements included, in order."""
    approvals: list[WithdrawalApproval]
    """Every approval with its user, void ones included, the earliest first."""
    cancellation: Optional[WithdrawalCancellation]
    """The user who cancelled or rejected it; null unless its status is `Cancelled`."""
    speedUp: SpeedUp


class SpeedUp(TypedDict):
    possible: bool
    """Whether `POST /withdrawals/:id/speed-up` is accepted now."""
    reason: Optional[
        Literal["unsigned", "included", "ended", "expires", "earlier", "child", "feeCap"],
    ]
    """Why it is not possible; null if it is. `unsigned`: no transaction is signed yet; `included`:
    a block includes the transaction; `ended`: the withdrawal was cancelled or has failed;
    `expires`: transactions of this chain (TRON, XRP Ledger) expire after minutes and are then
    signed again; `earlier`: an earlier transaction of the same sender is not included yet;
    `child`: a later transaction already pays for this one; `feeCap`: the fee cap allows no
    higher fee.
    """
    requestedAt: Optional[str]
    """When the replacement of the current transaction was requested; null without a request, and
    after the replacement.
    """


class StatementLine(TypedDict):
    month: str
    """The month in UTC: YYYY-MM."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    opening: str
    """Credited balance at the beginning of the month. In base units."""
    deposits: str
    """Credited to end users, less deposits that a reorg took back. In base units."""
    fundings: str
    """Sent by the organization to its settlement addresses and gas wallets. In base units."""
    withdrawals: str
    """Paid by withdrawals that a block contains. In base units."""
    fees: str
    """Network fees of withdrawals, sweeps and top-ups. In base units."""
    corrections: str
    """Differences between the ledger and a chain that an audit booked. In base units."""
    closing: str
    """opening + deposits + fundings - withdrawals - fees + corrections: the credited balance at the
    end of the month. In base units.
    """
    Token: TokenSummary


class StoredEvent(TypedDict):
    id: str
    """Unique id, the `webhook-id` of every delivery."""
    type: str
    """One of the types of the event catalogue."""
    timestamp: str
    """When it happened."""
    orgId: str
    """The owning organization."""
    sequence: int
    """Its number, without gaps; the value for `after`."""
    subjectId: str
    """The id of the deposit, withdrawal, account or chain that it is about."""
    payload: dict[str, Any]
    """The payload; its fields depend on the type."""
    delivery: EventDelivery


class Sweep(TypedDict):
    id: str
    """Unique id."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    address: str
    """The deposit address that is swept."""
    amount: str
    """The amount that is to be moved. In base units."""
    moved: str
    """The amount that reached the settlement address; 0 until it is included. In base units."""
    status: Literal["Waiting", "Sent", "Done", "Failed"]
    """`Waiting`: not signed yet, for example because its address lacks gas. `Sent`: signed. `Done`:
    included in a block. `Failed`: see `error`; its funds are swept again later.
    """
    txnHash: Optional[str]
    """The transaction on the chain; null before it is signed."""
    fee: Optional[str]
    """The network fee that was paid, in base units of the native currency; null until it is
    included. Gas that was sent to its address before is not part of it.
    """
    maxFee: Optional[str]
    """The most that its transaction can cost, in base units of the native currency, which is
    reserved until it is included; null before it is signed.
    """
    waitingFor: Optional[Literal["confirmations", "gas", "fee", "chain"]]
    """Why it is not signed yet. `confirmations`: Gas, delegated energy or a deposit on the way to
    its address, or an earlier transaction of that address, is not confirmed yet. `gas`: The gas
    wallet of the chain holds too little: send native currency to it. `fee`: The network fee is
    above the fee cap. `chain`: The chain is stopped, or its nodes do not answer. Null before the
    first attempt, and once it is signed or has failed.
    """
    waitingReason: str
    """The same in words; empty if `waitingFor` is null."""
    waitingSince: Optional[str]
    """When that wait began; null if `waitingFor` is null."""
    error: str
    """Why it failed; empty otherwise."""
    failureCode: Optional[
        Literal[
            "NOT_WORTH_FEE",
            "FEE_TOO_HIGH",
            "INSUFFICIENT_BALANCE",
            "TOKEN_SUSPENDED",
            "RECIPIENT_REFUSES",
            "GAS_REFUSED",
            "SENDER_HALTED",
            "REVERTED",
            "DISPLACED",
            "EXPIRED",
        ],
    ]
    """The same as a code; null unless it has failed. `NOT_WORTH_FEE`: The amount is not worth the
    network fee. `FEE_TOO_HIGH`: The token needs more gas for a transfer than the limit allows.
    `INSUFFICIENT_BALANCE`: The chain shows a lower balance than the ledger. `TOKEN_SUSPENDED`:
    The token is suspended. `RECIPIENT_REFUSES`: The token refuses the transfer. `GAS_REFUSED`:
    The address does not accept the native currency that the fee needs. `SENDER_HALTED`: The
    address signs nothing until the operator resumes it. `REVERTED`: The transaction failed in
    its block. `DISPLACED`: A foreign transaction took its place. `EXPIRED`: The transaction and
    its replacements expired.
    """
    Token: TokenSummary
    createdAt: str
    """When it was planned."""
    updatedAt: str
    """When it was last changed."""


class Token(TypedDict):
    id: str
    """The token: a CAIP-19 id."""
    chainId: str
    """The chain: a CAIP-2 id."""
    name: str
    """Display name."""
    symbol: str
    """Ticker symbol."""
    decimals: int
    """Decimal places: one whole token is 10 to this power base units."""
    address: str
    """The contract; empty for a native currency."""
    enabled: bool
    """Whether the organization can use it now."""
    enabledByOperator: bool
    """Whether the operator of the service has it enabled for the organization."""
    enabledByOrganization: bool
    """Whether the organization has it enabled; true unless it was switched off. `enabled` is false
    if either is.
    """
    minimumAmount: str
    """The smallest deposit that is credited, and the smallest withdrawal. In base units."""
    properties: dict[str, Any]
    """`maximumWithdrawalAmount` (null: no maximum) and more."""


class TokenSummary(TypedDict):
    id: str
    """The token: a CAIP-19 id."""
    name: str
    """Display name."""
    symbol: str
    """Ticker symbol."""
    decimals: int
    """Decimal places: one whole token is 10 to this power base units."""
    address: str
    """The contract; empty for a native currency."""


class _TokenSwitchRequestRequired(TypedDict):
    tokenId: str
    """A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them."""
    enabled: bool
    """Whether the organization uses it: false to switch it off, true to switch it on."""


class TokenSwitchRequest(_TokenSwitchRequestRequired, total=False):
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class TraceStep(TypedDict):
    code: Literal[
        "CHAIN_NOT_FOLLOWED",
        "NODE_AWAY",
        "TRANSACTION_NOT_FOUND",
        "TRANSACTION_WAITS",
        "TRANSACTION_FOUND",
        "TRANSACTION_FAILED",
        "BEFORE_START",
        "NOT_YET_SCANNED",
        "BLOCK_READ",
        "CHAIN_FROZEN",
        "CHAIN_HALTED",
        "CHAIN_DISPUTED",
        "OWN_TRANSACTION",
        "OWN_WITHDRAWAL",
        "NOTHING_FOR_YOU",
        "RECIPIENT_IS_USER",
        "RECIPIENT_IS_SETTLEMENT",
        "RECIPIENT_IS_GAS",
        "OTHER_NETWORK",
        "ZERO_VALUE",
        "TOKEN_NOT_LISTED",
        "TOKEN_DISABLED",
        "TAG_MISSING",
        "TAG_UNKNOWN",
        "NOT_DETECTED",
        "DETECTED",
        "WAITING_FOR_CONFIRMATIONS",
        "BEING_CONFIRMED",
        "BELOW_MINIMUM",
        "HELD",
        "ORPHANED",
        "CREDITED",
    ]
    """A stable code; the documentation lists them all."""
    message: str
    """The fact in words, with what can be done."""
    details: dict[str, Union[str, int]]
    """The values in the message, by name."""


class TracedPayment(TypedDict):
    recipient: str
    """The address of the organization that is paid."""
    senderAddress: str
    """The sender; empty if the chain names none."""
    tokenId: Optional[str]
    """The token; null if it has no id."""
    amount: str
    """In base units."""
    externalUserId: str
    """The end user who owns the address; empty for an address of your own."""
    depositId: Optional[str]
    """The deposit; null without a deposit."""
    outcome: Literal[
        "CHAIN_NOT_FOLLOWED",
        "NODE_AWAY",
        "TRANSACTION_NOT_FOUND",
        "TRANSACTION_WAITS",
        "TRANSACTION_FOUND",
        "TRANSACTION_FAILED",
        "BEFORE_START",
        "NOT_YET_SCANNED",
        "BLOCK_READ",
        "CHAIN_FROZEN",
        "CHAIN_HALTED",
        "CHAIN_DISPUTED",
        "OWN_TRANSACTION",
        "OWN_WITHDRAWAL",
        "NOTHING_FOR_YOU",
        "RECIPIENT_IS_USER",
        "RECIPIENT_IS_SETTLEMENT",
        "RECIPIENT_IS_GAS",
        "OTHER_NETWORK",
        "ZERO_VALUE",
        "TOKEN_NOT_LISTED",
        "TOKEN_DISABLED",
        "TAG_MISSING",
        "TAG_UNKNOWN",
        "NOT_DETECTED",
        "DETECTED",
        "WAITING_FOR_CONFIRMATIONS",
        "BEING_CONFIRMED",
        "BELOW_MINIMUM",
        "HELD",
        "ORPHANED",
        "CREDITED",
    ]
    """A stable code; the documentation lists them all."""
    steps: list[TraceStep]
    """In order; the last step is the outcome."""


class UnattributedPayment(TypedDict):
    id: str
    """Unique id."""
    chainId: str
    """The chain: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    address: str
    """The base account that was paid."""
    destinationTag: Optional[int]
    """The tag of the payment; null without a tag."""
    senderAddress: str
    """The sender."""
    status: Literal["Waiting", "Proposed", "Assigned"]
    """`Proposed`: a first person named the end user. `Assigned`: a second person confirmed; it is
    the deposit `depositId`.
    """
    externalUserId: str
    """Your own id of the proposed end user; empty before a proposal."""
    proposedBy: str
    """The id of the user who proposed; empty before."""
    assignedBy: str
    """The id of the user who confirmed; empty before."""
    depositId: Optional[str]
    """The deposit that it became; null before."""
    blockNumber: int
    """The height of its block."""
    blockHash: str
    """The hash of its block."""
    Token: TokenSummary
    createdAt: str
    """When it was detected."""


class WebhookEndpoint(TypedDict):
    id: str
    """Unique id; the default endpoint has the id of the organization."""
    isDefault: bool
    """Whether it is the endpoint of `PATCH /organisation/webhook`."""
    url: str
    """The URL that receives events; empty if the default endpoint has none."""
    eventTypes: Optional[list[str]]
    """The event types that it receives; null for all."""
    state: Literal["active", "paused", "tampered"]
    """`paused`: deliveries wait. `tampered`: it was changed in the database and receives nothing;
    set its URL again.
    """
    pausedAt: Optional[str]
    """Since when it is paused; null if it is not."""
    pendingDeliveries: int
    """Deliveries that wait for an attempt."""
    lastSuccessAt: Optional[str]
    """The last accepted delivery, to a few seconds."""
    lastFailureAt: Optional[str]
    """The last failed attempt, to a few seconds."""
    failingSince: Optional[str]
    """The first failed attempt since the last accepted delivery."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When its settings were last changed."""


class _WebhookRequestRequired(TypedDict):
    webhookUrl: str
    """A public HTTPS URL of at most 2048 characters."""


class WebhookRequest(_WebhookRequestRequired, total=False):
    totpCode: str
    """A one-time code, required of a person (bearer token) here or in the header `x-totp-code`; an
    API key needs none.
    """


class WebhookTestEvent(TypedDict):
    test: Literal[True]
    """Always true."""
    message: str
    """A text for people."""
    requestedBy: str
    """The user who requested the test."""
    at: str
    """When it happened."""


class Withdrawal(TypedDict):
    id: str
    """Unique id."""
    orgId: str
    """The owning organization."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that the recipient receives. In base units."""
    recipient: str
    """The address that is paid."""
    memo: Optional[str]
    """A memo or destination tag."""
    reference: str
    """Your own key of the withdrawal, unique in the organization."""
    internalNote: Optional[str]
    """Your own note; it is never sent to a chain."""
    status: Literal["PendingApproval", "Pending", "Processing", "Completed", "Failed", "Cancelled"]
    """The status."""
    txnHash: Optional[str]
    """The transaction on the chain: the current one, and finally the one that was confirmed; null
    before it is signed.
    """
    txnError: Optional[str]
    """Why it failed, or `CANCELLED BY <user id>`."""
    failureCode: Optional[str]
    """Why it failed, as a code."""
    initiator: str
    """The user who created it."""
    approvers: list[str]
    """The users who approved it, the initiator first."""
    requiredApprovals: int
    """How many approvals it needs; `requiredHumans` of them must come from people."""
    requiredHumans: int
    """How many people must approve it; an API key does not count."""
    externalUserId: Optional[str]
    """Your own id of the end user."""
    fee: Optional[str]
    """The network fee in base units of the native currency; null until known."""
    waitingFor: Optional[
        Literal["approvals", "confirmations", "gas", "fee", "chain", "signer", "operator"],
    ]
    """Why it is not paid yet. `approvals` of people; `confirmations` of its transaction, of an
    earlier one of the same sender, or of the deposit or sweep that brings its funds; `gas`: the
    gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: the chain is
    stopped, or its nodes do not answer; `operator`: the operator must act. Null if nothing
    blocks it, or if it has ended.
    """
    waitingSince: Optional[str]
    """When that wait began; null if `waitingFor` is null."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class WithdrawalApproval(TypedDict):
    userId: str
    """The user who approved it."""
    name: str
    """The name of that user."""
    createdAt: str
    """When it was approved; that of the initiator is the creation."""
    method: Optional[Literal["totp", "passkey"]]
    """How the person proved it: `totp`, a one-time code, or `passkey`. Null for the initiator,
    whose approval is the request.
    """
    voidedAt: Optional[str]
    """When the approval became void; null while it counts."""
    voidCause: Optional[str]
    """Why the approval became void; null while it counts."""


class WithdrawalCancellation(TypedDict):
    kind: Literal["cancelled", "rejected"]
    """Whether it was cancelled, or rejected by an approver."""
    userId: str
    """The user who did it."""
    name: str
    """The name of that user."""
    at: str
    """When it happened."""
    reason: Optional[str]
    """The reason of a rejection, or empty; null if cancelled."""


class WithdrawalEstimate(TypedDict):
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that the recipient would receive. In base units."""
    recipient: str
    """The address that would be paid."""
    memo: Optional[str]
    """The memo or destination tag, also if it is part of the recipient."""
    fee: EstimatedFee
    available: EstimatedBalance
    needsApprovals: bool
    """Whether it would wait for approvals of others before it is paid."""
    requiredApprovals: int
    """How many approvals it would need, that of the caller included."""
    requiredHumans: int
    """How many people must approve it; an API key does not count."""
    missingApprovals: int
    """How many more approvals it would need after the creation."""
    warnings: list[EstimateWarning]
    """Points that a person should check; may be empty."""


class WithdrawalEvent(TypedDict):
    id: str
    """Unique id."""
    chainId: str
    """The chain: a CAIP-2 id."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that the recipient receives. In base units."""
    toAddress: str
    """The address that is paid."""
    memo: Optional[str]
    """A memo or destination tag."""
    reference: str
    """Your own key of the withdrawal, unique in the organization."""
    status: Literal["PendingApproval", "Pending", "Processing", "Completed", "Failed", "Cancelled"]
    """The status."""
    txnHash: Optional[str]
    """The transaction on the chain: the current one, and finally the one that was confirmed; null
    before it is signed.
    """
    txnError: Optional[str]
    """Why it failed, or `CANCELLED BY <user id>`."""
    externalUserId: Optional[str]
    """Your own id of the end user."""
    initiator: str
    """The user who created it."""
    approvedBy: list[str]
    """The users whose approval counts."""
    requiredApprovals: int
    """How many approvals it needs; `requiredHumans` of them must come from people."""
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""
    completedAt: Optional[str]
    """When it was confirmed; null until then."""
    Token: TokenSummary


class _WithdrawalRequestRequired(TypedDict):
    chainId: str
    """A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them."""
    tokenId: str
    """A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them."""
    amount: str
    """Base units of the token, in decimal digits; at most 2^256-1."""
    recipient: str
    """A valid address of the chain. Settlement and gas addresses of this service are refused."""
    reference: str
    """Your own key of the withdrawal: 1 to 128 characters, no control characters."""


class WithdrawalRequest(_WithdrawalRequestRequired, total=False):
    memo: Optional[str]
    """A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain if
    `properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and Bitcoin store it
    with the withdrawal and never send it.
    """
    internalNote: Optional[str]
    """Your own note of at most 500 characters; it is never sent to a chain."""
    externalUserId: Optional[str]
    """Your own id of the end user for whom the withdrawal is made."""


class WithdrawalReview(TypedDict):
    fee: Optional[EstimatedFee]
    """The network fee; null unless its status is `PendingApproval` or `Pending`."""
    available: Optional[EstimatedBalance]
    """The balance of the token that withdrawals may use; null unless its status is
    `PendingApproval` or `Pending`.
    """
    warnings: list[EstimateWarning]
    """Points that a person should check; may be empty."""


class WithdrawalTransaction(TypedDict):
    txnHash: str
    """The transaction on the chain."""
    state: Literal["Signed", "Sent", "Included", "Confirmed", "Failed", "Replaced", "Displaced"]
    """`Signed`: not broadcast yet. `Sent`: broadcast. `Included`: in a block. `Confirmed`: with as
    many confirmations as a deposit needs. `Failed`: in a block, where the payment failed.
    `Replaced`: a later one with a higher fee took its place; it can still be included until
    another one is confirmed. `Displaced`: it can never be included.
    """
    fee: Optional[str]
    """The network fee of the whole transaction in base units of the native currency; null until it
    is included.
    """
    maxFee: str
    """The most that it can cost, of the native currency. In base units."""
    blockNumber: Optional[int]
    """The height of its block; null until it is included."""
    signedAt: str
    """When it was signed."""
    broadcastAt: Optional[str]
    """When it was last broadcast; null before."""


class PostInvitationAnswerOrganization(TypedDict):
    id: str
    """The organization."""
    name: str
    """Its name."""


class PostInvitationAnswer(TypedDict):
    username: str
    """The name to sign in with."""
    role: str
    """The role of the person."""
    organization: PostInvitationAnswerOrganization
    expiresAt: str
    """Until when the invitation can be accepted."""
    totpSecret: str
    """The TOTP secret to enrol, in base32."""
    otpauthUrl: str
    """The same as an authenticator app reads it from a QR code."""


class PostInvitationAcceptAnswer(TypedDict):
    recoveryCodes: list[str]
    """Ten codes for sign-in without the authenticator. They are shown only once."""
    accessToken: str
    """A JWT: the bearer token of the session."""
    expiresIn: int
    """Lifetime in seconds."""


class PostTotpAnswer(TypedDict):
    totpSecret: str
    """The TOTP secret to enrol, in base32."""
    otpauthUrl: str
    """The same as an authenticator app reads it from a QR code."""


class PostRecoveryCodesAnswer(TypedDict):
    recoveryCodes: list[str]
    """Ten codes for sign-in without the authenticator. They are shown only once."""


class _GetSessionsAnswerRequired(TypedDict):
    sessions: list[Session]


class GetSessionsAnswer(_GetSessionsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class GetPasskeysAnswer(TypedDict):
    passkeys: list[Passkey]
    origin: Optional[str]
    """The origin of the dashboard; null if passkeys are not set up."""


class PostPasskeysAnswer(TypedDict):
    passkey: Passkey


class PatchPasskeyAnswer(TypedDict):
    passkey: Passkey


class _GetUsersAnswerRequired(TypedDict):
    users: list[Person]


class GetUsersAnswer(_GetUsersAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class PostUsersAnswerInvitation(TypedDict):
    token: str
    """The token of the invitation. It is shown only once: the service stores a hash."""
    expiresAt: str
    """Until when it can be accepted: 72 hours."""


class PostUsersAnswer(TypedDict):
    user: Person
    invitation: PostUsersAnswerInvitation


class GetUserAnswer(TypedDict):
    user: Person


class PatchUserAnswer(TypedDict):
    user: Person


class PostUserResetAnswerInvitation(TypedDict):
    token: str
    """The token of the invitation. It is shown only once: the service stores a hash."""
    expiresAt: str
    """Until when it can be accepted: 72 hours."""


class PostUserResetAnswer(TypedDict):
    user: Person
    invitation: PostUserResetAnswerInvitation


class DeleteUserInvitationAnswer(TypedDict):
    user: Person


class _GetApiKeysAnswerRequired(TypedDict):
    apiKeys: list[ApiKey]


class GetApiKeysAnswer(_GetApiKeysAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class PostApiKeyAnswer(TypedDict):
    apiKey: ApiKey
    key: str
    """The key. It is shown only once: the service stores a hash of it."""


class PatchApiKeyTermsAnswer(TypedDict):
    apiKey: ApiKey


class DeleteApiKeyAnswer(TypedDict):
    apiKey: ApiKey


class PostApiKeyRotateAnswer(TypedDict):
    apiKey: ApiKey
    key: str
    """The key. It is shown only once: the service stores a hash of it."""


class GetDepositAddressAnswer(TypedDict):
    address: Account


class _GetPaymentsAnswerRequired(TypedDict):
    payments: list[Deposit]


class GetPaymentsAnswer(_GetPaymentsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class _GetUserDepositsAnswerRequired(TypedDict):
    deposits: list[Deposit]


class GetUserDepositsAnswer(_GetUserDepositsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class _GetAccountsAnswerRequired(TypedDict):
    accounts: list[Account]


class GetAccountsAnswer(_GetAccountsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class GetDepositAnswer(TypedDict):
    deposit: SingleDeposit


class GetPaymentsTraceAnswer(TypedDict):
    trace: PaymentTrace


class _GetWithdrawalsAnswerRequired(TypedDict):
    withdrawals: list[Withdrawal]


class GetWithdrawalsAnswer(_GetWithdrawalsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class PostWithdrawalsAnswer(TypedDict):
    withdrawal: Withdrawal


class PostWithdrawalsEstimateAnswer(TypedDict):
    estimate: WithdrawalEstimate


class DeleteWithdrawalAnswer(TypedDict):
    withdrawal: CancelledWithdrawal


class PostWithdrawalSpeedUpAnswer(TypedDict):
    withdrawal: Withdrawal
    speedUp: SpeedUp


class PostWithdrawalApproveAssertionResponse(TypedDict):
    clientDataJSON: str
    """What the browser signed: type, challenge and origin. In base64url."""
    authenticatorData: str
    """What the authenticator checked, and its counter. In base64url."""
    signature: str
    """The signature of the passkey over both. In base64url."""


class PostWithdrawalApproveAssertion(TypedDict):
    id: str
    """The id of the credential. In base64url."""
    response: PostWithdrawalApproveAssertionResponse


class PostWithdrawalApproveAnswer(TypedDict):
    withdrawal: Withdrawal


class PostWithdrawalRejectAnswer(TypedDict):
    withdrawal: Withdrawal


class PostWithdrawalsApproveAnswer(TypedDict):
    withdrawals: list[Withdrawal]
    refused: list[RefusedApproval]


class GetChainsAnswer(TypedDict):
    chains: list[Chain]


class GetChainsStatusAnswer(TypedDict):
    chains: list[ChainStatus]


class GetChainAnswer(TypedDict):
    chain: Chain


class GetTokensAnswer(TypedDict):
    tokens: list[Token]


class PatchOrganisationChainAnswer(TypedDict):
    chain: Chain


class PatchOrganisationTokenAnswer(TypedDict):
    token: Token


class GetGasStationAnswer(TypedDict):
    gasWallets: list[GasWallet]


class GetPortfolioAnswer(TypedDict):
    portfolio: list[PortfolioEntry]


GetStatementAnswer = TypedDict(
    "GetStatementAnswer",
    {"month": str, "from": str, "to": str, "isComplete": bool, "statement": list["StatementLine"]},
)


class GetStatsAnswer(TypedDict):
    stats: list[DayStats]


class _GetEventsAnswerRequired(TypedDict):
    events: list[StoredEvent]


class GetEventsAnswer(_GetEventsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class GetEventsCountAnswer(TypedDict):
    eventCount: EventCount


class GetEventAnswer(TypedDict):
    event: SingleEvent


class PostEventRedeliverAnswer(TypedDict):
    event: StoredEvent


class PostWebhookTestAnswer(TypedDict):
    event: StoredEvent


class GetWebhookEndpointsAnswer(TypedDict):
    endpoints: list[WebhookEndpoint]


class PostWebhookEndpointAnswer(TypedDict):
    endpoint: WebhookEndpoint
    signingSecret: str
    """Signs its deliveries. Returned once: store it in the receiver."""


class GetWebhookEndpointAnswer(TypedDict):
    endpoint: WebhookEndpoint


class PatchWebhookEndpointAnswer(TypedDict):
    endpoint: WebhookEndpoint


class PostWebhookEndpointSecretAnswer(TypedDict):
    signingSecret: str
    """Signs its deliveries. Returned once: store it in the receiver."""


class PostWebhookEndpointTestAnswer(TypedDict):
    test: EndpointTest


class _GetSweepsAnswerRequired(TypedDict):
    sweeps: list[Sweep]


class GetSweepsAnswer(_GetSweepsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class _GetUnattributedAnswerRequired(TypedDict):
    unattributed: list[UnattributedPayment]


class GetUnattributedAnswer(_GetUnattributedAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class PostUnattributedAssignAnswer(TypedDict):
    unattributed: UnattributedPayment


class _GetLedgerEntriesAnswerRequired(TypedDict):
    ledgerEntries: list[LedgerEntry]


class GetLedgerEntriesAnswer(_GetLedgerEntriesAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class _GetAlertsAnswerRequired(TypedDict):
    alerts: list[Alert]


class GetAlertsAnswer(_GetAlertsAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class GetAlertAnswer(TypedDict):
    alert: Alert


class PostAlertAcknowledgeAnswer(TypedDict):
    alert: Alert


class _GetAuditLogAnswerRequired(TypedDict):
    entries: list[AuditEntry]


class GetAuditLogAnswer(_GetAuditLogAnswerRequired, total=False):
    nextCursor: Optional[str]
    """The `cursor` of the next page, null on the last one. Absent without `limit` and `cursor`: the
    list is complete.
    """


class GetAuditLogVerificationAnswer(TypedDict):
    verification: AuditVerification


class DepositDetectedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["deposit.detected"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: DepositEvent
    """More fields may be added: ignore unknown fields."""


class DepositConfirmedWebhookPayload(TypedDict):
    """More fields may be added: ignore unknown fields."""

    id: str
    """Unique id: deduplicate deposits by it."""
    index: int
    """The position in its transaction."""
    chainId: str
    """The chain of the transaction: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    accountChainId: str
    """The chain of the account that was paid."""
    externalUserId: str
    """Your own id of the end user."""
    senderAddress: str
    """The sender."""
    status: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """Credited at `Confirmed`."""
    confirmations: int
    """Blocks on top of its block."""
    blockNumber: int
    """The height of its block."""
    Token: TokenSummary
    confirmedAt: str
    """When it was credited."""


class DepositConfirmedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["deposit.confirmed"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: DepositConfirmedWebhookPayload
    """More fields may be added: ignore unknown fields."""


class DepositRevertedWebhookPayload(TypedDict):
    """More fields may be added: ignore unknown fields."""

    id: str
    """Unique id: deduplicate deposits by it."""
    index: int
    """The position in its transaction."""
    chainId: str
    """The chain of the transaction: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    accountChainId: str
    """The chain of the account that was paid."""
    externalUserId: str
    """Your own id of the end user."""
    senderAddress: str
    """The sender."""
    status: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """Credited at `Confirmed`."""
    confirmations: int
    """Blocks on top of its block."""
    blockNumber: int
    """The height of its block."""
    Token: TokenSummary
    previousStatus: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """The status before; after `Confirmed` the credit was reversed."""


class DepositRevertedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["deposit.reverted"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: DepositRevertedWebhookPayload
    """More fields may be added: ignore unknown fields."""


class DepositHeldWebhookPayload(TypedDict):
    """More fields may be added: ignore unknown fields."""

    id: str
    """Unique id: deduplicate deposits by it."""
    index: int
    """The position in its transaction."""
    chainId: str
    """The chain of the transaction: a CAIP-2 id."""
    txnHash: str
    """The transaction on the chain."""
    tokenId: str
    """The token: a CAIP-19 id."""
    amount: str
    """The amount that was paid. In base units."""
    accountChainId: str
    """The chain of the account that was paid."""
    externalUserId: str
    """Your own id of the end user."""
    senderAddress: str
    """The sender."""
    status: Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"]
    """Credited at `Confirmed`."""
    confirmations: int
    """Blocks on top of its block."""
    blockNumber: int
    """The height of its block."""
    Token: TokenSummary
    reason: str
    """Why it is held."""


class DepositHeldWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["deposit.held"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: DepositHeldWebhookPayload
    """More fields may be added: ignore unknown fields."""


class AccountCreatedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["account.created"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: AccountEvent
    """More fields may be added: ignore unknown fields."""


class WithdrawalCreatedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["withdrawal.created"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WithdrawalEvent
    """More fields may be added: ignore unknown fields."""


class WithdrawalApprovedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["withdrawal.approved"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WithdrawalEvent
    """More fields may be added: ignore unknown fields."""


class WithdrawalProcessingWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["withdrawal.processing"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WithdrawalEvent
    """More fields may be added: ignore unknown fields."""


class WithdrawalCompletedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["withdrawal.completed"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WithdrawalEvent
    """More fields may be added: ignore unknown fields."""


class WithdrawalFailedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["withdrawal.failed"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WithdrawalEvent
    """More fields may be added: ignore unknown fields."""


class WithdrawalCancelledWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["withdrawal.cancelled"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WithdrawalEvent
    """More fields may be added: ignore unknown fields."""


class BalanceUpdatedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["balance.updated"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: BalanceEvent
    """More fields may be added: ignore unknown fields."""


class GasLowWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["gas.low"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: GasLowEvent
    """More fields may be added: ignore unknown fields."""


class ChainFrozenWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["chain.frozen"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: ChainFrozenEvent
    """More fields may be added: ignore unknown fields."""


class SettingsChangedWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["settings.changed"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: SettingsChangedEvent
    """More fields may be added: ignore unknown fields."""


class WebhookTestWebhook(TypedDict):
    id: str
    """The same in retries: deduplicate by it."""
    type: Literal["webhook.test"]
    timestamp: str
    """When it happened."""
    orgId: str
    """The organization."""
    sequence: int
    """Increases by one for each event of the organization, without gaps."""
    payload: WebhookTestEvent
    """More fields may be added: ignore unknown fields."""


WebhookEvent = Union[
    "DepositDetectedWebhook",
    "DepositConfirmedWebhook",
    "DepositRevertedWebhook",
    "DepositHeldWebhook",
    "AccountCreatedWebhook",
    "WithdrawalCreatedWebhook",
    "WithdrawalApprovedWebhook",
    "WithdrawalProcessingWebhook",
    "WithdrawalCompletedWebhook",
    "WithdrawalFailedWebhook",
    "WithdrawalCancelledWebhook",
    "BalanceUpdatedWebhook",
    "GasLowWebhook",
    "ChainFrozenWebhook",
    "SettingsChangedWebhook",
    "WebhookTestWebhook",
]
"""Any event; `type` selects the type of `payload`."""


ErrorCode = Literal[
    "BAD_REQUEST",
    "MISSING_DESTINATION_TAG",
    "UNAUTHORIZED",
    "INVALID_API_KEY",
    "INVALID_TOTP",
    "INVALID_PASSKEY",
    "INVALID_INVITATION",
    "FORBIDDEN",
    "NOT_FOUND",
    "WITHDRAWAL_NOT_FOUND",
    "INVALID_TOKEN",
    "INVALID_CHAIN",
    "CHAIN_NOT_ENABLED",
    "TOKEN_NOT_ENABLED",
    "INVALID_TOKEN_CHAIN",
    "INVALID_USER_ID",
    "DUPLICATE_DEPOSIT",
    "INVALID_ADDRESS",
    "INVALID_RECIPIENT_ADDRESS",
    "INVALID_AMOUNT",
    "INSUFFICIENT_BALANCE",
    "INSUFFICIENT_CONFIRMED_BALANCE",
    "INSUFFICIENT_GAS",
    "INSUFFICIENT_APPROVALS",
    "DUPLICATE_REFERENCE",
    "WITHDRAWAL_NOT_PENDING",
    "WITHDRAWAL_ALREADY_PROCESSED",
    "WITHDRAWAL_NOT_REPLACEABLE",
    "WITHDRAWAL_BELOW_MINIMUM",
    "WITHDRAWAL_ABOVE_MAXIMUM",
    "INVALID_WEBHOOK_URL",
    "INVALID_MIN_SIGNERS",
    "LAST_ADMIN",
    "PASSKEYS_NOT_CONFIGURED",
    "RATE_LIMIT_EXCEEDED",
    "INTERNAL_ERROR",
    "FAILED_TO_CREATE_DEPOSIT_ACCOUNT",
    "SERVICE_UNAVAILABLE",
]
"""Every code that the service refuses with."""


OPERATIONS: Mapping[str, Operation] = {
    "postLogin": Operation(
        "postLogin",
        "POST",
        "/auth/login",
        has_credential=False,
        is_repeatable=False,
    ),
    "getProfile": Operation(
        "getProfile",
        "GET",
        "/auth/profile",
        has_credential=True,
        is_repeatable=True,
    ),
    "patchApiKey": Operation(
        "patchApiKey",
        "PATCH",
        "/organisation/api-key",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "postInvitation": Operation(
        "postInvitation",
        "POST",
        "/auth/invitation",
        has_credential=False,
        is_repeatable=False,
    ),
    "postInvitationAccept": Operation(
        "postInvitationAccept",
        "POST",
        "/auth/invitation/accept",
        has_credential=False,
        is_repeatable=False,
    ),
    "patchPassword": Operation(
        "patchPassword",
        "PATCH",
        "/auth/password",
        has_credential=True,
        is_repeatable=False,
    ),
    "postTotp": Operation(
        "postTotp",
        "POST",
        "/auth/totp",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "postTotpConfirm": Operation(
        "postTotpConfirm",
        "POST",
        "/auth/totp/confirm",
        has_credential=True,
        is_repeatable=False,
    ),
    "postRecoveryCodes": Operation(
        "postRecoveryCodes",
        "POST",
        "/auth/recovery-codes",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "getSessions": Operation(
        "getSessions",
        "GET",
        "/auth/sessions",
        has_credential=True,
        is_repeatable=True,
    ),
    "deleteSession": Operation(
        "deleteSession",
        "DELETE",
        "/auth/sessions/{id}",
        has_credential=True,
        is_repeatable=False,
    ),
    "postLogout": Operation(
        "postLogout",
        "POST",
        "/auth/logout",
        has_credential=True,
        is_repeatable=False,
    ),
    "getPasskeys": Operation(
        "getPasskeys",
        "GET",
        "/auth/passkeys",
        has_credential=True,
        is_repeatable=True,
    ),
    "postPasskeys": Operation(
        "postPasskeys",
        "POST",
        "/auth/passkeys",
        has_credential=True,
        is_repeatable=False,
    ),
    "postPasskeyOptions": Operation(
        "postPasskeyOptions",
        "POST",
        "/auth/passkeys/options",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "patchPasskey": Operation(
        "patchPasskey",
        "PATCH",
        "/auth/passkeys/{id}",
        has_credential=True,
        is_repeatable=False,
    ),
    "deletePasskey": Operation(
        "deletePasskey",
        "DELETE",
        "/auth/passkeys/{id}",
        has_credential=True,
        is_repeatable=False,
    ),
    "getWithdrawalPasskeyOptions": Operation(
        "getWithdrawalPasskeyOptions",
        "GET",
        "/withdrawals/{id}/passkey-options",
        has_credential=True,
        is_repeatable=True,
    ),
    "getUsers": Operation("getUsers", "GET", "/users", has_credential=True, is_repeatable=True),
    "postUsers": Operation("postUsers", "POST", "/users", has_credential=True, is_repeatable=False),
    "getUser": Operation("getUser", "GET", "/users/{id}", has_credential=True, is_repeatable=True),
    "patchUser": Operation(
        "patchUser",
        "PATCH",
        "/users/{id}",
        has_credential=True,
        is_repeatable=False,
    ),
    "postUserReset": Operation(
        "postUserReset",
        "POST",
        "/users/{id}/reset",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "deleteUserInvitation": Operation(
        "deleteUserInvitation",
        "DELETE",
        "/users/{id}/invitation",
        has_credential=True,
        is_repeatable=False,
    ),
    "getApiKeys": Operation(
        "getApiKeys",
        "GET",
        "/api-keys",
        has_credential=True,
        is_repeatable=True,
    ),
    "postApiKey": Operation(
        "postApiKey",
        "POST",
        "/api-keys",
        has_credential=True,
        is_repeatable=False,
    ),
    "patchApiKeyTerms": Operation(
        "patchApiKeyTerms",
        "PATCH",
        "/api-keys/{id}",
        has_credential=True,
        is_repeatable=False,
    ),
    "deleteApiKey": Operation(
        "deleteApiKey",
        "DELETE",
        "/api-keys/{id}",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "postApiKeyRotate": Operation(
        "postApiKeyRotate",
        "POST",
        "/api-keys/{id}/rotate",
        has_credential=True,
        is_repeatable=False,
    ),
    "getOrganisation": Operation(
        "getOrganisation",
        "GET",
        "/organisation",
        has_credential=True,
        is_repeatable=True,
    ),
    "patchWebhook": Operation(
        "patchWebhook",
        "PATCH",
        "/organisation/webhook",
        has_credential=True,
        is_repeatable=True,
    ),
    "patchSigningSecret": Operation(
        "patchSigningSecret",
        "PATCH",
        "/organisation/webhook/signing-secret",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "patchMinWithdrawalSigners": Operation(
        "patchMinWithdrawalSigners",
        "PATCH",
        "/organisation/min-withdrawal-signers",
        has_credential=True,
        is_repeatable=True,
    ),
    "patchMinHumanApprovals": Operation(
        "patchMinHumanApprovals",
        "PATCH",
        "/organisation/min-human-approvals",
        has_credential=True,
        is_repeatable=False,
    ),
    "getDepositAddress": Operation(
        "getDepositAddress",
        "GET",
        "/payments/deposit-address",
        has_credential=True,
        is_repeatable=True,
    ),
    "getPayments": Operation(
        "getPayments",
        "GET",
        "/payments",
        has_credential=True,
        is_repeatable=True,
    ),
    "getUserDeposits": Operation(
        "getUserDeposits",
        "GET",
        "/payments/{userId}/deposits",
        has_credential=True,
        is_repeatable=True,
    ),
    "getAccounts": Operation(
        "getAccounts",
        "GET",
        "/accounts",
        has_credential=True,
        is_repeatable=True,
    ),
    "getDeposit": Operation(
        "getDeposit",
        "GET",
        "/deposits/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "getPaymentsTrace": Operation(
        "getPaymentsTrace",
        "GET",
        "/payments/trace",
        has_credential=True,
        is_repeatable=True,
    ),
    "getWithdrawals": Operation(
        "getWithdrawals",
        "GET",
        "/withdrawals",
        has_credential=True,
        is_repeatable=True,
    ),
    "postWithdrawals": Operation(
        "postWithdrawals",
        "POST",
        "/withdrawals",
        has_credential=True,
        is_repeatable=True,
    ),
    "postWithdrawalsEstimate": Operation(
        "postWithdrawalsEstimate",
        "POST",
        "/withdrawals/estimate",
        has_credential=True,
        is_repeatable=True,
    ),
    "getWithdrawal": Operation(
        "getWithdrawal",
        "GET",
        "/withdrawals/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "deleteWithdrawal": Operation(
        "deleteWithdrawal",
        "DELETE",
        "/withdrawals/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "getWithdrawalWarnings": Operation(
        "getWithdrawalWarnings",
        "GET",
        "/withdrawals/{id}/warnings",
        has_credential=True,
        is_repeatable=True,
    ),
    "postWithdrawalSpeedUp": Operation(
        "postWithdrawalSpeedUp",
        "POST",
        "/withdrawals/{id}/speed-up",
        has_credential=True,
        is_repeatable=False,
    ),
    "postWithdrawalApprove": Operation(
        "postWithdrawalApprove",
        "POST",
        "/withdrawals/{id}/approve",
        has_credential=True,
        is_repeatable=False,
    ),
    "postWithdrawalReject": Operation(
        "postWithdrawalReject",
        "POST",
        "/withdrawals/{id}/reject",
        has_credential=True,
        is_repeatable=False,
    ),
    "postWithdrawalsApprove": Operation(
        "postWithdrawalsApprove",
        "POST",
        "/withdrawals/approve",
        has_credential=True,
        is_repeatable=False,
    ),
    "getChains": Operation("getChains", "GET", "/chains", has_credential=True, is_repeatable=True),
    "getChainsStatus": Operation(
        "getChainsStatus",
        "GET",
        "/chains/status",
        has_credential=True,
        is_repeatable=True,
    ),
    "getChain": Operation(
        "getChain",
        "GET",
        "/chains/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "getTokens": Operation("getTokens", "GET", "/tokens", has_credential=True, is_repeatable=True),
    "patchOrganisationChain": Operation(
        "patchOrganisationChain",
        "PATCH",
        "/organisation/chains",
        has_credential=True,
        is_repeatable=False,
    ),
    "patchOrganisationToken": Operation(
        "patchOrganisationToken",
        "PATCH",
        "/organisation/tokens",
        has_credential=True,
        is_repeatable=False,
    ),
    "getGasStation": Operation(
        "getGasStation",
        "GET",
        "/gas-station",
        has_credential=True,
        is_repeatable=True,
    ),
    "getPortfolio": Operation(
        "getPortfolio",
        "GET",
        "/portfolio",
        has_credential=True,
        is_repeatable=True,
    ),
    "getStatement": Operation(
        "getStatement",
        "GET",
        "/reports/statement",
        has_credential=True,
        is_repeatable=True,
    ),
    "getStats": Operation("getStats", "GET", "/stats", has_credential=True, is_repeatable=True),
    "getEvents": Operation("getEvents", "GET", "/events", has_credential=True, is_repeatable=True),
    "getEventsCount": Operation(
        "getEventsCount",
        "GET",
        "/events/count",
        has_credential=True,
        is_repeatable=True,
    ),
    "getEvent": Operation(
        "getEvent",
        "GET",
        "/events/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "postEventRedeliver": Operation(
        "postEventRedeliver",
        "POST",
        "/events/{id}/redeliver",
        has_credential=True,
        is_repeatable=False,
    ),
    "postEventsRedeliver": Operation(
        "postEventsRedeliver",
        "POST",
        "/events/redeliver",
        has_credential=True,
        is_repeatable=False,
    ),
    "postWebhookTest": Operation(
        "postWebhookTest",
        "POST",
        "/organisation/webhook/test",
        has_credential=True,
        is_repeatable=False,
    ),
    "getWebhookEndpoints": Operation(
        "getWebhookEndpoints",
        "GET",
        "/webhook-endpoints",
        has_credential=True,
        is_repeatable=True,
    ),
    "postWebhookEndpoint": Operation(
        "postWebhookEndpoint",
        "POST",
        "/webhook-endpoints",
        has_credential=True,
        is_repeatable=False,
    ),
    "getWebhookEndpoint": Operation(
        "getWebhookEndpoint",
        "GET",
        "/webhook-endpoints/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "patchWebhookEndpoint": Operation(
        "patchWebhookEndpoint",
        "PATCH",
        "/webhook-endpoints/{id}",
        has_credential=True,
        is_repeatable=False,
    ),
    "deleteWebhookEndpoint": Operation(
        "deleteWebhookEndpoint",
        "DELETE",
        "/webhook-endpoints/{id}",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "postWebhookEndpointSecret": Operation(
        "postWebhookEndpointSecret",
        "POST",
        "/webhook-endpoints/{id}/secret",
        has_credential=True,
        is_repeatable=False,
        is_body_optional=True,
    ),
    "postWebhookEndpointTest": Operation(
        "postWebhookEndpointTest",
        "POST",
        "/webhook-endpoints/{id}/test",
        has_credential=True,
        is_repeatable=False,
    ),
    "getSweeps": Operation("getSweeps", "GET", "/sweeps", has_credential=True, is_repeatable=True),
    "getUnattributed": Operation(
        "getUnattributed",
        "GET",
        "/unattributed",
        has_credential=True,
        is_repeatable=True,
    ),
    "postUnattributedAssign": Operation(
        "postUnattributedAssign",
        "POST",
        "/unattributed/{id}/assign",
        has_credential=True,
        is_repeatable=False,
    ),
    "getLedgerEntries": Operation(
        "getLedgerEntries",
        "GET",
        "/ledger-entries",
        has_credential=True,
        is_repeatable=True,
    ),
    "getAlerts": Operation("getAlerts", "GET", "/alerts", has_credential=True, is_repeatable=True),
    "getAlert": Operation(
        "getAlert",
        "GET",
        "/alerts/{id}",
        has_credential=True,
        is_repeatable=True,
    ),
    "postAlertAcknowledge": Operation(
        "postAlertAcknowledge",
        "POST",
        "/alerts/{id}/acknowledge",
        has_credential=True,
        is_repeatable=False,
    ),
    "getAuditLog": Operation(
        "getAuditLog",
        "GET",
        "/audit-log",
        has_credential=True,
        is_repeatable=True,
    ),
    "getAuditLogVerification": Operation(
        "getAuditLogVerification",
        "GET",
        "/audit-log/verification",
        has_credential=True,
        is_repeatable=True,
    ),
    "getHealth": Operation(
        "getHealth",
        "GET",
        "/healthz",
        has_credential=False,
        is_repeatable=False,
    ),
    "getReadiness": Operation(
        "getReadiness",
        "GET",
        "/readyz",
        has_credential=False,
        is_repeatable=False,
        accepted=(503,),
    ),
}


class GeneratedClient(OperationCaller):
    """One method for each operation."""

    _operations: ClassVar[Mapping[str, Operation]] = OPERATIONS

    def post_login(self, *, username: str, password: str, totp_code: str) -> AccessToken:
        """Signs a person in with user name, password and a one-time code.

        The access token is valid for `expiresIn` seconds. It ends earlier if the password, the
        two-factor secret or the user changes. Ten failures in a row lock the name for 15
        minutes. A recovery code instead of the one-time code works once, and begins a session
        that can only enrol a new TOTP secret.

        Args:
            username: The name that the person signs in with.
            password: The password.
            totp_code: A one-time code: six digits of an authenticator app, each code works once.
                Or a recovery code, which also works once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_TOTP
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: AccessToken = self._call(
            "postLogin",
            body={"username": username, "password": password, "totpCode": totp_code},
        )
        return answer

    def get_profile(self) -> Profile:
        """Returns the signed-in user.

        The user of the session, with the role that grants the permissions.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: Profile = self._call("getProfile")
        return answer

    def patch_api_key(self, *, totp_code: Optional[str] = None) -> NewApiKey:
        """Replaces the default API key; the previous key is refused at once.

        The new key is shown only once, and has every scope, no networks and no expiry. Requests
        with the previous key are refused; other keys stay valid. Requires a one-time code.

        Args:
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: NewApiKey = self._call("patchApiKey", body={"totpCode": or_unset(totp_code)})
        return answer

    def post_invitation(self, *, token: str) -> PostInvitationAnswer:
        """Shows an invitation and the TOTP secret to enrol.

        Changes nothing and can be repeated. Limited for each address.

        Args:
            token: The token of an invitation.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: INVALID_INVITATION
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostInvitationAnswer = self._call("postInvitation", body={"token": token})
        return answer

    def post_invitation_accept(
        self,
        *,
        token: str,
        password: str,
        totp_code: str,
    ) -> PostInvitationAcceptAnswer:
        """Accepts an invitation and signs the person in.

        Sets the password and the TOTP secret of the invitation; `totpCode` is a code of that
        secret. The invitation works once.

        Args:
            token: The token of an invitation.
            password: The new password: 12 to 256 characters.
            totp_code: A one-time code: six digits of an authenticator app. Each code works once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: INVALID_INVITATION, INVALID_TOTP
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostInvitationAcceptAnswer = self._call(
            "postInvitationAccept",
            body={"token": token, "password": password, "totpCode": totp_code},
        )
        return answer

    def patch_password(
        self,
        *,
        current_password: str,
        new_password: str,
        totp_code: Optional[str] = None,
    ) -> dict[str, Any]:
        """Changes your own password.

        Ends your other sessions. Requires the current password and a one-time code.

        Args:
            current_password: The password.
            new_password: The new password: 12 to 256 characters.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call(
            "patchPassword",
            body={
                "currentPassword": current_password,
                "newPassword": new_password,
                "totpCode": or_unset(totp_code),
            },
        )
        return answer

    def post_totp(self, *, totp_code: Optional[str] = None) -> PostTotpAnswer:
        """Offers a new TOTP secret for your authenticator.

        The present secret remains until `POST /auth/totp/confirm`. Requires a one-time code of
        it, unless you signed in with a recovery code.

        Args:
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostTotpAnswer = self._call("postTotp", body={"totpCode": or_unset(totp_code)})
        return answer

    def post_totp_confirm(self, *, totp_code: str) -> dict[str, Any]:
        """Replaces your TOTP secret by the offered one.

        `totpCode` is a code of the new secret. Ends your other sessions; a session of a recovery
        code ends too, so sign in again.

        Args:
            totp_code: A one-time code: six digits of an authenticator app. Each code works once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call("postTotpConfirm", body={"totpCode": totp_code})
        return answer

    def post_recovery_codes(self, *, totp_code: Optional[str] = None) -> PostRecoveryCodesAnswer:
        """Replaces your recovery codes by ten new ones.

        The previous codes are refused at once. Requires a one-time code.

        Args:
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostRecoveryCodesAnswer = self._call(
            "postRecoveryCodes",
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def get_sessions(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetSessionsAnswer:
        """Lists your open sessions.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetSessionsAnswer = self._call(
            "getSessions",
            query={"limit": or_unset(limit), "cursor": or_unset(cursor)},
        )
        return answer

    def iter_sessions(self) -> Iterator[Session]:
        """Every record of `get_sessions`.

        Reads page after page and keeps one page in memory.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each("getSessions", "sessions", 500, query={})

    def delete_session(self, *, id: str) -> dict[str, Any]:
        """Ends one of your open sessions.

        Its access token is refused at once.

        Args:
            id: The id of a session.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call("deleteSession", path={"id": id})
        return answer

    def post_logout(self) -> dict[str, Any]:
        """Ends the session of this request.

        The access token is refused at once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call("postLogout")
        return answer

    def get_passkeys(self) -> GetPasskeysAnswer:
        """Lists your passkeys.

        At most ten, the oldest first, with the origin of the dashboard in which they work: null
        if the operator has not set `SLUICE_PUBLIC_URL`, and then no passkey can be used.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetPasskeysAnswer = self._call("getPasskeys")
        return answer

    def post_passkeys(self, *, name: str, credential: PasskeyCredential) -> PostPasskeysAnswer:
        """Adds the passkey that the browser created.

        `credential` is what `navigator.credentials.create` returned, as JSON.

        Args:
            name: A name of 1 to 100 characters, not only white space.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_PASSKEY
            403: FORBIDDEN
            422: PASSKEYS_NOT_CONFIGURED
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostPasskeysAnswer = self._call(
            "postPasskeys",
            body={"name": name, "credential": credential},
        )
        return answer

    def post_passkey_options(self, *, totp_code: Optional[str] = None) -> PasskeyCreation:
        """Begins to add a passkey: options for the browser.

        For `navigator.credentials.create`. `POST /auth/passkeys` stores the result within ten
        minutes, in the same session and before another one-time code is used. Requires a
        one-time code.

        Args:
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP, INVALID_PASSKEY
            403: FORBIDDEN
            422: PASSKEYS_NOT_CONFIGURED
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PasskeyCreation = self._call(
            "postPasskeyOptions",
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def patch_passkey(
        self,
        *,
        id: str,
        name: str,
        totp_code: Optional[str] = None,
    ) -> PatchPasskeyAnswer:
        """Renames one of your passkeys.

        Requires a one-time code.

        Args:
            id: The id of one of your passkeys.
            name: A name of 1 to 100 characters, not only white space.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PatchPasskeyAnswer = self._call(
            "patchPasskey",
            path={"id": id},
            body={"name": name, "totpCode": or_unset(totp_code)},
        )
        return answer

    def delete_passkey(self, *, id: str, totp_code: Optional[str] = None) -> dict[str, Any]:
        """Removes one of your passkeys.

        It approves nothing from then on; approvals that it gave remain. Requires a one-time code
        in the header `x-totp-code`.

        Args:
            id: The id of one of your passkeys.
            totp_code: A fresh one-time code of the user (bearer token), unless the body has it;
                an API key needs no code.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call(
            "deletePasskey",
            path={"id": id},
            headers={"x-totp-code": or_unset(totp_code)},
        )
        return answer

    def get_withdrawal_passkey_options(self, *, id: str) -> PasskeyRequest:
        """Returns the options with which a passkey approves a withdrawal.

        For `navigator.credentials.get`. The challenge is the canonical hash of the withdrawal:
        compute it from the fields that you show, and compare. `POST /withdrawals/:id/approve`
        takes the result. A passkey approves a withdrawal once.

        Args:
            id: The id of a withdrawal.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_PASSKEY
            403: FORBIDDEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            422: WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, PASSKEYS_NOT_CONFIGURED
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PasskeyRequest = self._call("getWithdrawalPasskeyOptions", path={"id": id})
        return answer

    def get_users(
        self,
        *,
        q: Optional[str] = None,
        role: Optional[Literal["viewer", "operator", "approver", "admin"]] = None,
        status: Optional[Literal["invited", "active", "disabled"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetUsersAnswer:
        """Lists the people of the organization.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            q: Only people whose `username` contains this text, in any case, or with this `id`.
            role: Only people with this role.
            status: Only people in this status.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetUsersAnswer = self._call(
            "getUsers",
            query={
                "q": or_unset(q),
                "role": or_unset(role),
                "status": or_unset(status),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_users(
        self,
        *,
        q: Optional[str] = None,
        role: Optional[Literal["viewer", "operator", "approver", "admin"]] = None,
        status: Optional[Literal["invited", "active", "disabled"]] = None,
    ) -> Iterator[Person]:
        """Every record of `get_users`.

        Reads page after page and keeps one page in memory.

        Args:
            q: Only people whose `username` contains this text, in any case, or with this `id`.
            role: Only people with this role.
            status: Only people in this status.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getUsers",
            "users",
            500,
            query={"q": or_unset(q), "role": or_unset(role), "status": or_unset(status)},
        )

    def get_users_csv(
        self,
        *,
        q: Optional[str] = None,
        role: Optional[Literal["viewer", "operator", "approver", "admin"]] = None,
        status: Optional[Literal["invited", "active", "disabled"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists the people of the organization; a file of the type text/csv.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            q: Only people whose `username` contains this text, in any case, or with this `id`.
            role: Only people with this role.
            status: Only people in this status.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getUsers",
            "text/csv",
            query={
                "q": or_unset(q),
                "role": or_unset(role),
                "status": or_unset(status),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_users_ndjson(
        self,
        *,
        q: Optional[str] = None,
        role: Optional[Literal["viewer", "operator", "approver", "admin"]] = None,
        status: Optional[Literal["invited", "active", "disabled"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists the people of the organization; a file of the type application/x-ndjson.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            q: Only people whose `username` contains this text, in any case, or with this `id`.
            role: Only people with this role.
            status: Only people in this status.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getUsers",
            "application/x-ndjson",
            query={
                "q": or_unset(q),
                "role": or_unset(role),
                "status": or_unset(status),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def post_users(
        self,
        *,
        username: str,
        role: Literal["viewer", "operator", "approver", "admin"],
        totp_code: Optional[str] = None,
    ) -> PostUsersAnswer:
        """Invites a person.

        Hand the token over on a private channel. With it the person sets a password and a TOTP
        secret (`POST /auth/invitation`) within 72 hours. Requires a one-time code.

        Args:
            username: The name that the person signs in with.
            role: The role of the person.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostUsersAnswer = self._call(
            "postUsers",
            body={"username": username, "role": role, "totpCode": or_unset(totp_code)},
        )
        return answer

    def get_user(self, *, id: str) -> GetUserAnswer:
        """Returns a person.

        A person of the organization, with the state of the invitation.

        Args:
            id: The id of a user of the organization.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetUserAnswer = self._call("getUser", path={"id": id})
        return answer

    def patch_user(
        self,
        *,
        id: str,
        role: Optional[Literal["viewer", "operator", "approver", "admin"]] = None,
        disabled: Optional[bool] = None,
        totp_code: Optional[str] = None,
    ) -> PatchUserAnswer:
        """Changes the role of a person, or disables or enables a person.

        Ends the sessions of the person. Refused with INVALID_MIN_SIGNERS while new or pending
        withdrawals need this signer: `details.withdrawals` lists the pending ones. The last
        admin keeps the role. Requires a one-time code.

        Args:
            id: The id of a user of the organization.
            role: The new role.
            disabled: Whether the person may not sign in or approve.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            422: INVALID_MIN_SIGNERS, LAST_ADMIN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PatchUserAnswer = self._call(
            "patchUser",
            path={"id": id},
            body={
                "role": or_unset(role),
                "disabled": or_unset(disabled),
                "totpCode": or_unset(totp_code),
            },
        )
        return answer

    def post_user_reset(self, *, id: str, totp_code: Optional[str] = None) -> PostUserResetAnswer:
        """Resets the credentials of another person and issues a new invitation.

        Password, TOTP secret, recovery codes, passkeys and sessions of the person end at once.
        For a person who has not accepted, the new invitation replaces the previous one. You
        cannot reset yourself: change your own password and TOTP secret. Requires a one-time
        code.

        Args:
            id: The id of a user of the organization.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostUserResetAnswer = self._call(
            "postUserReset",
            path={"id": id},
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def delete_user_invitation(
        self,
        *,
        id: str,
        totp_code: Optional[str] = None,
    ) -> DeleteUserInvitationAnswer:
        """Withdraws the open invitation of a person.

        The token is refused at once; without an open invitation this has no effect. The person
        remains: `POST /users/<id>/reset` issues a new invitation. Requires a one-time code in
        the header `x-totp-code`.

        Args:
            id: The id of a user of the organization.
            totp_code: A fresh one-time code of the user (bearer token), unless the body has it;
                an API key needs no code.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: DeleteUserInvitationAnswer = self._call(
            "deleteUserInvitation",
            path={"id": id},
            headers={"x-totp-code": or_unset(totp_code)},
        )
        return answer

    def get_api_keys(
        self,
        *,
        q: Optional[str] = None,
        scope: Optional[Literal["read", "deposits", "withdrawals", "configure"]] = None,
        status: Optional[Literal["active", "expired", "revoked"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetApiKeysAnswer:
        """Lists API keys, newest first.

        Also revoked and expired keys, without the keys themselves. Only admins. Without `limit`
        and `cursor` the list is complete and streamed, newest first. With either, it is one
        page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            q: Only keys whose `name` contains this text, in any case, or with this `lastFour` or
                `id`.
            scope: Only keys with this scope.
            status: Only keys in this status.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetApiKeysAnswer = self._call(
            "getApiKeys",
            query={
                "q": or_unset(q),
                "scope": or_unset(scope),
                "status": or_unset(status),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_api_keys(
        self,
        *,
        q: Optional[str] = None,
        scope: Optional[Literal["read", "deposits", "withdrawals", "configure"]] = None,
        status: Optional[Literal["active", "expired", "revoked"]] = None,
    ) -> Iterator[ApiKey]:
        """Every record of `get_api_keys`.

        Reads page after page and keeps one page in memory.

        Args:
            q: Only keys whose `name` contains this text, in any case, or with this `lastFour` or
                `id`.
            scope: Only keys with this scope.
            status: Only keys in this status.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getApiKeys",
            "apiKeys",
            500,
            query={"q": or_unset(q), "scope": or_unset(scope), "status": or_unset(status)},
        )

    def get_api_keys_csv(
        self,
        *,
        q: Optional[str] = None,
        scope: Optional[Literal["read", "deposits", "withdrawals", "configure"]] = None,
        status: Optional[Literal["active", "expired", "revoked"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists API keys, newest first; a file of the type text/csv.

        Also revoked and expired keys, without the keys themselves. Only admins. Without `limit`
        and `cursor` the list is complete and streamed, newest first. With either, it is one
        page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            q: Only keys whose `name` contains this text, in any case, or with this `lastFour` or
                `id`.
            scope: Only keys with this scope.
            status: Only keys in this status.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getApiKeys",
            "text/csv",
            query={
                "q": or_unset(q),
                "scope": or_unset(scope),
                "status": or_unset(status),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_api_keys_ndjson(
        self,
        *,
        q: Optional[str] = None,
        scope: Optional[Literal["read", "deposits", "withdrawals", "configure"]] = None,
        status: Optional[Literal["active", "expired", "revoked"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists API keys, newest first; a file of the type application/x-ndjson.

        Also revoked and expired keys, without the keys themselves. Only admins. Without `limit`
        and `cursor` the list is complete and streamed, newest first. With either, it is one
        page; `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            q: Only keys whose `name` contains this text, in any case, or with this `lastFour` or
                `id`.
            scope: Only keys with this scope.
            status: Only keys in this status.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getApiKeys",
            "application/x-ndjson",
            query={
                "q": or_unset(q),
                "scope": or_unset(scope),
                "status": or_unset(status),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def post_api_key(
        self,
        *,
        name: str,
        scopes: list[Literal["read", "deposits", "withdrawals", "configure"]],
        allowed_cidrs: Optional[list[str]] = None,
        expires_at: Optional[Union[Union[str, datetime], Unset]] = UNSET,
        totp_code: Optional[str] = None,
    ) -> PostApiKeyAnswer:
        """Creates an API key with scopes.

        The key is shown only once. At most 100 keys of an organization are active. Only admins,
        with a one-time code; never an API key.

        Args:
            name: A name of 1 to 100 characters, not only white space.
            scopes: What the key may do: `read` everything, issue addresses (`deposits`), create
                and cancel `withdrawals`, or `configure`, which includes sending events again.
            allowed_cidrs: Up to 50 IPv4 or IPv6 networks from which the key may be used, such as
                `203.0.113.0/24`; empty: from everywhere.
            expires_at: When the key expires (ISO 8601, in the future); null: never.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostApiKeyAnswer = self._call(
            "postApiKey",
            body={
                "name": name,
                "scopes": scopes,
                "allowedCidrs": or_unset(allowed_cidrs),
                "expiresAt": expires_at,
                "totpCode": or_unset(totp_code),
            },
        )
        return answer

    def patch_api_key_terms(
        self,
        *,
        id: str,
        name: Optional[str] = None,
        scopes: Optional[list[Literal["read", "deposits", "withdrawals", "configure"]]] = None,
        allowed_cidrs: Optional[list[str]] = None,
        expires_at: Optional[Union[Union[str, datetime], Unset]] = UNSET,
        totp_code: Optional[str] = None,
    ) -> PatchApiKeyTermsAnswer:
        """Changes the name, scopes, networks or expiry of an API key.

        Absent fields stay as they are. Requests with the key that are being processed are
        refused if they no longer comply. A revoked or expired key cannot be changed. Only
        admins, with a one-time code; never an API key.

        Args:
            id: The id of an API key.
            name: A name of 1 to 100 characters, not only white space.
            scopes: What the key may do: `read` everything, issue addresses (`deposits`), create
                and cancel `withdrawals`, or `configure`, which includes sending events again.
            allowed_cidrs: Up to 50 IPv4 or IPv6 networks from which the key may be used, such as
                `203.0.113.0/24`; empty: from everywhere.
            expires_at: When the key expires (ISO 8601, in the future); null: never.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PatchApiKeyTermsAnswer = self._call(
            "patchApiKeyTerms",
            path={"id": id},
            body={
                "name": or_unset(name),
                "scopes": or_unset(scopes),
                "allowedCidrs": or_unset(allowed_cidrs),
                "expiresAt": expires_at,
                "totpCode": or_unset(totp_code),
            },
        )
        return answer

    def delete_api_key(self, *, id: str, totp_code: Optional[str] = None) -> DeleteApiKeyAnswer:
        """Revokes an API key at once.

        Revoking it twice changes nothing. Only admins, with a one-time code; never an API key.

        Args:
            id: The id of an API key.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: DeleteApiKeyAnswer = self._call(
            "deleteApiKey",
            path={"id": id},
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def post_api_key_rotate(
        self,
        *,
        id: str,
        overlap_seconds: Optional[int] = None,
        expires_at: Optional[Union[Union[str, datetime], Unset]] = UNSET,
        totp_code: Optional[str] = None,
    ) -> PostApiKeyRotateAnswer:
        """Replaces an API key by a new one with the same name, scopes and networks.

        The new key is shown only once, and has a new id. The old key is refused at once, or
        after `overlapSeconds`. A revoked or expired key cannot be replaced. Only admins, with a
        one-time code; never an API key.

        Args:
            id: The id of an API key.
            overlap_seconds: How many seconds the old key stays valid; 0 by default, at most 24
                hours.
            expires_at: When the key expires (ISO 8601, in the future); null: never.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostApiKeyRotateAnswer = self._call(
            "postApiKeyRotate",
            path={"id": id},
            body={
                "overlapSeconds": or_unset(overlap_seconds),
                "expiresAt": expires_at,
                "totpCode": or_unset(totp_code),
            },
        )
        return answer

    def get_organisation(self, *, totp_code: Optional[str] = None) -> Organization:
        """Returns the organization with its settings.

        The signing secret is complete for an API key with the scope `configure`, and for an
        admin who sends a one-time code in the header `x-totp-code`. Others see its last four
        characters.

        Args:
            totp_code: A fresh one-time code of the user (bearer token), unless the body has it;
                an API key needs no code.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: Organization = self._call(
            "getOrganisation",
            headers={"x-totp-code": or_unset(totp_code)},
        )
        return answer

    def patch_webhook(self, *, webhook_url: str, totp_code: Optional[str] = None) -> dict[str, Any]:
        """Sets the URL that receives events.

        The URL must use HTTPS and resolve to a public address; `details.reason` says what is
        wrong with it. Pending deliveries go to the new URL. A person must send a one-time code.

        Args:
            webhook_url: A public HTTPS URL of at most 2048 characters.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call(
            "patchWebhook",
            body={"webhookUrl": webhook_url, "totpCode": or_unset(totp_code)},
        )
        return answer

    def patch_signing_secret(self, *, totp_code: Optional[str] = None) -> NewSigningSecret:
        """Replaces the secret that signs deliveries.

        `x-webhook-signature` uses the new secret at once; `webhook-signature` carries signatures
        of both secrets for 24 hours. A person must send a one-time code.

        Args:
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: NewSigningSecret = self._call(
            "patchSigningSecret",
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def patch_min_withdrawal_signers(
        self,
        *,
        min_withdrawal_signers: int,
        totp_code: Optional[str] = None,
    ) -> dict[str, Any]:
        """Sets how many approvals a new withdrawal needs.

        1 to the number of users who may approve. Existing withdrawals keep the number that
        applied when they were created. A person must send a one-time code.

        Args:
            min_withdrawal_signers: How many approvals a new withdrawal needs: 1 to the number of
                signers.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            422: INVALID_MIN_SIGNERS
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call(
            "patchMinWithdrawalSigners",
            body={"minWithdrawalSigners": min_withdrawal_signers, "totpCode": or_unset(totp_code)},
        )
        return answer

    def patch_min_human_approvals(
        self,
        *,
        min_human_approvals: Optional[int],
        totp_code: Optional[str] = None,
    ) -> dict[str, Any]:
        """Sets how many approvals of a new withdrawal must come from people.

        0 to the number of users who may approve; null for the default: 0 if one approval is
        enough, otherwise as many as are needed. Existing withdrawals keep their number. Only
        admins, with a one-time code; never an API key, which this setting limits.

        Args:
            min_human_approvals: How many approvals of a new withdrawal people must give: 0 to
                the number of signers; null for the default.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            422: INVALID_MIN_SIGNERS
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call(
            "patchMinHumanApprovals",
            body={"minHumanApprovals": min_human_approvals, "totpCode": or_unset(totp_code)},
        )
        return answer

    def get_deposit_address(
        self,
        *,
        chain_id: str,
        token_id: str,
        user_id: str,
    ) -> GetDepositAddressAnswer:
        """Returns the deposit account of a user on a chain; creates it if needed.

        One account for each end user and chain; it accepts every token of the chain. 201 if this
        request created it, 200 if it existed. On XRPL payments must carry the destination tag.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them.
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            422: INVALID_CHAIN, CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN,
                TOKEN_NOT_ENABLED, INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: FAILED_TO_CREATE_DEPOSIT_ACCOUNT, INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetDepositAddressAnswer = self._call(
            "getDepositAddress",
            query={"chainId": chain_id, "tokenId": token_id, "userId": user_id},
        )
        return answer

    def get_payments(
        self,
        *,
        user_id: Optional[str] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetPaymentsAnswer:
        """Lists deposits, newest first.

        Deposits of all end users on all chains. Without `limit` and `cursor` the list is
        complete and streamed, newest first. With either, it is one page; `nextCursor` leads to
        the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole
        list is streamed in that format.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetPaymentsAnswer = self._call(
            "getPayments",
            query={
                "userId": or_unset(user_id),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_payments(
        self,
        *,
        user_id: Optional[str] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[Deposit]:
        """Every record of `get_payments`.

        Reads page after page and keeps one page in memory.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getPayments",
            "payments",
            500,
            query={
                "userId": or_unset(user_id),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_payments_csv(
        self,
        *,
        user_id: Optional[str] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists deposits, newest first; a file of the type text/csv.

        Deposits of all end users on all chains. Without `limit` and `cursor` the list is
        complete and streamed, newest first. With either, it is one page; `nextCursor` leads to
        the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole
        list is streamed in that format.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getPayments",
            "text/csv",
            query={
                "userId": or_unset(user_id),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_payments_ndjson(
        self,
        *,
        user_id: Optional[str] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists deposits, newest first; a file of the type application/x-ndjson.

        Deposits of all end users on all chains. Without `limit` and `cursor` the list is
        complete and streamed, newest first. With either, it is one page; `nextCursor` leads to
        the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole
        list is streamed in that format.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getPayments",
            "application/x-ndjson",
            query={
                "userId": or_unset(user_id),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_user_deposits(
        self,
        *,
        user_id: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetUserDepositsAnswer:
        """Lists deposits of a user on all chains, newest first.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
        For the user ids `.` and `..` use `GET /payments?userId=`: most clients remove such a
        segment from a path, encoded or not.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetUserDepositsAnswer = self._call(
            "getUserDeposits",
            path={"userId": user_id},
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_user_deposits(
        self,
        *,
        user_id: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[Deposit]:
        """Every record of `get_user_deposits`.

        Reads page after page and keeps one page in memory.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getUserDeposits",
            "deposits",
            500,
            path={"userId": user_id},
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_user_deposits_csv(
        self,
        *,
        user_id: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists deposits of a user on all chains, newest first; a file of the type text/csv.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
        For the user ids `.` and `..` use `GET /payments?userId=`: most clients remove such a
        segment from a path, encoded or not.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getUserDeposits",
            "text/csv",
            path={"userId": user_id},
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_user_deposits_ndjson(
        self,
        *,
        user_id: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[
            Literal["Detected", "Confirmed", "BelowMinimum", "Held", "Orphaned"],
        ] = None,
        txn_hash: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists deposits of a user on all chains, newest first; a file of the type
        application/x-ndjson.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.
        For the user ids `.` and `..` use `GET /payments?userId=`: most clients remove such a
        segment from a path, encoded or not.

        Args:
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only deposits in this status.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            q: Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals
                this text. An X-address with a tag (XRPL) selects the account of that tag.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getUserDeposits",
            "application/x-ndjson",
            path={"userId": user_id},
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "txnHash": or_unset(txn_hash),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_accounts(
        self,
        *,
        chain_id: Optional[str] = None,
        user_id: Optional[str] = None,
        address: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetAccountsAnswer:
        """Lists deposit accounts, newest first.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            address: Only the accounts of this blockchain address. An X-address with a tag (XRPL)
                selects the account of that tag.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetAccountsAnswer = self._call(
            "getAccounts",
            query={
                "chainId": or_unset(chain_id),
                "userId": or_unset(user_id),
                "address": or_unset(address),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_accounts(
        self,
        *,
        chain_id: Optional[str] = None,
        user_id: Optional[str] = None,
        address: Optional[str] = None,
    ) -> Iterator[Account]:
        """Every record of `get_accounts`.

        Reads page after page and keeps one page in memory.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            address: Only the accounts of this blockchain address. An X-address with a tag (XRPL)
                selects the account of that tag.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getAccounts",
            "accounts",
            500,
            query={
                "chainId": or_unset(chain_id),
                "userId": or_unset(user_id),
                "address": or_unset(address),
            },
        )

    def get_accounts_csv(
        self,
        *,
        chain_id: Optional[str] = None,
        user_id: Optional[str] = None,
        address: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists deposit accounts, newest first; a file of the type text/csv.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            address: Only the accounts of this blockchain address. An X-address with a tag (XRPL)
                selects the account of that tag.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getAccounts",
            "text/csv",
            query={
                "chainId": or_unset(chain_id),
                "userId": or_unset(user_id),
                "address": or_unset(address),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_accounts_ndjson(
        self,
        *,
        chain_id: Optional[str] = None,
        user_id: Optional[str] = None,
        address: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists deposit accounts, newest first; a file of the type application/x-ndjson.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            user_id: Your own id of an end user: 1 to 255 characters, no control characters, not
                only white space. It is stored unchanged.
            address: Only the accounts of this blockchain address. An X-address with a tag (XRPL)
                selects the account of that tag.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getAccounts",
            "application/x-ndjson",
            query={
                "chainId": or_unset(chain_id),
                "userId": or_unset(user_id),
                "address": or_unset(address),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_deposit(self, *, id: str) -> GetDepositAnswer:
        """Returns a deposit with its notification and its sweep.

        The fields of the lists and the times of its way: detected, credited (`confirmedAt`),
        notified and swept. `GET /events?subjectId=` lists all of its events.

        Args:
            id: The id of a deposit.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetDepositAnswer = self._call("getDeposit", path={"id": id})
        return answer

    def get_payments_trace(self, *, chain_id: str, txn_hash: str) -> GetPaymentsTraceAnswer:
        """Explains step by step why the payments of a transaction are credited or not.

        For support requests. `steps` describes the transaction, `payments` each payment in it
        that concerns the organization.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            txn_hash: A transaction hash: 64 hexadecimal digits, with or without 0x.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_CHAIN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetPaymentsTraceAnswer = self._call(
            "getPaymentsTrace",
            query={"chainId": chain_id, "txnHash": txn_hash},
        )
        return answer

    def get_withdrawals(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[str] = None,
        token_id: Optional[str] = None,
        recipient: Optional[str] = None,
        txn_hash: Optional[str] = None,
        reference: Optional[str] = None,
        external_user_id: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetWithdrawalsAnswer:
        """Lists withdrawals, newest first.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only withdrawals in this status, or in one of several separated by commas:
                PendingApproval, Pending, Processing, Completed, Failed, Cancelled.
            token_id: Only this token: its token id (CAIP-19).
            recipient: Only payments to this address, in any spelling. An X-address with a tag
                (XRPL) also selects the tag.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            reference: Your own key of the withdrawal: 1 to 128 characters, no control
                characters.
            external_user_id: Your own id of an end user: 1 to 255 characters, no control
                characters, not only white space. It is stored unchanged.
            q: Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or
                `txnHash` equals this text.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetWithdrawalsAnswer = self._call(
            "getWithdrawals",
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "tokenId": or_unset(token_id),
                "recipient": or_unset(recipient),
                "txnHash": or_unset(txn_hash),
                "reference": or_unset(reference),
                "externalUserId": or_unset(external_user_id),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_withdrawals(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[str] = None,
        token_id: Optional[str] = None,
        recipient: Optional[str] = None,
        txn_hash: Optional[str] = None,
        reference: Optional[str] = None,
        external_user_id: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[Withdrawal]:
        """Every record of `get_withdrawals`.

        Reads page after page and keeps one page in memory.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only withdrawals in this status, or in one of several separated by commas:
                PendingApproval, Pending, Processing, Completed, Failed, Cancelled.
            token_id: Only this token: its token id (CAIP-19).
            recipient: Only payments to this address, in any spelling. An X-address with a tag
                (XRPL) also selects the tag.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            reference: Your own key of the withdrawal: 1 to 128 characters, no control
                characters.
            external_user_id: Your own id of an end user: 1 to 255 characters, no control
                characters, not only white space. It is stored unchanged.
            q: Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or
                `txnHash` equals this text.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getWithdrawals",
            "withdrawals",
            500,
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "tokenId": or_unset(token_id),
                "recipient": or_unset(recipient),
                "txnHash": or_unset(txn_hash),
                "reference": or_unset(reference),
                "externalUserId": or_unset(external_user_id),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_withdrawals_csv(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[str] = None,
        token_id: Optional[str] = None,
        recipient: Optional[str] = None,
        txn_hash: Optional[str] = None,
        reference: Optional[str] = None,
        external_user_id: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists withdrawals, newest first; a file of the type text/csv.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only withdrawals in this status, or in one of several separated by commas:
                PendingApproval, Pending, Processing, Completed, Failed, Cancelled.
            token_id: Only this token: its token id (CAIP-19).
            recipient: Only payments to this address, in any spelling. An X-address with a tag
                (XRPL) also selects the tag.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            reference: Your own key of the withdrawal: 1 to 128 characters, no control
                characters.
            external_user_id: Your own id of an end user: 1 to 255 characters, no control
                characters, not only white space. It is stored unchanged.
            q: Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or
                `txnHash` equals this text.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getWithdrawals",
            "text/csv",
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "tokenId": or_unset(token_id),
                "recipient": or_unset(recipient),
                "txnHash": or_unset(txn_hash),
                "reference": or_unset(reference),
                "externalUserId": or_unset(external_user_id),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_withdrawals_ndjson(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[str] = None,
        token_id: Optional[str] = None,
        recipient: Optional[str] = None,
        txn_hash: Optional[str] = None,
        reference: Optional[str] = None,
        external_user_id: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists withdrawals, newest first; a file of the type application/x-ndjson.

        Without `limit` and `cursor` the list is complete and streamed, newest first. With
        either, it is one page; `nextCursor` leads to the next. With the header `Accept:
        text/csv` or `Accept: application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only withdrawals in this status, or in one of several separated by commas:
                PendingApproval, Pending, Processing, Completed, Failed, Cancelled.
            token_id: Only this token: its token id (CAIP-19).
            recipient: Only payments to this address, in any spelling. An X-address with a tag
                (XRPL) also selects the tag.
            txn_hash: Only payments of this transaction: 64 hexadecimal digits, with or without
                0x.
            reference: Your own key of the withdrawal: 1 to 128 characters, no control
                characters.
            external_user_id: Your own id of an end user: 1 to 255 characters, no control
                characters, not only white space. It is stored unchanged.
            q: Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or
                `txnHash` equals this text.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getWithdrawals",
            "application/x-ndjson",
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "tokenId": or_unset(token_id),
                "recipient": or_unset(recipient),
                "txnHash": or_unset(txn_hash),
                "reference": or_unset(reference),
                "externalUserId": or_unset(external_user_id),
                "q": or_unset(q),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def post_withdrawals(
        self,
        *,
        chain_id: str,
        token_id: str,
        amount: str,
        recipient: str,
        reference: str,
        memo: Optional[Union[str, Unset]] = UNSET,
        internal_note: Optional[Union[str, Unset]] = UNSET,
        external_user_id: Optional[Union[str, Unset]] = UNSET,
    ) -> PostWithdrawalsAnswer:
        """Creates a withdrawal and reserves its amount.

        With one required approval it is paid at once, otherwise it waits for approvals. To
        repeat a request whose response was lost, send the same `reference` again: the answer is
        `DUPLICATE_REFERENCE` with the id of the existing withdrawal and `sameParameters`. A
        refused request does not use up its reference.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them.
            amount: Base units of the token, in decimal digits; at most 2^256-1.
            recipient: A valid address of the chain. Settlement and gas addresses of this service
                are refused.
            reference: Your own key of the withdrawal: 1 to 128 characters, no control
                characters.
            memo: A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain
                if `properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and
                Bitcoin store it with the withdrawal and never send it.
            internal_note: Your own note of at most 500 characters; it is never sent to a chain.
            external_user_id: Your own id of the end user for whom the withdrawal is made.

        Raises SluiceError with a code:
            400: MISSING_DESTINATION_TAG, BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            422: DUPLICATE_REFERENCE, INVALID_USER_ID, INVALID_CHAIN, CHAIN_NOT_ENABLED,
                INVALID_TOKEN, INVALID_TOKEN_CHAIN, TOKEN_NOT_ENABLED, INVALID_AMOUNT,
                INVALID_RECIPIENT_ADDRESS, WITHDRAWAL_BELOW_MINIMUM, WITHDRAWAL_ABOVE_MAXIMUM,
                INSUFFICIENT_BALANCE, INSUFFICIENT_CONFIRMED_BALANCE, INSUFFICIENT_GAS
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWithdrawalsAnswer = self._call(
            "postWithdrawals",
            body={
                "chainId": chain_id,
                "tokenId": token_id,
                "amount": amount,
                "recipient": recipient,
                "reference": reference,
                "memo": memo,
                "internalNote": internal_note,
                "externalUserId": external_user_id,
            },
        )
        return answer

    def post_withdrawals_estimate(
        self,
        *,
        chain_id: str,
        token_id: str,
        amount: str,
        recipient: str,
        reference: Optional[Union[str, Unset]] = UNSET,
        memo: Optional[Union[str, Unset]] = UNSET,
        internal_note: Optional[Union[str, Unset]] = UNSET,
        external_user_id: Optional[Union[str, Unset]] = UNSET,
    ) -> PostWithdrawalsEstimateAnswer:
        """Estimates a withdrawal without creating it.

        Takes the body of `POST /withdrawals`; `reference` is optional. Returns the fee, the
        balance after it, the approvals that it would need, and warnings. Refuses with the codes
        of the creation in the same order, changes nothing and reserves nothing. If no node
        answers, the creation may still answer `SERVICE_UNAVAILABLE`.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them.
            amount: Base units of the token, in decimal digits; at most 2^256-1.
            recipient: A valid address of the chain. Settlement and gas addresses of this service
                are refused.
            reference: Your own key of the withdrawal: 1 to 128 characters, no control
                characters.
            memo: A memo of at most 64 characters; on XRPL the destination tag. It goes on-chain
                if `properties.carriesMemo` of the chain is true (TRON, XRPL). EVM chains and
                Bitcoin store it with the withdrawal and never send it.
            internal_note: Your own note of at most 500 characters; it is never sent to a chain.
            external_user_id: Your own id of the end user for whom the withdrawal is made.

        Raises SluiceError with a code:
            400: MISSING_DESTINATION_TAG, BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            422: DUPLICATE_REFERENCE, INVALID_USER_ID, INVALID_CHAIN, CHAIN_NOT_ENABLED,
                INVALID_TOKEN, INVALID_TOKEN_CHAIN, TOKEN_NOT_ENABLED, INVALID_AMOUNT,
                INVALID_RECIPIENT_ADDRESS, WITHDRAWAL_BELOW_MINIMUM, WITHDRAWAL_ABOVE_MAXIMUM,
                INSUFFICIENT_BALANCE, INSUFFICIENT_CONFIRMED_BALANCE, INSUFFICIENT_GAS
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWithdrawalsEstimateAnswer = self._call(
            "postWithdrawalsEstimate",
            body={
                "chainId": chain_id,
                "tokenId": token_id,
                "amount": amount,
                "recipient": recipient,
                "reference": reference,
                "memo": memo,
                "internalNote": internal_note,
                "externalUserId": external_user_id,
            },
        )
        return answer

    def get_withdrawal(self, *, id: str) -> SingleWithdrawal:
        """Returns a withdrawal.

        Not wrapped, with its token. Read it before you approve it: a withdrawal that was changed
        in the database is refused (`INTERNAL_ERROR`, `details.reason` `tampered`). Lists are not
        checked.

        Args:
            id: The id of a withdrawal.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: SingleWithdrawal = self._call("getWithdrawal", path={"id": id})
        return answer

    def delete_withdrawal(self, *, id: str) -> DeleteWithdrawalAnswer:
        """Cancels a withdrawal that is not being processed yet.

        Allowed in `Pending` and `PendingApproval`; releases the reserved balance.

        Args:
            id: The id of a withdrawal.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            422: WITHDRAWAL_NOT_PENDING
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: DeleteWithdrawalAnswer = self._call("deleteWithdrawal", path={"id": id})
        return answer

    def get_withdrawal_warnings(self, *, id: str) -> WithdrawalReview:
        """Returns the warnings, fee and balance of a withdrawal that is not paid yet.

        As `POST /withdrawals/estimate` returns them, for those who approve it: compared with the
        other withdrawals, and with the balance without its own reservation. Without warnings,
        fee and balance unless its status is `PendingApproval` or `Pending`.

        Args:
            id: The id of a withdrawal.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: WithdrawalReview = self._call("getWithdrawalWarnings", path={"id": id})
        return answer

    def post_withdrawal_speed_up(self, *, id: str) -> PostWithdrawalSpeedUpAnswer:
        """Requests a higher fee for a withdrawal whose transaction is not included yet.

        The service then replaces the transaction at once instead of after some blocks: it pays
        the same, at the current fee rate and at least an eighth (Bitcoin: a quarter) more, and
        never more than the fee cap. One request is good for one replacement; a repetition before
        it changes nothing. On Bitcoin it speeds up all withdrawals of the same transaction.
        While the gas wallet or the balance does not cover the higher fee, the request waits.

        Args:
            id: The id of a withdrawal.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            422: WITHDRAWAL_NOT_REPLACEABLE
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWithdrawalSpeedUpAnswer = self._call("postWithdrawalSpeedUp", path={"id": id})
        return answer

    def post_withdrawal_approve(
        self,
        *,
        id: str,
        totp_code: Optional[str] = None,
        assertion: Optional[PostWithdrawalApproveAssertion] = None,
    ) -> PostWithdrawalApproveAnswer:
        """Approves a withdrawal, with a one-time code or a passkey.

        Send either `totpCode` or `assertion`: what `navigator.credentials.get` returned for the
        options of `GET /withdrawals/:id/passkey-options`, as JSON. The last required approval
        sets the status to `Pending`. A second approval by the same user changes nothing; the
        initiator counts as the first approver.

        Args:
            id: The id of a withdrawal.
            totp_code: A one-time code: six digits of an authenticator app. Each code works once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP, INVALID_PASSKEY
            403: FORBIDDEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            422: WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, PASSKEYS_NOT_CONFIGURED
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWithdrawalApproveAnswer = self._call(
            "postWithdrawalApprove",
            path={"id": id},
            body={"totpCode": or_unset(totp_code), "assertion": or_unset(assertion)},
        )
        return answer

    def post_withdrawal_reject(
        self,
        *,
        id: str,
        totp_code: str,
        reason: Optional[Union[str, Unset]] = UNSET,
    ) -> PostWithdrawalRejectAnswer:
        """Rejects a withdrawal that waits for approvals, with a one-time code.

        Sets the status to `Cancelled` and releases the reserved balance.

        Args:
            id: The id of a withdrawal.
            totp_code: A one-time code: six digits of an authenticator app. Each code works once.
            reason: The reason, for the audit log: at most 500 characters.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: WITHDRAWAL_NOT_FOUND, NOT_FOUND
            422: WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWithdrawalRejectAnswer = self._call(
            "postWithdrawalReject",
            path={"id": id},
            body={"totpCode": totp_code, "reason": reason},
        )
        return answer

    def post_withdrawals_approve(
        self,
        *,
        ids: list[str],
        totp_code: str,
    ) -> PostWithdrawalsApproveAnswer:
        """Approves several withdrawals with one one-time code.

        `refused` lists the withdrawals that were not approved, with the reason.

        Args:
            ids: The ids of 1 to 100 withdrawals, without duplicates.
            totp_code: A one-time code: six digits of an authenticator app. Each code works once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWithdrawalsApproveAnswer = self._call(
            "postWithdrawalsApprove",
            body={"ids": ids, "totpCode": totp_code},
        )
        return answer

    def get_chains(self, *, enabled_only: Optional[bool] = None) -> GetChainsAnswer:
        """Lists chains, by default those that are enabled for the organization.

        Each chain with the confirmations that it requires.

        Args:
            enabled_only: Only records that are enabled for the organization; true by default.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetChainsAnswer = self._call(
            "getChains",
            query={"enabledOnly": or_unset(enabled_only)},
        )
        return answer

    def get_chains_status(self) -> GetChainsStatusAnswer:
        """Lists the state of each chain that the service has nodes for.

        From stored state: no node is queried. An operator of the service rescans and resumes
        chains.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetChainsStatusAnswer = self._call("getChainsStatus")
        return answer

    def get_chain(self, *, id: str) -> GetChainAnswer:
        """Returns a chain.

        Also if the chain is not enabled.

        Args:
            id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            422: INVALID_CHAIN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetChainAnswer = self._call("getChain", path={"id": id})
        return answer

    def get_tokens(
        self,
        *,
        enabled_only: Optional[bool] = None,
        chain_id: Optional[str] = None,
    ) -> GetTokensAnswer:
        """Lists tokens, by default those that are enabled for the organization.

        Each token with its smallest deposit and its largest withdrawal.

        Args:
            enabled_only: Only records that are enabled for the organization; true by default.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            422: INVALID_CHAIN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetTokensAnswer = self._call(
            "getTokens",
            query={"enabledOnly": or_unset(enabled_only), "chainId": or_unset(chain_id)},
        )
        return answer

    def patch_organisation_chain(
        self,
        *,
        chain_id: str,
        enabled: bool,
        totp_code: Optional[str] = None,
    ) -> PatchOrganisationChainAnswer:
        """Switches a chain off or on for the organization.

        Switched off, it gets no new deposit addresses and no new withdrawals. Deposits to
        existing addresses are still credited, and existing withdrawals are paid. It is enabled
        only if the operator of the service also has it enabled. A person must send a one-time
        code.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            enabled: Whether the organization uses it: false to switch it off, true to switch it
                on.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            422: INVALID_CHAIN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PatchOrganisationChainAnswer = self._call(
            "patchOrganisationChain",
            body={"chainId": chain_id, "enabled": enabled, "totpCode": or_unset(totp_code)},
        )
        return answer

    def patch_organisation_token(
        self,
        *,
        token_id: str,
        enabled: bool,
        totp_code: Optional[str] = None,
    ) -> PatchOrganisationTokenAnswer:
        """Switches a token off or on for the organization.

        Switched off, it gets no new deposit addresses and no new withdrawals. Deposits to
        existing addresses are still credited, and existing withdrawals are paid. It is enabled
        only if the operator of the service also has it enabled. A person must send a one-time
        code.

        Args:
            token_id: A token id (CAIP-19); `GET /tokens?enabledOnly=false` lists them.
            enabled: Whether the organization uses it: false to switch it off, true to switch it
                on.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            422: INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PatchOrganisationTokenAnswer = self._call(
            "patchOrganisationToken",
            body={"tokenId": token_id, "enabled": enabled, "totpCode": or_unset(totp_code)},
        )
        return answer

    def get_gas_station(self) -> GetGasStationAnswer:
        """Lists gas wallets with their current balances.

        On chains with gas wallets (EVM, TRON). Balances are read from the chain.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetGasStationAnswer = self._call("getGasStation")
        return answer

    def get_portfolio(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> GetPortfolioAnswer:
        """Lists balances by token and account.

        One entry for each token and account. `available`, `reserved`, `unconfirmed` and
        `unswept` are totals of the organization on that chain; the entry of the settlement
        account carries them.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetPortfolioAnswer = self._call(
            "getPortfolio",
            query={"chainId": or_unset(chain_id), "tokenId": or_unset(token_id)},
        )
        return answer

    def get_statement(
        self,
        *,
        month: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> GetStatementAnswer:
        """Returns the statement of a month, by chain and token.

        Each line adds up to the base unit. The credited balance is what the organization may
        use: `available`, `reserved`, `heldForFees` and `gas` of `GET /portfolio`, without
        deposits that are unconfirmed, held, below the minimum or unattributed. A posting belongs
        to the UTC month in which it was booked, so a complete month never changes.

        Args:
            month: The month in UTC: YYYY-MM.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetStatementAnswer = self._call(
            "getStatement",
            query={"month": month, "chainId": or_unset(chain_id), "tokenId": or_unset(token_id)},
        )
        return answer

    def get_statement_csv(
        self,
        *,
        month: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> Download:
        """Returns the statement of a month, by chain and token; a file of the type text/csv.

        Each line adds up to the base unit. The credited balance is what the organization may
        use: `available`, `reserved`, `heldForFees` and `gas` of `GET /portfolio`, without
        deposits that are unconfirmed, held, below the minimum or unattributed. A posting belongs
        to the UTC month in which it was booked, so a complete month never changes.

        Args:
            month: The month in UTC: YYYY-MM.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getStatement",
            "text/csv",
            query={"month": month, "chainId": or_unset(chain_id), "tokenId": or_unset(token_id)},
        )

    def get_statement_ndjson(
        self,
        *,
        month: str,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> Download:
        """Returns the statement of a month, by chain and token; a file of the type
        application/x-ndjson.

        Each line adds up to the base unit. The credited balance is what the organization may
        use: `available`, `reserved`, `heldForFees` and `gas` of `GET /portfolio`, without
        deposits that are unconfirmed, held, below the minimum or unattributed. A posting belongs
        to the UTC month in which it was booked, so a complete month never changes.

        Args:
            month: The month in UTC: YYYY-MM.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getStatement",
            "application/x-ndjson",
            query={"month": month, "chainId": or_unset(chain_id), "tokenId": or_unset(token_id)},
        )

    def get_stats(
        self,
        *,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> GetStatsAnswer:
        """Returns sums by UTC day, chain and token.

        Oldest day first; days of a token without postings are left out. Without `from` the 30
        days before `to`, without `to` until now; at most 366 days. The amounts are those of `GET
        /reports/statement`.

        Args:
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetStatsAnswer = self._call(
            "getStats",
            query={
                "from": or_unset(from_),
                "to": or_unset(to),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
            },
        )
        return answer

    def get_stats_csv(
        self,
        *,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> Download:
        """Returns sums by UTC day, chain and token; a file of the type text/csv.

        Oldest day first; days of a token without postings are left out. Without `from` the 30
        days before `to`, without `to` until now; at most 366 days. The amounts are those of `GET
        /reports/statement`.

        Args:
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getStats",
            "text/csv",
            query={
                "from": or_unset(from_),
                "to": or_unset(to),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
            },
        )

    def get_stats_ndjson(
        self,
        *,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
    ) -> Download:
        """Returns sums by UTC day, chain and token; a file of the type application/x-ndjson.

        Oldest day first; days of a token without postings are left out. Without `from` the 30
        days before `to`, without `to` until now; at most 366 days. The amounts are those of `GET
        /reports/statement`.

        Args:
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getStats",
            "application/x-ndjson",
            query={
                "from": or_unset(from_),
                "to": or_unset(to),
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
            },
        )

    def get_events(
        self,
        *,
        after: Optional[int] = None,
        wait: Optional[int] = None,
        type: Optional[
            Literal[
                "deposit.detected",
                "deposit.confirmed",
                "deposit.reverted",
                "deposit.held",
                "account.created",
                "withdrawal.created",
                "withdrawal.approved",
                "withdrawal.processing",
                "withdrawal.completed",
                "withdrawal.failed",
                "withdrawal.cancelled",
                "balance.updated",
                "gas.low",
                "chain.frozen",
                "settings.changed",
                "webhook.test",
            ],
        ] = None,
        subject_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        delivery: Optional[Literal["none", "pending", "delivered", "failed"]] = None,
        endpoint_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetEventsAnswer:
        """Lists events, newest first; with `after` a feed, oldest first.

        Complete even if the webhook was down. To follow all events, send the last `sequence`
        that you processed as `after`: oldest first, without gaps. With `wait` (long poll) the
        answer comes as soon as there is an event. Without `after`: Without `limit` and `cursor`
        the list is complete and streamed, newest first. With either, it is one page;
        `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            after: Only events with a higher `sequence`, oldest first: the feed of all events,
                without gaps. Send the last `sequence` that you processed.
            wait: How many seconds the request waits for a matching event with a higher
                `sequence` than `after`, if there is none yet; it needs `after`. The list is
                empty if none was emitted. The answer may come early and empty, for example when
                the service stops or too many requests wait: pause for a second before you ask
                again. A changed `delivery` does not end the wait.
            type: Only events of this type.
            subject_id: Only events of this record: the id of a deposit, withdrawal, account,
                chain or organization.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            delivery: Only events whose delivery is in this state.
            endpoint_id: The webhook endpoint whose deliveries are shown and filtered. By default
                the default one.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetEventsAnswer = self._call(
            "getEvents",
            query={
                "after": or_unset(after),
                "wait": or_unset(wait),
                "type": or_unset(type),
                "subjectId": or_unset(subject_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "delivery": or_unset(delivery),
                "endpointId": or_unset(endpoint_id),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_events(
        self,
        *,
        after: Optional[int] = None,
        wait: Optional[int] = None,
        type: Optional[
            Literal[
                "deposit.detected",
                "deposit.confirmed",
                "deposit.reverted",
                "deposit.held",
                "account.created",
                "withdrawal.created",
                "withdrawal.approved",
                "withdrawal.processing",
                "withdrawal.completed",
                "withdrawal.failed",
                "withdrawal.cancelled",
                "balance.updated",
                "gas.low",
                "chain.frozen",
                "settings.changed",
                "webhook.test",
            ],
        ] = None,
        subject_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        delivery: Optional[Literal["none", "pending", "delivered", "failed"]] = None,
        endpoint_id: Optional[str] = None,
    ) -> Iterator[StoredEvent]:
        """Every record of `get_events`.

        Reads page after page and keeps one page in memory.

        Args:
            after: Only events with a higher `sequence`, oldest first: the feed of all events,
                without gaps. Send the last `sequence` that you processed.
            wait: How many seconds the request waits for a matching event with a higher
                `sequence` than `after`, if there is none yet; it needs `after`. The list is
                empty if none was emitted. The answer may come early and empty, for example when
                the service stops or too many requests wait: pause for a second before you ask
                again. A changed `delivery` does not end the wait.
            type: Only events of this type.
            subject_id: Only events of this record: the id of a deposit, withdrawal, account,
                chain or organization.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            delivery: Only events whose delivery is in this state.
            endpoint_id: The webhook endpoint whose deliveries are shown and filtered. By default
                the default one.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getEvents",
            "events",
            500,
            query={
                "after": or_unset(after),
                "wait": or_unset(wait),
                "type": or_unset(type),
                "subjectId": or_unset(subject_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "delivery": or_unset(delivery),
                "endpointId": or_unset(endpoint_id),
            },
        )

    def get_events_csv(
        self,
        *,
        after: Optional[int] = None,
        wait: Optional[int] = None,
        type: Optional[
            Literal[
                "deposit.detected",
                "deposit.confirmed",
                "deposit.reverted",
                "deposit.held",
                "account.created",
                "withdrawal.created",
                "withdrawal.approved",
                "withdrawal.processing",
                "withdrawal.completed",
                "withdrawal.failed",
                "withdrawal.cancelled",
                "balance.updated",
                "gas.low",
                "chain.frozen",
                "settings.changed",
                "webhook.test",
            ],
        ] = None,
        subject_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        delivery: Optional[Literal["none", "pending", "delivered", "failed"]] = None,
        endpoint_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists events, newest first; with `after` a feed, oldest first; a file of the type
        text/csv.

        Complete even if the webhook was down. To follow all events, send the last `sequence`
        that you processed as `after`: oldest first, without gaps. With `wait` (long poll) the
        answer comes as soon as there is an event. Without `after`: Without `limit` and `cursor`
        the list is complete and streamed, newest first. With either, it is one page;
        `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            after: Only events with a higher `sequence`, oldest first: the feed of all events,
                without gaps. Send the last `sequence` that you processed.
            wait: How many seconds the request waits for a matching event with a higher
                `sequence` than `after`, if there is none yet; it needs `after`. The list is
                empty if none was emitted. The answer may come early and empty, for example when
                the service stops or too many requests wait: pause for a second before you ask
                again. A changed `delivery` does not end the wait.
            type: Only events of this type.
            subject_id: Only events of this record: the id of a deposit, withdrawal, account,
                chain or organization.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            delivery: Only events whose delivery is in this state.
            endpoint_id: The webhook endpoint whose deliveries are shown and filtered. By default
                the default one.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getEvents",
            "text/csv",
            query={
                "after": or_unset(after),
                "wait": or_unset(wait),
                "type": or_unset(type),
                "subjectId": or_unset(subject_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "delivery": or_unset(delivery),
                "endpointId": or_unset(endpoint_id),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_events_ndjson(
        self,
        *,
        after: Optional[int] = None,
        wait: Optional[int] = None,
        type: Optional[
            Literal[
                "deposit.detected",
                "deposit.confirmed",
                "deposit.reverted",
                "deposit.held",
                "account.created",
                "withdrawal.created",
                "withdrawal.approved",
                "withdrawal.processing",
                "withdrawal.completed",
                "withdrawal.failed",
                "withdrawal.cancelled",
                "balance.updated",
                "gas.low",
                "chain.frozen",
                "settings.changed",
                "webhook.test",
            ],
        ] = None,
        subject_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        delivery: Optional[Literal["none", "pending", "delivered", "failed"]] = None,
        endpoint_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists events, newest first; with `after` a feed, oldest first; a file of the type
        application/x-ndjson.

        Complete even if the webhook was down. To follow all events, send the last `sequence`
        that you processed as `after`: oldest first, without gaps. With `wait` (long poll) the
        answer comes as soon as there is an event. Without `after`: Without `limit` and `cursor`
        the list is complete and streamed, newest first. With either, it is one page;
        `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            after: Only events with a higher `sequence`, oldest first: the feed of all events,
                without gaps. Send the last `sequence` that you processed.
            wait: How many seconds the request waits for a matching event with a higher
                `sequence` than `after`, if there is none yet; it needs `after`. The list is
                empty if none was emitted. The answer may come early and empty, for example when
                the service stops or too many requests wait: pause for a second before you ask
                again. A changed `delivery` does not end the wait.
            type: Only events of this type.
            subject_id: Only events of this record: the id of a deposit, withdrawal, account,
                chain or organization.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            delivery: Only events whose delivery is in this state.
            endpoint_id: The webhook endpoint whose deliveries are shown and filtered. By default
                the default one.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getEvents",
            "application/x-ndjson",
            query={
                "after": or_unset(after),
                "wait": or_unset(wait),
                "type": or_unset(type),
                "subjectId": or_unset(subject_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "delivery": or_unset(delivery),
                "endpointId": or_unset(endpoint_id),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_events_count(
        self,
        *,
        after: Optional[int] = None,
        type: Optional[
            Literal[
                "deposit.detected",
                "deposit.confirmed",
                "deposit.reverted",
                "deposit.held",
                "account.created",
                "withdrawal.created",
                "withdrawal.approved",
                "withdrawal.processing",
                "withdrawal.completed",
                "withdrawal.failed",
                "withdrawal.cancelled",
                "balance.updated",
                "gas.low",
                "chain.frozen",
                "settings.changed",
                "webhook.test",
            ],
        ] = None,
        subject_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        delivery: Optional[Literal["none", "pending", "delivered", "failed"]] = None,
        endpoint_id: Optional[str] = None,
    ) -> GetEventsCountAnswer:
        """Counts the events that match a filter.

        Takes the filters of `POST /events/redeliver`; without a filter it counts all events.
        Refuses an unknown `endpointId` with NOT_FOUND.

        Args:
            after: Only events with a higher `sequence`; 0 for all.
            type: Only events of this type.
            subject_id: Only events of this record: the id of a deposit, withdrawal, account,
                chain or organization.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            delivery: Only events whose delivery is in this state.
            endpoint_id: The webhook endpoint whose deliveries are shown and filtered. By default
                the default one.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetEventsCountAnswer = self._call(
            "getEventsCount",
            query={
                "after": or_unset(after),
                "type": or_unset(type),
                "subjectId": or_unset(subject_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "delivery": or_unset(delivery),
                "endpointId": or_unset(endpoint_id),
            },
        )
        return answer

    def get_event(self, *, id: str) -> GetEventAnswer:
        """Returns an event with its delivery attempts.

        Each attempt includes the request and the response.

        Args:
            id: The id of an event.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetEventAnswer = self._call("getEvent", path={"id": id})
        return answer

    def post_event_redeliver(
        self,
        *,
        id: str,
        endpoint_id: Optional[str] = None,
    ) -> PostEventRedeliverAnswer:
        """Sends an event again, under the same id.

        Sends it at once to the current URL, in any state of its delivery. A delivery in progress
        is not repeated; one that is pending for a replaced URL still goes to that URL. The
        `webhook-id` stays the same, so that a receiver can deduplicate.

        Args:
            id: The id of an event.
            endpoint_id: The webhook endpoint that it is sent to. By default the default one.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            404: NOT_FOUND
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostEventRedeliverAnswer = self._call(
            "postEventRedeliver",
            path={"id": id},
            query={"endpointId": or_unset(endpoint_id)},
        )
        return answer

    def post_events_redeliver(
        self,
        *,
        after: Optional[int] = None,
        type: Optional[
            Literal[
                "deposit.detected",
                "deposit.confirmed",
                "deposit.reverted",
                "deposit.held",
                "account.created",
                "withdrawal.created",
                "withdrawal.approved",
                "withdrawal.processing",
                "withdrawal.completed",
                "withdrawal.failed",
                "withdrawal.cancelled",
                "balance.updated",
                "gas.low",
                "chain.frozen",
                "settings.changed",
                "webhook.test",
            ],
        ] = None,
        subject_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        delivery: Optional[Literal["none", "pending", "delivered", "failed"]] = None,
        endpoint_id: Optional[str] = None,
    ) -> RedeliveryCount:
        """Sends all events again that match a filter.

        Takes the filters of `GET /events`, at least one, and any number of events. `count` is
        the number of events that are sent.

        Args:
            after: Only events with a higher `sequence`; 0 for all.
            type: Only events of this type.
            subject_id: Only events of this record: the id of a deposit, withdrawal, account,
                chain or organization.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            delivery: Only events whose delivery is in this state.
            endpoint_id: The webhook endpoint whose deliveries are shown and filtered. By default
                the default one.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: RedeliveryCount = self._call(
            "postEventsRedeliver",
            body={
                "after": or_unset(after),
                "type": or_unset(type),
                "subjectId": or_unset(subject_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "delivery": or_unset(delivery),
                "endpointId": or_unset(endpoint_id),
            },
        )
        return answer

    def post_webhook_test(self) -> PostWebhookTestAnswer:
        """Sends a test event to the webhook URL.

        A `webhook.test` event, signed like every other event and sent once. `GET /events/{id}`
        shows the result.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWebhookTestAnswer = self._call("postWebhookTest")
        return answer

    def get_webhook_endpoints(self) -> GetWebhookEndpointsAnswer:
        """Lists the webhook endpoints, the default one first.

        At most 20, with the state of their deliveries.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetWebhookEndpointsAnswer = self._call("getWebhookEndpoints")
        return answer

    def post_webhook_endpoint(
        self,
        *,
        url: str,
        event_types: Optional[
            Union[
                list[
                    Literal[
                        "deposit.detected",
                        "deposit.confirmed",
                        "deposit.reverted",
                        "deposit.held",
                        "account.created",
                        "withdrawal.created",
                        "withdrawal.approved",
                        "withdrawal.processing",
                        "withdrawal.completed",
                        "withdrawal.failed",
                        "withdrawal.cancelled",
                        "balance.updated",
                        "gas.low",
                        "chain.frozen",
                        "settings.changed",
                        "webhook.test",
                    ],
                ],
                Unset,
            ],
        ] = UNSET,
        totp_code: Optional[str] = None,
    ) -> PostWebhookEndpointAnswer:
        """Adds a webhook endpoint.

        It receives the events from now on whose type its filter names, signed with its own
        secret. The URL must use HTTPS and resolve to a public address. An organization may have
        20 endpoints. A person must send a one-time code.

        Args:
            url: A public HTTPS URL of at most 2048 characters.
            event_types: The event types that it receives, without duplicates; null for all.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWebhookEndpointAnswer = self._call(
            "postWebhookEndpoint",
            body={"url": url, "eventTypes": event_types, "totpCode": or_unset(totp_code)},
        )
        return answer

    def get_webhook_endpoint(self, *, id: str) -> GetWebhookEndpointAnswer:
        """Returns a webhook endpoint with the state of its deliveries.

        `GET /events?endpointId=` lists the events with their deliveries to it.

        Args:
            id: The id of a webhook endpoint.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetWebhookEndpointAnswer = self._call("getWebhookEndpoint", path={"id": id})
        return answer

    def patch_webhook_endpoint(
        self,
        *,
        id: str,
        url: Optional[str] = None,
        event_types: Optional[
            Union[
                list[
                    Literal[
                        "deposit.detected",
                        "deposit.confirmed",
                        "deposit.reverted",
                        "deposit.held",
                        "account.created",
                        "withdrawal.created",
                        "withdrawal.approved",
                        "withdrawal.processing",
                        "withdrawal.completed",
                        "withdrawal.failed",
                        "withdrawal.cancelled",
                        "balance.updated",
                        "gas.low",
                        "chain.frozen",
                        "settings.changed",
                        "webhook.test",
                    ],
                ],
                Unset,
            ],
        ] = UNSET,
        is_paused: Optional[bool] = None,
        totp_code: Optional[str] = None,
    ) -> PatchWebhookEndpointAnswer:
        """Changes the URL or the filter of a webhook endpoint, pauses or resumes it.

        Pending deliveries go to a new URL; a new filter applies to later events. While it is
        paused, deliveries wait; they are sent, oldest first, when it is resumed. Deliveries that
        are being sent at that moment are finished. A person must send a one-time code.

        Args:
            id: The id of a webhook endpoint.
            url: A public HTTPS URL of at most 2048 characters.
            event_types: The event types that it receives, without duplicates; null for all.
            is_paused: Whether its deliveries wait. They are sent after it is resumed.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PatchWebhookEndpointAnswer = self._call(
            "patchWebhookEndpoint",
            path={"id": id},
            body={
                "url": or_unset(url),
                "eventTypes": event_types,
                "isPaused": or_unset(is_paused),
                "totpCode": or_unset(totp_code),
            },
        )
        return answer

    def delete_webhook_endpoint(
        self,
        *,
        id: str,
        totp_code: Optional[str] = None,
    ) -> dict[str, Any]:
        """Deletes a webhook endpoint.

        Its pending deliveries fail. The default endpoint cannot be deleted; pause it instead. A
        person must send a one-time code.

        Args:
            id: The id of a webhook endpoint.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: dict[str, Any] = self._call(
            "deleteWebhookEndpoint",
            path={"id": id},
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def post_webhook_endpoint_secret(
        self,
        *,
        id: str,
        totp_code: Optional[str] = None,
    ) -> PostWebhookEndpointSecretAnswer:
        """Replaces the secret of a webhook endpoint.

        `x-webhook-signature` uses the new secret at once; `webhook-signature` carries signatures
        of both secrets for 24 hours. A person must send a one-time code.

        Args:
            id: The id of a webhook endpoint.
            totp_code: A one-time code, required of a person (bearer token) here or in the header
                `x-totp-code`; an API key needs none.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWebhookEndpointSecretAnswer = self._call(
            "postWebhookEndpointSecret",
            path={"id": id},
            body={"totpCode": or_unset(totp_code)},
        )
        return answer

    def post_webhook_endpoint_test(self, *, id: str) -> PostWebhookEndpointTestAnswer:
        """Sends a test event to a webhook endpoint and returns the result.

        A `webhook.test` event, signed like every other event and sent once, to this endpoint
        only, also if it is paused or filters the type. The answer takes as long as the attempt,
        at most 20 seconds.

        Args:
            id: The id of a webhook endpoint.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            404: NOT_FOUND
            422: INVALID_WEBHOOK_URL
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostWebhookEndpointTestAnswer = self._call(
            "postWebhookEndpointTest",
            path={"id": id},
        )
        return answer

    def get_sweeps(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Sent", "Done", "Failed"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetSweepsAnswer:
        """Lists sweeps, newest first.

        Transfers from deposit addresses to the settlement address. Without `limit` and `cursor`
        the list is complete and streamed, newest first. With either, it is one page;
        `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only sweeps in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetSweepsAnswer = self._call(
            "getSweeps",
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_sweeps(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Sent", "Done", "Failed"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[Sweep]:
        """Every record of `get_sweeps`.

        Reads page after page and keeps one page in memory.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only sweeps in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getSweeps",
            "sweeps",
            500,
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_sweeps_csv(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Sent", "Done", "Failed"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists sweeps, newest first; a file of the type text/csv.

        Transfers from deposit addresses to the settlement address. Without `limit` and `cursor`
        the list is complete and streamed, newest first. With either, it is one page;
        `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only sweeps in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getSweeps",
            "text/csv",
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_sweeps_ndjson(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Sent", "Done", "Failed"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists sweeps, newest first; a file of the type application/x-ndjson.

        Transfers from deposit addresses to the settlement address. Without `limit` and `cursor`
        the list is complete and streamed, newest first. With either, it is one page;
        `nextCursor` leads to the next. With the header `Accept: text/csv` or `Accept:
        application/x-ndjson` the whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            status: Only sweeps in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getSweeps",
            "application/x-ndjson",
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_unattributed(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Proposed", "Assigned"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetUnattributedAnswer:
        """Lists payments without a known tag, newest first.

        Payments to a shared base account (XRPL) whose destination tag is missing or unknown. Two
        people assign them to an end user. Without `limit` and `cursor` the list is complete and
        streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With
        the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is
        streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only payments in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetUnattributedAnswer = self._call(
            "getUnattributed",
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_unattributed(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Proposed", "Assigned"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[UnattributedPayment]:
        """Every record of `get_unattributed`.

        Reads page after page and keeps one page in memory.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only payments in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getUnattributed",
            "unattributed",
            500,
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_unattributed_csv(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Proposed", "Assigned"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists payments without a known tag, newest first; a file of the type text/csv.

        Payments to a shared base account (XRPL) whose destination tag is missing or unknown. Two
        people assign them to an end user. Without `limit` and `cursor` the list is complete and
        streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With
        the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is
        streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only payments in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getUnattributed",
            "text/csv",
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_unattributed_ndjson(
        self,
        *,
        chain_id: Optional[str] = None,
        status: Optional[Literal["Waiting", "Proposed", "Assigned"]] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists payments without a known tag, newest first; a file of the type
        application/x-ndjson.

        Payments to a shared base account (XRPL) whose destination tag is missing or unknown. Two
        people assign them to an end user. Without `limit` and `cursor` the list is complete and
        streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With
        the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is
        streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            status: Only payments in this status.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getUnattributed",
            "application/x-ndjson",
            query={
                "chainId": or_unset(chain_id),
                "status": or_unset(status),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def post_unattributed_assign(
        self,
        *,
        id: str,
        external_user_id: str,
        reason: str,
        totp_code: str,
    ) -> PostUnattributedAssignAnswer:
        """Assigns a payment without a known tag to an end user; two people must agree.

        The first approver or admin proposes an end user. A second one who names the same user
        confirms, and the payment becomes a deposit. Another name starts a new proposal.

        Args:
            id: The id of a payment without a known tag.
            external_user_id: Your own id of an end user: 1 to 255 characters, no control
                characters, not only white space. It is stored unchanged.
            reason: The reason, for the audit log: 1 to 500 characters.
            totp_code: A one-time code: six digits of an authenticator app. Each code works once.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN, INVALID_TOTP
            403: FORBIDDEN
            404: NOT_FOUND
            422: INVALID_USER_ID
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostUnattributedAssignAnswer = self._call(
            "postUnattributedAssign",
            path={"id": id},
            body={"externalUserId": external_user_id, "reason": reason, "totpCode": totp_code},
        )
        return answer

    def get_ledger_entries(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        account: Optional[
            Literal[
                "claim:unconfirmed",
                "claim:available",
                "claim:reserved",
                "claim:below_minimum",
                "claim:held",
                "claim:unattributed",
                "claim:gas",
                "place:deposits",
                "place:settlement",
                "place:gas",
            ],
        ] = None,
        reference_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetLedgerEntriesAnswer:
        """Lists postings of the ledger, newest first.

        The postings of all accounts of the organization. Without `limit` and `cursor` the list
        is complete and streamed, newest first. With either, it is one page; `nextCursor` leads
        to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the
        whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            account: Only postings that debit or credit this claim, or a place of this kind.
            reference_id: Only postings of this record: the id of a deposit, withdrawal or sweep.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetLedgerEntriesAnswer = self._call(
            "getLedgerEntries",
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "account": or_unset(account),
                "referenceId": or_unset(reference_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_ledger_entries(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        account: Optional[
            Literal[
                "claim:unconfirmed",
                "claim:available",
                "claim:reserved",
                "claim:below_minimum",
                "claim:held",
                "claim:unattributed",
                "claim:gas",
                "place:deposits",
                "place:settlement",
                "place:gas",
            ],
        ] = None,
        reference_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[LedgerEntry]:
        """Every record of `get_ledger_entries`.

        Reads page after page and keeps one page in memory.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            account: Only postings that debit or credit this claim, or a place of this kind.
            reference_id: Only postings of this record: the id of a deposit, withdrawal or sweep.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getLedgerEntries",
            "ledgerEntries",
            500,
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "account": or_unset(account),
                "referenceId": or_unset(reference_id),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_ledger_entries_csv(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        account: Optional[
            Literal[
                "claim:unconfirmed",
                "claim:available",
                "claim:reserved",
                "claim:below_minimum",
                "claim:held",
                "claim:unattributed",
                "claim:gas",
                "place:deposits",
                "place:settlement",
                "place:gas",
            ],
        ] = None,
        reference_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists postings of the ledger, newest first; a file of the type text/csv.

        The postings of all accounts of the organization. Without `limit` and `cursor` the list
        is complete and streamed, newest first. With either, it is one page; `nextCursor` leads
        to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the
        whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            account: Only postings that debit or credit this claim, or a place of this kind.
            reference_id: Only postings of this record: the id of a deposit, withdrawal or sweep.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getLedgerEntries",
            "text/csv",
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "account": or_unset(account),
                "referenceId": or_unset(reference_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_ledger_entries_ndjson(
        self,
        *,
        chain_id: Optional[str] = None,
        token_id: Optional[str] = None,
        account: Optional[
            Literal[
                "claim:unconfirmed",
                "claim:available",
                "claim:reserved",
                "claim:below_minimum",
                "claim:held",
                "claim:unattributed",
                "claim:gas",
                "place:deposits",
                "place:settlement",
                "place:gas",
            ],
        ] = None,
        reference_id: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists postings of the ledger, newest first; a file of the type application/x-ndjson.

        The postings of all accounts of the organization. Without `limit` and `cursor` the list
        is complete and streamed, newest first. With either, it is one page; `nextCursor` leads
        to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson` the
        whole list is streamed in that format.

        Args:
            chain_id: A chain id (CAIP-2); `GET /chains?enabledOnly=false` lists them.
            token_id: Only this token: its token id (CAIP-19).
            account: Only postings that debit or credit this claim, or a place of this kind.
            reference_id: Only postings of this record: the id of a deposit, withdrawal or sweep.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getLedgerEntries",
            "application/x-ndjson",
            query={
                "chainId": or_unset(chain_id),
                "tokenId": or_unset(token_id),
                "account": or_unset(account),
                "referenceId": or_unset(reference_id),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_alerts(
        self,
        *,
        open: Optional[bool] = None,
        code: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetAlertsAnswer:
        """Lists alerts of the organization, newest first.

        Alerts about deposits, withdrawals, wallets and settings of the organization. Alerts
        about chains and the installation are for the operator. Without `limit` and `cursor` the
        list is complete and streamed, newest first. With either, it is one page; `nextCursor`
        leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson`
        the whole list is streamed in that format.

        Args:
            open: Only open alerts, or only resolved ones; both by default.
            code: Only alerts with this code.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetAlertsAnswer = self._call(
            "getAlerts",
            query={
                "open": or_unset(open),
                "code": or_unset(code),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_alerts(
        self,
        *,
        open: Optional[bool] = None,
        code: Optional[str] = None,
    ) -> Iterator[Alert]:
        """Every record of `get_alerts`.

        Reads page after page and keeps one page in memory.

        Args:
            open: Only open alerts, or only resolved ones; both by default.
            code: Only alerts with this code.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getAlerts",
            "alerts",
            500,
            query={"open": or_unset(open), "code": or_unset(code)},
        )

    def get_alerts_csv(
        self,
        *,
        open: Optional[bool] = None,
        code: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists alerts of the organization, newest first; a file of the type text/csv.

        Alerts about deposits, withdrawals, wallets and settings of the organization. Alerts
        about chains and the installation are for the operator. Without `limit` and `cursor` the
        list is complete and streamed, newest first. With either, it is one page; `nextCursor`
        leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson`
        the whole list is streamed in that format.

        Args:
            open: Only open alerts, or only resolved ones; both by default.
            code: Only alerts with this code.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getAlerts",
            "text/csv",
            query={
                "open": or_unset(open),
                "code": or_unset(code),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_alerts_ndjson(
        self,
        *,
        open: Optional[bool] = None,
        code: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists alerts of the organization, newest first; a file of the type application/x-ndjson.

        Alerts about deposits, withdrawals, wallets and settings of the organization. Alerts
        about chains and the installation are for the operator. Without `limit` and `cursor` the
        list is complete and streamed, newest first. With either, it is one page; `nextCursor`
        leads to the next. With the header `Accept: text/csv` or `Accept: application/x-ndjson`
        the whole list is streamed in that format.

        Args:
            open: Only open alerts, or only resolved ones; both by default.
            code: Only alerts with this code.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getAlerts",
            "application/x-ndjson",
            query={
                "open": or_unset(open),
                "code": or_unset(code),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_alert(self, *, id: str) -> GetAlertAnswer:
        """Returns an alert of the organization.

        Open or resolved.

        Args:
            id: The id of an alert.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetAlertAnswer = self._call("getAlert", path={"id": id})
        return answer

    def post_alert_acknowledge(self, *, id: str) -> PostAlertAcknowledgeAnswer:
        """Records that the caller has seen an alert.

        The alert stays open until its cause ends. A second acknowledgement changes nothing.

        Args:
            id: The id of an alert.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            403: FORBIDDEN
            404: NOT_FOUND
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: PostAlertAcknowledgeAnswer = self._call("postAlertAcknowledge", path={"id": id})
        return answer

    def get_audit_log(
        self,
        *,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        object: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> GetAuditLogAnswer:
        """Lists who changed what, newest first.

        Entries of the organization. Without `limit` and `cursor` the list is complete and
        streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With
        the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is
        streamed in that format.

        Args:
            actor: Only entries of this `actor`, such as `user:<id>`.
            action: Only entries of this `action`.
            object: Only entries about this `object`.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetAuditLogAnswer = self._call(
            "getAuditLog",
            query={
                "actor": or_unset(actor),
                "action": or_unset(action),
                "object": or_unset(object),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )
        return answer

    def iter_audit_log(
        self,
        *,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        object: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
    ) -> Iterator[AuditEntry]:
        """Every record of `get_audit_log`.

        Reads page after page and keeps one page in memory.

        Args:
            actor: Only entries of this `actor`, such as `user:<id>`.
            action: Only entries of this `action`.
            object: Only entries about this `object`.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._each(
            "getAuditLog",
            "entries",
            500,
            query={
                "actor": or_unset(actor),
                "action": or_unset(action),
                "object": or_unset(object),
                "from": or_unset(from_),
                "to": or_unset(to),
            },
        )

    def get_audit_log_csv(
        self,
        *,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        object: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists who changed what, newest first; a file of the type text/csv.

        Entries of the organization. Without `limit` and `cursor` the list is complete and
        streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With
        the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is
        streamed in that format.

        Args:
            actor: Only entries of this `actor`, such as `user:<id>`.
            action: Only entries of this `action`.
            object: Only entries about this `object`.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getAuditLog",
            "text/csv",
            query={
                "actor": or_unset(actor),
                "action": or_unset(action),
                "object": or_unset(object),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_audit_log_ndjson(
        self,
        *,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        object: Optional[str] = None,
        from_: Optional[Union[str, datetime]] = None,
        to: Optional[Union[str, datetime]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Download:
        """Lists who changed what, newest first; a file of the type application/x-ndjson.

        Entries of the organization. Without `limit` and `cursor` the list is complete and
        streamed, newest first. With either, it is one page; `nextCursor` leads to the next. With
        the header `Accept: text/csv` or `Accept: application/x-ndjson` the whole list is
        streamed in that format.

        Args:
            actor: Only entries of this `actor`, such as `user:<id>`.
            action: Only entries of this `action`.
            object: Only entries about this `object`.
            from_: Only records created at this time or later. ISO 8601; a date alone means
                midnight UTC.
            to: Only records created at this time or earlier. ISO 8601; a date alone means
                midnight UTC.
            limit: Records per page. Without `limit` and `cursor` the list is complete; with
                `cursor` alone the limit is 100.
            cursor: The `nextCursor` of the previous page. Opaque: do not build your own.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        return self._download(
            "getAuditLog",
            "application/x-ndjson",
            query={
                "actor": or_unset(actor),
                "action": or_unset(action),
                "object": or_unset(object),
                "from": or_unset(from_),
                "to": or_unset(to),
                "limit": or_unset(limit),
                "cursor": or_unset(cursor),
            },
        )

    def get_audit_log_verification(self) -> GetAuditLogVerificationAnswer:
        """Compares the audit log with its seals.

        Each entry is sealed with a hash that covers all entries before it. The newest entries of
        the organization are compared now; the service compares the whole log all the time.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            401: UNAUTHORIZED, INVALID_API_KEY, INVALID_TOKEN
            429: RATE_LIMIT_EXCEEDED
            500: INTERNAL_ERROR
            503: SERVICE_UNAVAILABLE
        """
        answer: GetAuditLogVerificationAnswer = self._call("getAuditLogVerification")
        return answer

    def get_health(self) -> Health:
        """Reports that the process is alive.

        Also available with HEAD.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            500: INTERNAL_ERROR
        """
        answer: Health = self._call("getHealth")
        return answer

    def get_readiness(self) -> Readiness:
        """Reports whether the service can do its work.

        503 without the database, its schema or the keys. The status is `degraded`, with 200, if
        a chain lags. Also available with HEAD.

        Raises SluiceError with a code:
            400: BAD_REQUEST
            500: INTERNAL_ERROR
        """
        answer: Readiness = self._call("getReadiness")
        return answer
