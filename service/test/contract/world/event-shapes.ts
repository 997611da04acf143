import {
  type Shape,
  TokenSummary,
  anything,
  count,
  filled,
  list,
  object,
  one,
  orNull,
  signedUnits,
  text,
  timestamp,
  units,
} from './shapes.ts'

/** Section 6.1 and decisions, section 10. */
export const Envelope = object({
  id: filled,
  type: filled,
  timestamp,
  orgId: filled,
  sequence: count,
  payload: anything,
})

/** Section 6.3, with what decisions, section 10, adds to every event of a deposit. */
const deposit = {
  chainId: filled,
  txnHash: filled,
  tokenId: filled,
  amount: units,
  externalUserId: filled,
  accountChainId: filled,
  senderAddress: text,
  blockNumber: count,
  confirmations: count,
  Token: TokenSummary,
  id: filled,
  index: count,
  status: one('Detected', 'Confirmed', 'BelowMinimum', 'Held', 'Orphaned'),
}

/** The one shape of decisions, section 10. */
const Withdrawal = object({
  id: filled,
  chainId: filled,
  tokenId: filled,
  amount: units,
  toAddress: filled,
  memo: orNull(text),
  reference: filled,
  status: one('PendingApproval', 'Pending', 'Processing', 'Completed', 'Failed', 'Cancelled'),
  txnHash: orNull(filled),
  txnError: orNull(filled),
  externalUserId: orNull(text),
  initiator: filled,
  approvedBy: list(filled),
  requiredApprovals: count,
  createdAt: timestamp,
  updatedAt: timestamp,
  completedAt: orNull(timestamp),
  Token: TokenSummary,
})

const properties = object({ address: filled }, { destinationTag: text, xAddress: text })

/** Fields of the two additional types that the decisions omit. */
const whatElse = { sweepsLeft: count, Token: TokenSummary, reason: text, at: timestamp }

/** Payload of each type. */
export const EVENT_PAYLOADS: Readonly<Record<string, Shape>> = {
  'deposit.detected': object(deposit),
  'deposit.confirmed': object({ ...deposit, confirmedAt: timestamp }),
  'deposit.reverted': object({ ...deposit, previousStatus: filled }),
  'deposit.held': object(deposit, { reason: text }),
  'withdrawal.created': Withdrawal,
  'withdrawal.approved': Withdrawal,
  'withdrawal.processing': Withdrawal,
  'withdrawal.completed': Withdrawal,
  'withdrawal.failed': Withdrawal,
  'withdrawal.cancelled': Withdrawal,
  'account.created': object({
    orgId: filled,
    chainId: filled,
    externalUserId: filled,
    orgDepositAccountId: filled,
    properties,
    createdAt: timestamp,
  }),
  'balance.updated': object({
    chainId: filled,
    tokenId: filled,
    accountId: filled,
    balance: signedUnits,
    previousBalance: signedUnits,
    delta: signedUnits,
    reason: one('deposit', 'withdrawal', 'sweep', 'gas', 'funding', 'reversal'),
    referenceId: filled,
    Token: TokenSummary,
    updatedAt: timestamp,
  }),
  'gas.low': object({ chainId: filled, address: filled, balance: units }, whatElse),
  'chain.frozen': object({ chainId: filled }, { state: filled, ...whatElse }),
  'settings.changed': object({
    setting: filled,
    previous: text,
    current: text,
    changedBy: text,
    credential: one('apiKey', 'bearer', 'commandLine'),
    at: timestamp,
  }),
  'webhook.test': object({
    test: one(true),
    message: filled,
    requestedBy: filled,
    at: timestamp,
  }),
}
