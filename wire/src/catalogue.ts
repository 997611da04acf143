import { type Static, Type } from 'typebox'
import type { EventDefinition, Operation } from './define.ts'
import { AT, ETHER, SEPOLIA } from './examples.ts'
import { baseUnits, count, text, timestamp } from './fields.ts'
import { CHAIN_ID, ENABLED_ONLY, TokensChain } from './parameters.ts'

/** Section 2.5. */
export const Chain = Type.Object({
  id: text('The CAIP-2 id.'),
  name: text('Display name.'),
  namespace: text('The family: `eip155`, `bip122`, `tron` or `xrpl`.'),
  reference: text('The part of the id after the colon.'),
  enabled: Type.Boolean({ description: 'Whether the organization can use it now.' }),
  isTestnet: Type.Boolean({ description: 'Whether it is a test network.' }),
  properties: Type.Object(
    {
      nativeCurrency: text('Symbol of the native currency.'),
      decimals: count('Decimal places of the native currency.'),
      carriesMemo: Type.Boolean({
        description:
          'Whether the `memo` of a withdrawal goes on-chain: true on TRON (as the data of the ' +
          'transaction) and XRPL (as the destination tag). False on EVM chains and Bitcoin, ' +
          'which store `memo` with the withdrawal and never send it.',
      }),
    },
    { additionalProperties: true },
  ),
})
export type Chain = Static<typeof Chain>

/** Section 2.3: the part of a token that other records include. */
export const TokenSummary = Type.Object({
  id: text('The token: a CAIP-19 id.'),
  name: text('Display name.'),
  symbol: text('Ticker symbol.'),
  decimals: count('Decimal places: one whole token is 10 to this power base units.'),
  address: text('The contract; empty for a native currency.'),
})
export type TokenSummary = Static<typeof TokenSummary>

/** Section 2.6. */
export const Token = Type.Object({
  id: TokenSummary.properties.id,
  chainId: text('The chain: a CAIP-2 id.'),
  name: TokenSummary.properties.name,
  symbol: TokenSummary.properties.symbol,
  decimals: TokenSummary.properties.decimals,
  address: TokenSummary.properties.address,
  enabled: Type.Boolean({ description: 'Whether the organization can use it now.' }),
  minimumAmount: baseUnits('The smallest deposit that is credited, and the smallest withdrawal.'),
  properties: Type.Record(Type.String(), Type.Unknown(), {
    description: '`maximumWithdrawalAmount` (null: no maximum) and more.',
  }),
})
export type Token = Static<typeof Token>

const CHAIN = {
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
const TOKEN: Token = {
  ...ETHER,
  chainId: SEPOLIA,
  enabled: true,
  minimumAmount: '1',
  properties: { maximumWithdrawalAmount: null },
}

export const CATALOGUE_OPERATIONS = {
  getChains: {
    method: 'GET',
    path: '/chains',
    tag: 'Catalogue',
    summary: 'Lists chains, by default those that are enabled for the organization',
    description: 'Each chain with the confirmations that it requires.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ enabledOnly: ENABLED_ONLY }),
    responses: { 200: Type.Object({ chains: Type.Array(Chain) }) },
    errors: [],
    example: { query: { enabledOnly: false }, answers: { 200: { chains: [CHAIN] } } },
  },
  getChain: {
    method: 'GET',
    path: '/chains/:id',
    tag: 'Catalogue',
    summary: 'Returns a chain',
    description: 'Also if the chain is not enabled.',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ id: CHAIN_ID }),
    responses: { 200: Type.Object({ chain: Chain }) },
    errors: ['INVALID_CHAIN'],
    example: { params: { id: SEPOLIA }, answers: { 200: { chain: CHAIN } } },
  },
  getTokens: {
    method: 'GET',
    path: '/tokens',
    tag: 'Catalogue',
    summary: 'Lists tokens, by default those that are enabled for the organization',
    description: 'Each token with its smallest deposit and its largest withdrawal.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ enabledOnly: ENABLED_ONLY, chainId: TokensChain }),
    responses: { 200: Type.Object({ tokens: Type.Array(Token) }) },
    errors: ['INVALID_CHAIN'],
    example: {
      query: { chainId: SEPOLIA, enabledOnly: true },
      answers: { 200: { tokens: [TOKEN] } },
    },
  },
} as const satisfies Record<string, Operation>

export const ChainFrozenEvent = Type.Object({
  chainId: Token.properties.chainId,
  state: Type.Enum(['frozen', 'halted'], {
    description: 'A halted chain is not scanned either.',
  }),
  reason: text('Why.'),
  at: timestamp('When it happened.'),
})
export type ChainFrozenEvent = Static<typeof ChainFrozenEvent>

export const CATALOGUE_EVENTS = {
  'chain.frozen': {
    description: 'A chain credits and signs nothing until an operator of the service resumes it.',
    payload: ChainFrozenEvent,
    example: {
      chainId: SEPOLIA,
      state: 'frozen',
      reason: 'A block with a credited deposit left the chain.',
      at: AT,
    },
  },
} as const satisfies Record<string, EventDefinition>
