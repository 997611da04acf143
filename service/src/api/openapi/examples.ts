import type { OperationName } from '@sluice/wire'
import { ATTEMPT, EVENT, PENDING, TEST_EVENT } from './events.ts'
import {
  ACCOUNT,
  AT,
  CHAIN,
  DEPOSIT,
  ETHER,
  GAS_WALLET,
  ORG,
  PORTFOLIO_ENTRY,
  RECIPIENT_ADDRESS,
  SEPOLIA,
  TOKEN,
  TRACE,
  WAITING,
  WITHDRAWAL,
  WITHDRAWAL_ID,
} from './records.ts'

/** A request, and what is answered to it, by status. Tests send the one and look for the other. */
export interface Example {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  answers: Readonly<Record<string, unknown>>
}

const CODE = '492039'
const BY_ID = { id: WITHDRAWAL_ID }
const OTHER_ID = '019ab4f0-1111-7000-8000-000000000001'

export const EXAMPLES = {
  postLogin: {
    body: { username: 'ann', password: 'correct horse battery staple', totpCode: CODE },
    answers: {
      200: { accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTlhIn0.c2ln', expiresIn: 3600 },
    },
  },
  getProfile: {
    answers: {
      200: {
        id: '019ab4ee-2222-7000-8000-000000000002',
        username: 'ann',
        role: 'admin',
        org: { id: ORG.id, name: ORG.name },
      },
    },
  },
  patchApiKey: {
    body: { totpCode: '123456' },
    answers: { 200: { apiKey: `slk_${'Ab3_'.repeat(10)}xyz` } },
  },
  getOrganisation: { answers: { 200: ORG } },
  patchWebhook: { body: { webhookUrl: ORG.webhookUrl }, answers: { 200: {} } },
  patchSigningSecret: {
    body: { totpCode: CODE },
    answers: { 200: { webhookSigningSecret: ORG.webhookSigningSecret } },
  },
  patchMinWithdrawalSigners: { body: { minWithdrawalSigners: 1 }, answers: { 200: {} } },
  getDepositAddress: {
    query: { chainId: SEPOLIA, tokenId: ETHER, userId: 'customer-42' },
    answers: { 200: { address: ACCOUNT }, 201: { address: ACCOUNT } },
  },
  getPayments: {
    query: { chainId: SEPOLIA, status: 'Confirmed', from: '2026-01-01', limit: 50 },
    answers: { 200: { payments: [DEPOSIT], nextCursor: null } },
  },
  getUserDeposits: {
    params: { userId: 'customer-42' },
    query: { limit: 50 },
    answers: { 200: { deposits: [DEPOSIT], nextCursor: null } },
  },
  getPaymentsTrace: {
    query: { chainId: SEPOLIA, txnHash: DEPOSIT.txnHash },
    answers: { 200: { trace: TRACE } },
  },
  getAccounts: {
    query: { userId: 'customer-42', limit: 50 },
    answers: { 200: { accounts: [ACCOUNT], nextCursor: null } },
  },
  getChains: { query: { enabledOnly: false }, answers: { 200: { chains: [CHAIN] } } },
  getChain: { params: { id: SEPOLIA }, answers: { 200: { chain: CHAIN } } },
  getTokens: {
    query: { chainId: SEPOLIA, enabledOnly: true },
    answers: { 200: { tokens: [TOKEN] } },
  },
  getWithdrawals: {
    query: { status: 'PendingApproval', limit: 50 },
    answers: { 200: { withdrawals: [WAITING], nextCursor: null } },
  },
  postWithdrawals: {
    body: {
      chainId: SEPOLIA,
      tokenId: ETHER,
      amount: WITHDRAWAL.amount,
      recipient: RECIPIENT_ADDRESS,
      reference: WITHDRAWAL.reference,
      internalNote: WITHDRAWAL.internalNote,
      externalUserId: WITHDRAWAL.externalUserId,
    },
    answers: { 201: { withdrawal: WITHDRAWAL } },
  },
  getWithdrawal: {
    params: BY_ID,
    answers: { 200: { ...WITHDRAWAL, Token: DEPOSIT.Token } },
  },
  deleteWithdrawal: {
    params: BY_ID,
    answers: {
      200: {
        withdrawal: {
          id: WITHDRAWAL_ID,
          status: 'Cancelled',
          txnError: `CANCELLED BY ${WITHDRAWAL.initiator}`,
          updatedAt: AT,
        },
      },
    },
  },
  postWithdrawalApprove: {
    params: BY_ID,
    body: { totpCode: CODE },
    answers: { 200: { withdrawal: { ...WAITING, status: 'Pending' } } },
  },
  postWithdrawalReject: {
    params: BY_ID,
    body: { totpCode: CODE, reason: 'The customer asked for another address.' },
    answers: {
      200: {
        withdrawal: {
          ...WAITING,
          status: 'Cancelled',
          txnError: `CANCELLED BY ${WITHDRAWAL.initiator}`,
        },
      },
    },
  },
  postWithdrawalsApprove: {
    body: { ids: [WITHDRAWAL_ID, OTHER_ID], totpCode: CODE },
    answers: {
      200: {
        withdrawals: [{ ...WAITING, status: 'Pending' }],
        refused: [
          {
            id: OTHER_ID,
            error: 'WITHDRAWAL_NOT_FOUND',
            message: 'No withdrawal of your organization has this id.',
          },
        ],
      },
    },
  },
  getGasStation: { answers: { 200: { gasWallets: [GAS_WALLET] } } },
  getPortfolio: {
    query: { chainId: SEPOLIA },
    answers: { 200: { portfolio: [PORTFOLIO_ENTRY] } },
  },
  getEvents: {
    query: { type: 'deposit.confirmed', delivery: 'failed', limit: 50 },
    answers: { 200: { events: [EVENT], nextCursor: null } },
  },
  getEvent: {
    params: { id: EVENT.id },
    answers: { 200: { event: { ...EVENT, attempts: [ATTEMPT] } } },
  },
  postEventRedeliver: {
    params: { id: EVENT.id },
    answers: { 200: { event: { ...EVENT, delivery: PENDING } } },
  },
  postEventsRedeliver: {
    body: { delivery: 'failed', from: '2026-01-31T00:00:00.000Z' },
    answers: { 200: { count: 7, underWay: 0 } },
  },
  postWebhookTest: { answers: { 200: { event: TEST_EVENT } } },
  getHealth: { answers: { 200: { status: 'ok' } } },
  getReadiness: {
    answers: {
      200: { status: 'ready', checks: { database: 'ok', [SEPOLIA]: 'ok' } },
      503: { status: 'unavailable', checks: { database: 'away' } },
    },
  },
} as const satisfies Record<OperationName, Example>
