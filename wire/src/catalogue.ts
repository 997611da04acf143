import { type Static, Type } from 'typebox'
import type { EventDefinition, Operation } from './define.ts'
import { AT, ETHER, SEPOLIA } from './examples.ts'
import { baseUnits, count, countOrNull, text, timestamp } from './fields.ts'
import { CHAIN_ID, ENABLED_ONLY, PERSONS_CODE, TOKEN_ID, TokensChain } from './parameters.ts'

/** The two decisions about a chain or a token of an organization. */
const DECISIONS = {
  enabledByOperator: Type.Boolean({
    description: 'Whether the operator of the service has it enabled for the organization.',
  }),
  enabledByOrganization: Type.Boolean({
    description:
      'Whether the organization has it enabled; true unless it was switched off. `enabled` is ' +
      'false if either is.',
  }),
}

/** Section 2.5. */
export const Chain = Type.Object({
  id: text('The CAIP-2 id.'),
  name: text('Display name.'),
  namespace: text('The family: `eip155`, `bip122`, `tron` or `xrpl`.'),
  reference: text('The part of the id after the colon.'),
  enabled: Type.Boolean({ description: 'Whether the organization can use it now.' }),
  ...DECISIONS,
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
      explorer: Type.Union(
        [
          Type.Object({
            tx: text('The page of a transaction: replace `{hash}`.'),
            address: text('The page of an address: replace `{address}`.'),
          }),
          Type.Null(),
        ],
        {
          description:
            'URL templates of a block explorer; null without one. The operator can change them.',
        },
      ),
    },
    { additionalProperties: true },
  ),
})
export type Chain = Static<typeof Chain>

/** The state of a chain for an organization. */
export const ChainStatus = Type.Object({
  chainId: text('The chain: a CAIP-2 id.'),
  name: text('Display name.'),
  condition: Type.Enum(['running', 'undoing', 'frozen', 'halted', 'unreached'], {
    description:
      '`undoing`: a reorg is being undone, and payments wait. `frozen`: scanned, and nothing is ' +
      'credited or paid until an operator resumes it. `halted`: not scanned either. `unreached`: ' +
      'no node was reached yet.',
  }),
  tip: Type.Union(
    [
      Type.Object({
        height: count('The height of the last processed block.'),
        hash: text('Its hash.'),
        time: timestamp('Its time, as the block says.'),
      }),
      Type.Null(),
    ],
    { description: 'The last processed block; null if `condition` is `unreached`.' },
  ),
  head: countOrNull('The height of the nodes; null if `condition` is `unreached`.'),
  final: countOrNull('The highest final block; null if no node names one.'),
  lag: Type.Union(
    [
      Type.Object({
        blocks: count('Blocks of the nodes that are not processed yet.'),
        seconds: count('Seconds since the time of the last processed block.'),
      }),
      Type.Null(),
    ],
    { description: 'How far the service is behind; null if `condition` is `unreached`.' },
  ),
  nodes: Type.Union(
    [
      Type.Object({
        answering: count('Nodes that answered and serve this chain.'),
        total: count('Configured nodes.'),
        checkedAt: timestamp('When they were queried; usually at most a minute ago.'),
      }),
      Type.Null(),
    ],
    { description: 'The nodes of the service; null before their first query.' },
  ),
  lastReorg: Type.Union(
    [
      Type.Object({
        height: count('The height of the highest block that stayed.'),
        depth: count('How many blocks left the chain.'),
        at: timestamp('When they were undone.'),
      }),
      Type.Null(),
    ],
    { description: 'The last reorg; null before the first.' },
  ),
  enabled: Type.Boolean({ description: 'Whether the organization can use the chain now.' }),
  deposits: Type.Boolean({ description: 'Whether deposits of the organization are credited now.' }),
  withdrawals: Type.Boolean({
    description: 'Whether withdrawals of the organization are paid now.',
  }),
})
export type ChainStatus = Static<typeof ChainStatus>

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
  ...DECISIONS,
  minimumAmount: baseUnits('The smallest deposit that is credited, and the smallest withdrawal.'),
  properties: Type.Record(Type.String(), Type.Unknown(), {
    description: '`maximumWithdrawalAmount` (null: no maximum) and more.',
  }),
})
export type Token = Static<typeof Token>

const ENABLED = Type.Boolean({
  description: 'Whether the organization uses it: false to switch it off, true to switch it on.',
})
export const ChainSwitchRequest = Type.Object({
  chainId: CHAIN_ID,
  enabled: ENABLED,
  totpCode: PERSONS_CODE,
})
export const TokenSwitchRequest = Type.Object({
  tokenId: TOKEN_ID,
  enabled: ENABLED,
  totpCode: PERSONS_CODE,
})
/** What a switch does, of a chain and of a token. */
const SWITCH =
  'Switched off, it gets no new deposit addresses and no new withdrawals. Deposits to existing ' +
  'addresses are still credited, and existing withdrawals are paid. It is enabled only if the ' +
  'operator of the service also has it enabled. A person must send a one-time code.'

const CHAIN = {
  id: SEPOLIA,
  name: 'Ethereum Sepolia',
  namespace: 'eip155',
  reference: '11155111',
  enabled: true,
  enabledByOperator: true,
  enabledByOrganization: true,
  isTestnet: true,
  properties: {
    nativeCurrency: 'ETH',
    decimals: 18,
    blockTimeSeconds: 12,
    requiredConfirmations: 12,
    carriesMemo: false,
    explorer: {
      tx: 'https://sepolia.etherscan.io/tx/{hash}',
      address: 'https://sepolia.etherscan.io/address/{address}',
    },
  },
}
const STATUS: ChainStatus = {
  chainId: SEPOLIA,
  name: 'Ethereum Sepolia',
  condition: 'running',
  tip: { height: 7_000_000, hash: `0x${'a1'.repeat(32)}`, time: AT },
  head: 7_000_001,
  final: 6_999_936,
  lag: { blocks: 1, seconds: 14 },
  nodes: { answering: 2, total: 2, checkedAt: AT },
  lastReorg: { height: 6_999_120, depth: 1, at: AT },
  enabled: true,
  deposits: true,
  withdrawals: true,
}
const TOKEN: Token = {
  ...ETHER,
  chainId: SEPOLIA,
  enabled: true,
  enabledByOperator: true,
  enabledByOrganization: true,
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
  getChainsStatus: {
    method: 'GET',
    path: '/chains/status',
    tag: 'Catalogue',
    summary: 'Lists the state of each chain that the service has nodes for',
    description:
      'From stored state: no node is queried. An operator of the service rescans and resumes ' +
      'chains.',
    credential: 'either',
    permission: 'read',
    responses: { 200: Type.Object({ chains: Type.Array(ChainStatus) }) },
    errors: [],
    example: { answers: { 200: { chains: [STATUS] } } },
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
  patchOrganisationChain: {
    method: 'PATCH',
    path: '/organisation/chains',
    tag: 'Organization',
    summary: 'Switches a chain off or on for the organization',
    description: SWITCH,
    credential: 'either',
    permission: 'configure',
    body: ChainSwitchRequest,
    code: 'required',
    responses: { 200: Type.Object({ chain: Chain }) },
    errors: ['INVALID_TOTP', 'INVALID_CHAIN'],
    example: {
      body: { chainId: SEPOLIA, enabled: false },
      answers: { 200: { chain: { ...CHAIN, enabled: false, enabledByOrganization: false } } },
    },
  },
  patchOrganisationToken: {
    method: 'PATCH',
    path: '/organisation/tokens',
    tag: 'Organization',
    summary: 'Switches a token off or on for the organization',
    description: SWITCH,
    credential: 'either',
    permission: 'configure',
    body: TokenSwitchRequest,
    code: 'required',
    responses: { 200: Type.Object({ token: Token }) },
    errors: ['INVALID_TOTP', 'INVALID_TOKEN'],
    example: {
      body: { tokenId: ETHER.id, enabled: false },
      answers: { 200: { token: { ...TOKEN, enabled: false, enabledByOrganization: false } } },
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
