/** One event of every type, as receivers get them; the compiler holds them to their shapes. */
import type {
  DeliveryAttempt,
  DepositEvent,
  EventDelivery,
  EventPayloads,
  EventType,
  StoredEvent,
  WithdrawalEvent,
} from '@sluice/wire'
import {
  ACCOUNT,
  AT,
  DEPOSIT,
  ETHER,
  ETHER_SUMMARY,
  ORG,
  PORTFOLIO_ENTRY,
  SEPOLIA,
  USER_ID,
  WITHDRAWAL,
} from './records.ts'

const CONFIRMED: DepositEvent = {
  id: DEPOSIT.id,
  index: DEPOSIT.index,
  status: DEPOSIT.status,
  chainId: DEPOSIT.chainId,
  txnHash: DEPOSIT.txnHash,
  tokenId: DEPOSIT.tokenId,
  amount: DEPOSIT.amount,
  externalUserId: DEPOSIT.externalUserId,
  accountChainId: DEPOSIT.accountChainId,
  senderAddress: DEPOSIT.senderAddress,
  blockNumber: DEPOSIT.blockNumber,
  confirmations: DEPOSIT.confirmations,
  Token: DEPOSIT.Token,
}
const DETECTED: DepositEvent = { ...CONFIRMED, status: 'Detected', confirmations: 0 }

const PAID: WithdrawalEvent = {
  id: WITHDRAWAL.id,
  chainId: WITHDRAWAL.chainId,
  tokenId: WITHDRAWAL.tokenId,
  amount: WITHDRAWAL.amount,
  toAddress: WITHDRAWAL.recipient,
  memo: WITHDRAWAL.memo,
  reference: WITHDRAWAL.reference,
  status: 'Completed',
  txnHash: '0x9b1f4d8f2f8a4f6f3d6f1e0c7a5b3d2c1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b',
  txnError: null,
  externalUserId: WITHDRAWAL.externalUserId,
  initiator: WITHDRAWAL.initiator,
  approvedBy: [USER_ID],
  requiredApprovals: 1,
  createdAt: AT,
  updatedAt: AT,
  completedAt: AT,
  Token: ETHER_SUMMARY,
}
const ASKED: WithdrawalEvent = { ...PAID, status: 'Pending', txnHash: null, completedAt: null }

const { updatedAt: _updatedAt, ...CREATED } = ACCOUNT

/** What each type tells, by example. */
export const PAYLOADS: EventPayloads = {
  'deposit.detected': DETECTED,
  'deposit.confirmed': { ...CONFIRMED, confirmedAt: AT },
  'deposit.reverted': {
    ...CONFIRMED,
    status: 'Orphaned',
    confirmations: 0,
    previousStatus: 'Confirmed',
  },
  'deposit.held': { ...DETECTED, status: 'Held', reason: 'An operator asked for it.' },
  'withdrawal.created': ASKED,
  'withdrawal.approved': ASKED,
  'withdrawal.processing': { ...PAID, status: 'Processing', completedAt: null },
  'withdrawal.completed': PAID,
  'withdrawal.failed': {
    ...PAID,
    status: 'Failed',
    txnError: 'The recipient refuses the payment.',
    completedAt: null,
  },
  'withdrawal.cancelled': {
    ...ASKED,
    status: 'Cancelled',
    txnError: `CANCELLED BY ${USER_ID}`,
  },
  'account.created': CREATED,
  'balance.updated': {
    chainId: SEPOLIA,
    tokenId: ETHER,
    accountId: ACCOUNT.properties.address,
    balance: '890000000000000000',
    previousBalance: '870000000000000000',
    delta: DEPOSIT.amount,
    reason: 'deposit',
    referenceId: DEPOSIT.id,
    Token: ETHER_SUMMARY,
    updatedAt: AT,
  },
  'gas.low': {
    chainId: SEPOLIA,
    address: PORTFOLIO_ENTRY.accountId,
    balance: '1200000000000000',
    sweepsLeft: 4,
    Token: ETHER_SUMMARY,
    at: AT,
  },
  'chain.frozen': {
    chainId: SEPOLIA,
    state: 'frozen',
    reason: 'A block with a credited deposit left the chain.',
    at: AT,
  },
  'settings.changed': {
    setting: 'webhookUrl',
    previous: 'https://example.com',
    current: 'https://hooks.example.com',
    changedBy: USER_ID,
    credential: 'bearer',
    at: AT,
  },
  'webhook.test': {
    test: true,
    message: 'This is a test.',
    requestedBy: USER_ID,
    at: AT,
  },
}

/** An event as it is posted to a receiver (section 6.1). */
export function exampleOf(type: EventType) {
  return { ...ENVELOPE, type, payload: PAYLOADS[type] }
}

const ENVELOPE = {
  id: '019ab4ef-6666-7000-8000-000000000006',
  timestamp: AT,
  orgId: ORG.id,
  sequence: 1201,
}

const FAILED: EventDelivery = {
  state: 'failed',
  attemptCount: 6,
  lastStatus: 500,
  lastError: '',
  nextAttemptAt: null,
  finishedAt: AT,
}
export const PENDING: EventDelivery = {
  ...FAILED,
  state: 'pending',
  nextAttemptAt: AT,
  finishedAt: null,
}

export const EVENT: StoredEvent = {
  ...ENVELOPE,
  type: 'deposit.confirmed',
  subjectId: DEPOSIT.id,
  payload: { ...PAYLOADS['deposit.confirmed'] },
  delivery: FAILED,
}

export const TEST_EVENT: StoredEvent = {
  ...EVENT,
  type: 'webhook.test',
  subjectId: ORG.id,
  payload: { ...PAYLOADS['webhook.test'] },
  delivery: { ...PENDING, attemptCount: 0, lastStatus: null },
}

export const ATTEMPT: DeliveryAttempt = {
  number: 6,
  startedAt: AT,
  finishedAt: AT,
  durationMs: 87,
  request: {
    method: 'POST',
    url: ORG.webhookUrl,
    headers: { 'content-type': 'application/json', 'webhook-id': ENVELOPE.id },
    body: JSON.stringify(exampleOf('deposit.confirmed')),
  },
  response: {
    status: 500,
    headers: { 'content-type': 'text/plain' },
    body: 'Internal Server Error',
  },
  error: '',
}
