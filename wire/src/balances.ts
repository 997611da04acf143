import { type Static, Type } from 'typebox'
import { TokenSummary } from './catalogue.ts'
import type { EventDefinition, Operation } from './define.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_DEPOSIT } from './deposits.ts'
import { AT, ETHER, ORG_ID, SEPOLIA } from './examples.ts'
import { baseUnits, count, text, timestamp } from './fields.ts'
import { ChainFilter, TokenFilter } from './parameters.ts'

const CHAIN = text('The chain: a CAIP-2 id.')
const TOKEN = text('The token: a CAIP-19 id.')

/** Section 2.8. */
export const GasWallet = Type.Object({
  chainId: CHAIN,
  address: text('The address to send native currency for fees to.'),
  balance: baseUnits('Its balance of the native currency.'),
  live: Type.Boolean({
    description: 'False if no node of the chain answers: the balance is that of our last block.',
  }),
  spendable: baseUnits('The part available for gas: without the fees of pending transactions.'),
  Chain: Type.Object({
    name: text('Display name of the chain.'),
    properties: Type.Object({
      nativeCurrency: text('Symbol of the native currency.'),
      decimals: count('Decimal places of the native currency.'),
    }),
  }),
})
export type GasWallet = Static<typeof GasWallet>

export const PORTFOLIO_TYPES = ['settlement', 'gas', 'deposits'] as const
export type PortfolioType = (typeof PORTFOLIO_TYPES)[number]

/**
 * The balance of an account in a token (decisions, sections 8 and 13). The claims (`available` to
 * `gas`) belong to the organization's token on the chain as a whole and are reported with the
 * settlement account, as is `unswept`. The claims of a token add up to the `balance` of its
 * accounts.
 */
export const PortfolioEntry = Type.Object({
  id: text('Unique id.'),
  orgId: text('The owning organization.'),
  chainId: CHAIN,
  tokenId: TOKEN,
  accountId: text('The address; empty for the deposit addresses of a chain, which are summed.'),
  accountType: Type.Enum([...PORTFOLIO_TYPES], { description: 'The purpose of the account.' }),
  balance: baseUnits('The balance of the account.'),
  available: baseUnits('Available for withdrawals.'),
  reserved: baseUnits('Reserved for open withdrawals.'),
  heldForFees: baseUnits(
    'Held for the network fees of open withdrawals, on Bitcoin and XRPL, which pay fees from the ' +
      'balance. The unspent part returns to `available`. 0 elsewhere.',
  ),
  unconfirmed: baseUnits('Detected, not credited yet.'),
  belowMinimum: baseUnits('Deposits below the minimum, not credited yet.'),
  held: baseUnits('Deposits that are held for an operator.'),
  unattributed: baseUnits('Payments that name no user, until an operator assigns them (XRPL).'),
  gas: baseUnits(
    'Native currency kept for fees (EVM, TRON) or for the reserve of the base account (XRPL).',
  ),
  unswept: baseUnits('Held by deposit addresses, not swept yet.'),
  asOf: Type.Union(
    [
      Type.Object({
        height: count('Height of the block.'),
        hash: text('Hash of the block.'),
        time: timestamp('Time of the block.'),
      }),
      Type.Null(),
    ],
    {
      description:
        'The last processed block of the chain: everything up to it is included. Null before the ' +
        'first contact with a node.',
    },
  ),
  Token: TokenSummary,
  lastUpdated: timestamp('When a balance last changed.'),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
})
export type PortfolioEntry = Static<typeof PortfolioEntry>

const SETTLEMENT_ADDRESS = '0xde709f2102306220921060314715629080e2fb77'
const GAS_WALLET: GasWallet = {
  chainId: SEPOLIA,
  address: SETTLEMENT_ADDRESS,
  balance: '500000000000000000',
  live: true,
  spendable: '480000000000000000',
  Chain: { name: 'Ethereum Sepolia', properties: { nativeCurrency: 'ETH', decimals: 18 } },
}
const PORTFOLIO_ENTRY: PortfolioEntry = {
  id: '019ab4ef-5555-7000-8000-000000000005',
  orgId: ORG_ID,
  chainId: SEPOLIA,
  tokenId: ETHER.id,
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
  asOf: { height: 5123456, hash: `0x${'ab'.repeat(32)}`, time: AT },
  Token: ETHER,
  lastUpdated: AT,
  createdAt: AT,
  updatedAt: AT,
}

export const BALANCE_OPERATIONS = {
  getGasStation: {
    method: 'GET',
    path: '/gas-station',
    tag: 'Balances',
    summary: 'Lists gas wallets with their current balances',
    description: 'On chains with gas wallets (EVM, TRON). Balances are read from the chain.',
    credential: 'either',
    permission: 'read',
    responses: { 200: Type.Object({ gasWallets: Type.Array(GasWallet) }) },
    errors: [],
    example: { answers: { 200: { gasWallets: [GAS_WALLET] } } },
  },
  getPortfolio: {
    method: 'GET',
    path: '/portfolio',
    tag: 'Balances',
    summary: 'Lists balances by token and account',
    description:
      'One entry for each token and account. `available`, `reserved`, `unconfirmed` and ' +
      '`unswept` are totals of the organization on that chain; the entry of the settlement ' +
      'account carries them.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ chainId: ChainFilter, tokenId: TokenFilter }),
    responses: { 200: Type.Object({ portfolio: Type.Array(PortfolioEntry) }) },
    errors: [],
    example: {
      query: { chainId: SEPOLIA },
      answers: { 200: { portfolio: [PORTFOLIO_ENTRY] } },
    },
  },
} as const satisfies Record<string, Operation>

export const BALANCE_REASONS = [
  'deposit',
  'withdrawal',
  'sweep',
  'gas',
  'funding',
  'reversal',
] as const
export type BalanceReason = (typeof BALANCE_REASONS)[number]

export const BalanceEvent = Type.Object({
  chainId: CHAIN,
  tokenId: TOKEN,
  accountId: text('The address whose balance changed; `balance` may cover more addresses.'),
  balance: text(
    'The new balance, in base units. For the reasons `deposit`, `withdrawal` and `reversal`: ' +
      'what is available of this token on this chain, over all addresses. For `sweep` and `gas`: ' +
      'the balance of the account itself. For `funding`, and its reversal: what is available of ' +
      'the token, or, for a gas wallet, available for gas.',
  ),
  previousBalance: text('The balance before, in base units.'),
  delta: text('The difference in base units; negative if the balance fell.'),
  reason: Type.Enum([...BALANCE_REASONS], { description: 'The cause of the change.' }),
  referenceId: text('The deposit, withdrawal or transaction that changed it.'),
  Token: TokenSummary,
  updatedAt: timestamp('When it happened.'),
})
export type BalanceEvent = Static<typeof BalanceEvent>

/** Decisions, section 10. */
export const GasLowEvent = Type.Object({
  chainId: CHAIN,
  address: text('The gas wallet: send native currency to it.'),
  balance: text('Available for gas, in base units of the native currency.'),
  sweepsLeft: Type.Integer({
    minimum: 0,
    description: 'How many token sweeps the balance pays for, at the highest fee.',
  }),
  Token: TokenSummary,
  at: timestamp('When it happened.'),
})
export type GasLowEvent = Static<typeof GasLowEvent>

export const BALANCE_EVENTS = {
  'balance.updated': {
    description:
      'The available balance of a token, or the balance of an address of the organization, ' +
      'changed; `reason` and `referenceId` name the cause.',
    payload: BalanceEvent,
    example: {
      chainId: SEPOLIA,
      tokenId: ETHER.id,
      accountId: EXAMPLE_ACCOUNT.properties.address,
      balance: '890000000000000000',
      previousBalance: '870000000000000000',
      delta: EXAMPLE_DEPOSIT.amount,
      reason: 'deposit',
      referenceId: EXAMPLE_DEPOSIT.id,
      Token: ETHER,
      updatedAt: AT,
    },
  },
  'gas.low': {
    description: 'A gas wallet can pay for few more sweeps: send native currency to its address.',
    payload: GasLowEvent,
    example: {
      chainId: SEPOLIA,
      address: SETTLEMENT_ADDRESS,
      balance: '1200000000000000',
      sweepsLeft: 4,
      Token: ETHER,
      at: AT,
    },
  },
} as const satisfies Record<string, EventDefinition>
