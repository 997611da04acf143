export * from './amounts.ts'
export type * from './accounts.ts'
export type * from './api-keys.ts'
export type * from './auth.ts'
export type * from './balances.ts'
export type * from './catalogue.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { ExportFormat, ExportOptions, ExportStream } from './download.ts'
export * from './errors.ts'
export type { Events, RecordedEvent, RedeliveryFilter } from './event-log.ts'
export type * from './events.ts'
export type {
  Account,
  Alert,
  AuditEntry,
  AuditVerification,
  AccountEvent,
  ApiKey,
  BalanceEvent,
  CancelledWithdrawal,
  Chain,
  ChainFrozenEvent,
  ChainStatus,
  DeliveryAttempt,
  Deposit,
  DepositEvent,
  EndpointDelivery,
  EndpointTest,
  ErrorCode,
  EstimateWarning,
  EventCount,
  EventDelivery,
  EventPayloads,
  GasLowEvent,
  GasWallet,
  LedgerEntry,
  Organization,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  PaymentTrace,
  PortfolioEntry,
  Profile,
  RedeliveryCount,
  RefusedApproval,
  SettingsChangedEvent,
  SingleWithdrawal,
  Sweep,
  Token,
  TokenSummary,
  TraceStep,
  TracedPayment,
  WebhookEndpoint,
  UnattributedPayment,
  WebhookTestEvent,
  Withdrawal,
  WithdrawalApproval,
  WithdrawalCancellation,
  WithdrawalEstimate,
  WithdrawalReview,
  WithdrawalEvent,
} from './generated.ts'
export type * from './health.ts'
export type { CallOptions, Time } from './operation.ts'
export type * from './money-lists.ts'
export type * from './organisation.ts'
export type * from './oversight.ts'
export type { Page, PageOptions } from './pages.ts'
export type * from './payments.ts'
export type { Credential, Fetch, RequestReport } from './transport.ts'
export * from './webhook.ts'
export * from './withdrawal-hash.ts'
export type * from './users.ts'
export type * from './webhook-endpoints.ts'
export type * from './withdrawals.ts'
