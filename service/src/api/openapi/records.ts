/** One record of every kind, as the examples of the document and of the events show them. */
import type {
  Account,
  Deposit,
  GasWallet,
  Organization,
  PaymentTrace,
  PortfolioEntry,
  Token,
  TokenSummary,
  Withdrawal,
} from '@sluice/wire'

export const SEPOLIA = 'eip155:11155111'
export const ETHER = 'eip155:11155111/slip44:60'
export const AT = '2026-01-31T09:30:00.000Z'
export const WITHDRAWAL_ID = '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e'
export const RECIPIENT_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
export const USER_ID = '019ab4ee-2222-7000-8000-000000000002'

const ORG_ID = '019ab4ee-1111-7000-8000-000000000001'
const DEPOSIT_ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const SETTLEMENT_ADDRESS = '0xde709f2102306220921060314715629080e2fb77'
const WEBHOOK_SECRET = 'whsec_bG9uZyBlbm91Z2ggdG8gYmUgYSBzZWNyZXQgb2YgMzI='

export const ETHER_SUMMARY: TokenSummary = {
  id: ETHER,
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  address: '',
}

export const ORG: Organization = {
  id: ORG_ID,
  name: 'Example Exchange',
  webhookUrl: 'https://example.com/hooks/sluice',
  webhookSigningSecret: WEBHOOK_SECRET,
  minWithdrawalSigners: 1,
  minHumanApprovals: 0,
  createdAt: AT,
  updatedAt: AT,
}

export const ACCOUNT: Account = {
  orgId: ORG_ID,
  chainId: SEPOLIA,
  externalUserId: 'customer-42',
  orgDepositAccountId: '019ab4ef-3333-7000-8000-000000000003',
  properties: { address: DEPOSIT_ADDRESS },
  createdAt: AT,
  updatedAt: AT,
}

export const DEPOSIT: Deposit = {
  id: '019ab4ef-4444-7000-8000-000000000004',
  index: 0,
  chainId: SEPOLIA,
  txnHash: '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd',
  tokenId: ETHER,
  amount: '20000000000000000',
  accountChainId: SEPOLIA,
  externalUserId: 'customer-42',
  senderAddress: RECIPIENT_ADDRESS,
  status: 'Confirmed',
  confirmations: 12,
  requiredConfirmations: 12,
  blockNumber: 7_512_034,
  blockHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  confirmedAt: AT,
  Token: ETHER_SUMMARY,
  createdAt: AT,
  updatedAt: AT,
}

export const CHAIN = {
  id: SEPOLIA,
  name: 'Ethereum Sepolia',
  namespace: 'eip155',
  reference: '11155111',
  enabled: true,
  isTestnet: true,
  properties: {
    nativeCurrency: 'ETH',
    decimals: 18,
    blockTimeSeconds: 12,
    requiredConfirmations: 12,
    carriesMemo: false,
  },
}

export const TOKEN: Token = {
  id: ETHER,
  chainId: SEPOLIA,
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  address: '',
  enabled: true,
  minimumAmount: '1',
  properties: { maximumWithdrawalAmount: null },
}

export const WITHDRAWAL: Withdrawal & { externalUserId: string } = {
  id: WITHDRAWAL_ID,
  orgId: ORG_ID,
  chainId: SEPOLIA,
  tokenId: ETHER,
  amount: '10000000000000000',
  recipient: RECIPIENT_ADDRESS,
  memo: null,
  reference: 'payout-2026-0042',
  internalNote: 'Requested by phone.',
  status: 'Pending',
  txnHash: null,
  txnError: null,
  failureCode: null,
  initiator: USER_ID,
  approvers: [USER_ID],
  requiredApprovals: 1,
  requiredHumans: 0,
  waitingFor: null,
  waitingSince: null,
  externalUserId: 'customer-42',
  fee: null,
  createdAt: AT,
  updatedAt: AT,
}

/** One that needs another approval. */
export const WAITING: Withdrawal = {
  ...WITHDRAWAL,
  status: 'PendingApproval',
  requiredApprovals: 2,
  requiredHumans: 1,
}

export const GAS_WALLET: GasWallet = {
  chainId: SEPOLIA,
  address: SETTLEMENT_ADDRESS,
  balance: '500000000000000000',
  live: true,
  spendable: '480000000000000000',
  Chain: { name: 'Ethereum Sepolia', properties: { nativeCurrency: 'ETH', decimals: 18 } },
}

export const PORTFOLIO_ENTRY: PortfolioEntry = {
  id: '019ab4ef-5555-7000-8000-000000000005',
  orgId: ORG_ID,
  chainId: SEPOLIA,
  tokenId: ETHER,
  accountId: SETTLEMENT_ADDRESS,
  accountType: 'settlement',
  balance: '900000000000000000',
  available: '890000000000000000',
  reserved: '10000000000000000',
  heldForFees: '0',
  unconfirmed: '0',
  belowMinimum: '0',
  held: '0',
  unattributed: '0',
  gas: '0',
  unswept: '0',
  Token: ETHER_SUMMARY,
  lastUpdated: AT,
  createdAt: AT,
  updatedAt: AT,
}

export const TRACE: PaymentTrace = {
  chainId: SEPOLIA,
  txnHash: DEPOSIT.txnHash,
  outcome: 'WAITING_FOR_CONFIRMATIONS',
  steps: [
    {
      code: 'TRANSACTION_FOUND',
      message: 'It stands in block 9500000.',
      details: { blockNumber: 9_500_000, blockHash: DEPOSIT.blockHash },
    },
    {
      code: 'BLOCK_READ',
      message: 'Its block was read; the last one read is 9500001.',
      details: { blockNumber: 9_500_000, tip: 9_500_001 },
    },
  ],
  payments: [
    {
      recipient: DEPOSIT_ADDRESS,
      senderAddress: DEPOSIT.senderAddress,
      tokenId: ETHER,
      amount: DEPOSIT.amount,
      externalUserId: 'customer-42',
      depositId: DEPOSIT.id,
      outcome: 'WAITING_FOR_CONFIRMATIONS',
      steps: [
        {
          code: 'RECIPIENT_IS_USER',
          message: 'It pays the address of your user customer-42.',
          details: { externalUserId: 'customer-42' },
        },
        {
          code: 'DETECTED',
          message: 'It was seen in block 9500000.',
          details: { blockNumber: 9_500_000, at: AT },
        },
        {
          code: 'WAITING_FOR_CONFIRMATIONS',
          message: 'It has 1 of 3 confirmations: 2 more blocks, about 24 s.',
          details: { rule: 'depth', confirmations: 1, required: 3, remaining: 2, seconds: 24 },
        },
      ],
    },
  ],
}
