import type { ChainId } from '@sluice/wire'
import { ALL_CHAINS, CHAINS, type ChainSetting } from '../catalogue/chains.ts'
import { operatorToken } from '../catalogue/operator-token.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import { CHAIN_FIELDS, TOKEN_FIELDS, type Values, isRecord, readFields } from './config-fields.ts'

/** A chain of the configuration file; null for the default. */
export interface ChainConfig extends Values<typeof CHAIN_FIELDS> {
  id: ChainId
}

const CHAINS_EXAMPLE = '{"eip155:11155111": {"nodes": ["http://127.0.0.1:8545"]}}'
const TOKENS_EXAMPLE = '[{"id": "eip155:11155111/erc20:0x…", "name": "…", "symbol": "…", …}]'

/** The error text of each setting for a chain that does not have it. */
const ONLY: Readonly<Record<ChainSetting, string>> = {
  solidity: 'nodes: only TRON has solidity nodes',
  ws: 'nodes: only nodes of the XRP Ledger are listened to (ws)',
  cookieFile: 'nodes: only Bitcoin has cookie files',
  addressType: 'addressType: only Bitcoin has several types of addresses',
  genesis: 'genesis: only a test network of TRON can be a private network',
}

/** Reads the `chains` of the configuration file; adds errors to `problems`. */
export function readChains(input: unknown, problems: string[]): ChainConfig[] {
  if (input === undefined) return []
  if (!isRecord(input)) {
    problems.push(`chains: must be an object of chain ids, such as ${CHAINS_EXAMPLE}`)
    return []
  }
  return Object.entries(input).flatMap(([id, fields]) => readChain(id, fields, problems) ?? [])
}

function readChain(id: string, input: unknown, problems: string[]): ChainConfig | null {
  const entry = ALL_CHAINS.find((chain) => chain.id === id)
  if (entry === undefined) {
    const known = CHAINS.map((chain) => chain.id).join(', ')
    problems.push(`chains.${id}: is not in the catalogue; its chains are ${known}`)
    return null
  }
  const fields = readFields(CHAIN_FIELDS, input, `chains.${id}`, problems)
  if (fields === null) return null
  for (const setting of settingsIn(fields)) {
    if (!entry.settings.includes(setting)) problems.push(`chains.${id}.${ONLY[setting]}`)
  }
  return { id: entry.id, ...fields }
}

/** The settings in use that only some chains have. */
function settingsIn({ nodes, addressType, genesis }: Values<typeof CHAIN_FIELDS>): ChainSetting[] {
  const ofNodes = ['solidity', 'ws', 'cookieFile'] as const
  return [
    ...ofNodes.filter((setting) => nodes.some((node) => node[setting] !== undefined)),
    ...(addressType === null ? [] : (['addressType'] as const)),
    ...(genesis === null ? [] : (['genesis'] as const)),
  ]
}

/** Reads the `tokens` of the configuration file; adds errors to `problems`. */
export function readTokens(input: unknown, problems: string[]): TokenEntry[] {
  if (input === undefined) return []
  if (!Array.isArray(input)) {
    problems.push(`tokens: must be a list, such as ${TOKENS_EXAMPLE}`)
    return []
  }
  const places = new Map<string, string>()
  return input.flatMap((one: unknown, at) => {
    const where = `tokens.${at}`
    const token = readToken(one, where, problems)
    if (token === null) return []
    // Otherwise the later entry would silently replace the limits of the earlier one.
    const before = places.get(token.id)
    if (before !== undefined) problems.push(`${where}: repeats the token of ${before}`)
    places.set(token.id, where)
    return [token]
  })
}

function readToken(input: unknown, where: string, problems: string[]): TokenEntry | null {
  const fields = readFields(TOKEN_FIELDS, input, where, problems)
  if (fields === null) return null
  const { minimumAmount, maximumWithdrawalAmount, sweepAmount, ...rest } = fields
  const token = operatorToken({
    ...rest,
    ...(minimumAmount === null ? {} : { minimumAmount }),
    ...(maximumWithdrawalAmount === null ? {} : { maximumWithdrawalAmount }),
    ...(sweepAmount === null ? {} : { sweepAmount }),
  })
  if (!('problem' in token)) return token
  problems.push(`${where}: ${token.problem}`)
  return null
}
