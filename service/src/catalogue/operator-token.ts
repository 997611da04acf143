import { parseTokenId } from '@sluice/wire'
import type { TokenId, TokenIdParts } from '@sluice/wire'
import { isOwnCoin } from '../chains/evm/coin-logs.ts'
import { canonicalTokenId, contractNamespace } from '../chains/format-address.ts'
import { ALL_CHAINS } from './chains.ts'
import type { ChainEntry } from './chains.ts'
import { TOKENS } from './tokens.ts'
import type { TokenEntry } from './tokens.ts'

const NAME_MAX = 100
const SYMBOL_MAX = 32
/** `decimals()` is a uint8, but an amount has no more than 78 digits. */
const DECIMALS_MAX = 77

/** A token as an operator writes it into the configuration; amounts in base units. */
export interface OperatorToken {
  id: string
  name: string
  symbol: string
  decimals: number
  minimumAmount?: bigint
  maximumWithdrawalAmount?: bigint
  sweepAmount?: bigint
}

/**
 * Turns a token of the configuration into an entry, or says what is wrong with it. Naming a token
 * of the catalogue changes its name and limits and switches it on; its decimals cannot be changed.
 */
export function operatorToken(given: OperatorToken): TokenEntry | { problem: string } {
  const problem = textProblem(given)
  if (problem !== null) return { problem }
  const parts = parseTokenId(given.id)
  const chain = ALL_CHAINS.find((entry) => entry.id === parts?.chainId)
  if (parts === null || chain === undefined)
    return { problem: 'id is not <chain id>/<asset namespace>:<asset reference> of a known chain' }
  const id = canonicalTokenId(given.id)
  if (id === null) return { problem: 'the address in id is malformed or fails its checksum' }
  if (isOwnCoin(id))
    return { problem: `id names the own coin of ${chain.id}, which is offered already` }
  const known = TOKENS.find((token) => token.id === id)
  return known === undefined ? newEntry(given, chain, parts, id) : changedEntry(given, known)
}

function textProblem(given: OperatorToken): string | null {
  if (given.name.length < 1 || given.name.length > NAME_MAX)
    return `name must have 1 to ${NAME_MAX} characters`
  if (given.symbol.length < 1 || given.symbol.length > SYMBOL_MAX)
    return `symbol must have 1 to ${SYMBOL_MAX} characters`
  if (!Number.isInteger(given.decimals) || given.decimals < 0 || given.decimals > DECIMALS_MAX)
    return `decimals must be a whole number from 0 to ${DECIMALS_MAX}`
  if (given.minimumAmount !== undefined && given.minimumAmount < 1n)
    return 'minimumAmount must be at least 1'
  const { minimumAmount = 1n, maximumWithdrawalAmount = minimumAmount } = given
  return maximumWithdrawalAmount < minimumAmount
    ? 'maximumWithdrawalAmount is below minimumAmount'
    : null
}

function newEntry(
  given: OperatorToken,
  chain: ChainEntry,
  parts: TokenIdParts,
  id: TokenId,
): TokenEntry | { problem: string } {
  const expected = contractNamespace(chain.id)
  if (parts.assetNamespace !== expected)
    return { problem: `tokens of ${chain.id} are ${expected ?? 'slip44'} tokens` }
  return {
    id,
    chainId: chain.id,
    name: given.name,
    symbol: given.symbol,
    decimals: given.decimals,
    address: id.slice(id.lastIndexOf(':') + 1),
    native: false,
    minimumAmount: given.minimumAmount ?? chain.minimumAmount,
    maximumWithdrawalAmount: given.maximumWithdrawalAmount ?? null,
    ...(given.sweepAmount === undefined ? {} : { sweepAmount: given.sweepAmount }),
    enabledByDefault: true,
    source: 'operator',
  }
}

function changedEntry(given: OperatorToken, known: TokenEntry): TokenEntry | { problem: string } {
  if (given.decimals !== known.decimals)
    return { problem: `decimals of this token are ${known.decimals}` }
  return {
    ...known,
    name: given.name,
    symbol: given.symbol,
    minimumAmount: given.minimumAmount ?? known.minimumAmount,
    maximumWithdrawalAmount: given.maximumWithdrawalAmount ?? null,
    ...(given.sweepAmount === undefined ? {} : { sweepAmount: given.sweepAmount }),
    enabledByDefault: true,
    alsoKnownAs: [known.symbol, ...(known.alsoKnownAs ?? [])],
  }
}
