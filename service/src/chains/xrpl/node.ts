import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { NodeStanding } from '../failover.ts'
import type { Address, BlockQuery, BlockRef } from '../port.ts'
import { parseHeader } from './header.ts'
import type { LedgerHeader } from './header.ts'
import { parseLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import {
  demand,
  isMissing,
  malformed,
  parseDrops,
  parseHash,
  parseJson,
  parseList,
  parseUint32,
  uint32OrNull,
} from './read.ts'
import type { Json } from './read.ts'
import { XrplRefusal } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'

/** A node's state, and its network's requirements for accounts. */
export interface ServerState {
  /** Null if it names none, which is possible on any network. */
  networkId: number | null
  /** The last validated ledger. */
  validated: BlockRef
  /** The first and last ledger that the node has, inclusive. */
  complete: readonly [number, number][]
  /** The base reserve of an account, and the reserve for each owned object, in drops. */
  reserveBase: bigint
  reserveStep: bigint
}

/** An account at a ledger. */
export interface AccountState {
  balance: bigint
  sequence: number
  /** Number of objects that lock a reserve each. */
  ownerCount: number
  flags: number
  /** The ledger of this state. */
  height: number
}

/** Flags of an account (AccountRoot). */
export const FLAG = {
  requireDestTag: 0x0002_0000,
  disallowXrp: 0x0008_0000,
  depositAuth: 0x0100_0000,
} as const

const LEDGER_BYTES_MAX = 64_000_000
const WELL: readonly unknown[] = ['full', 'validating', 'proposing']
const DROPS_PER_XRP = 6
/**
 * Identifies the main network: the hash of its ledger 39936. The state of each ledger keeps the
 * hashes of every 256th ledger before it, in one entry for each 65536 ledgers; this hash is in the
 * first entry, which each node has, however short its history is.
 */
export const MAIN_NETWORK = {
  id: 0,
  entry: '692ECE2D61FD5074F298DC168177CA6E17B7282B9630E606AE519D7FE32B5940',
  at: 155,
  hash: 'EE15773B6C898386E770E3613E28A8BE0D365F933648CA9AC4828AD67C998B71',
} as const

/** The chain of a network; unlisted networks have their own id, or none (null). */
function parseNetworkId(networkId: number | null): ChainId {
  const names: Readonly<Record<number, string>> = { 0: 'mainnet', 1: 'testnet' }
  return `xrpl:${networkId === null ? 'unnamed' : (names[networkId] ?? networkId)}` as ChainId
}

/**
 * A node's identity and head. There is no first ledger to query (nodes keep a part of the history,
 * and the network has lost its first ledgers), so the network's id replaces it. A node without an
 * id is of the main network if its state proves it, otherwise of no network (N06).
 */
export async function readStanding(rpc: XrplRpc): Promise<NodeStanding> {
  const { networkId: named, validated } = await readServer(rpc)
  const networkId = named ?? ((await provesMain(rpc)) ? MAIN_NETWORK.id : null)
  const genesis = `network-${networkId ?? 'unnamed'}`
  return { identity: { chainId: parseNetworkId(networkId), genesis }, head: validated.height }
}

async function provesMain(rpc: XrplRpc): Promise<boolean> {
  const { entry, at, hash } = MAIN_NETWORK
  try {
    const asked = { index: entry, ledger_index: 'validated' }
    const result = await rpc.call('ledger_entry', asked)
    demand(result['validated'] === true, 'an entry of no validated ledger')
    const node = parseJson(result['node'], 'ledger_entry.node')
    demand(node['index'] === entry, 'another entry than was asked for')
    return parseList(node['Hashes'], 'ledger_entry.Hashes')[at] === hash
  } catch (error) {
    if (error instanceof XrplRefusal && error.error === 'entryNotFound') return false
    throw error
  }
}

/** An Outage if the node is not in sync with its network. */
export async function readServer(rpc: XrplRpc): Promise<ServerState> {
  const info = parseJson((await rpc.call('server_info', {}))['info'], 'info')
  const state = info['server_state']
  if (!isMissing(state) && !WELL.includes(state)) {
    throw new Outage(rpc.name, 'is not in step with its network')
  }
  if (isMissing(info['validated_ledger'])) throw new Outage(rpc.name, 'has no validated ledger')
  const ledger = parseJson(info['validated_ledger'], 'info.validated_ledger')
  return {
    networkId: uint32OrNull(info['network_id'], 'info.network_id'),
    validated: {
      height: parseUint32(ledger['seq'], 'validated_ledger.seq'),
      hash: parseHash(ledger['hash'], 'validated_ledger.hash'),
    },
    complete: parseRanges(info['complete_ledgers']),
    reserveBase: parseXrp(ledger['reserve_base_xrp'], 'reserve_base_xrp'),
    reserveStep: parseXrp(ledger['reserve_inc_xrp'], 'reserve_inc_xrp'),
  }
}

/** The header of the last validated ledger. */
export async function readValidated(rpc: XrplRpc): Promise<LedgerHeader> {
  const result = await rpc.call('ledger', { ledger_index: 'validated' })
  demand(result['validated'] === true, 'a validated ledger that is not')
  return parseHeader(parseJson(result['ledger'], 'ledger'), result['ledger_hash'])
}

/**
 * The header of a validated ledger; null if that height is not validated yet. A gap in the node's
 * history is an Outage (X09): no ledger may be skipped unread.
 */
export async function readHeader(rpc: XrplRpc, height: number): Promise<LedgerHeader | null> {
  const result = await askLedger(rpc, { ledger_index: height })
  return result === null ? nullUnlessGap(rpc, height) : headerIn(result, height)
}

/** The hash of a validated ledger; null if the node does not have it, or has deleted it. */
export async function readHash(rpc: XrplRpc, height: number): Promise<string | null> {
  const result = await askLedger(rpc, { ledger_index: height })
  return result === null ? null : (headerIn(result, height)?.hash ?? null)
}

function headerIn(result: Json, height: number): LedgerHeader | null {
  if (result['validated'] !== true) return null
  const header = parseHeader(parseJson(result['ledger'], 'ledger'), result['ledger_hash'])
  demand(header.height === height, 'another ledger than was asked for')
  return header
}

/** A validated ledger with its transactions; null and Outage as in `readHeader`. */
export async function readLedger(rpc: XrplRpc, query: BlockQuery): Promise<Ledger | null> {
  const which = 'hash' in query ? { ledger_hash: query.hash } : { ledger_index: query.height }
  const params = { ...which, transactions: true, expand: true, binary: true }
  const result = await askLedger(rpc, params)
  if (result === null) return 'hash' in query ? null : nullUnlessGap(rpc, query.height)
  const ledger = parseLedger(result)
  if (ledger === null) return null
  const isAsked = 'hash' in query ? ledger.hash === query.hash : ledger.height === query.height
  demand(isAsked, 'another ledger than was asked for')
  return ledger
}

/** An account at a ledger; null if it does not exist there. */
export async function readAccount(
  rpc: XrplRpc,
  address: Address,
  at: { ledger_hash: string } | { ledger_index: 'validated' | 'current' },
): Promise<AccountState | null> {
  const params = { account: address, ...at }
  try {
    return parseAccountState(await rpc.call('account_info', params), address, at)
  } catch (error) {
    if (!(error instanceof XrplRefusal) || error.error !== 'actNotFound') throw error
    const { validated, ledger_hash: hash } = error.result
    // Clio does not name the ledger in an error: it has only validated ones, and was queried for
    // this one.
    if (!isMissing(validated) || !isMissing(hash)) checkLedger(error.result, at)
    return null
  }
}

/** Whether an error means that the node has no such ledger. */
export function isMissingLedger(error: unknown): boolean {
  return error instanceof XrplRefusal && error.error === 'lgrNotFound'
}

function parseAccountState(
  result: Json,
  address: Address,
  at: Parameters<typeof readAccount>[2],
): AccountState {
  checkLedger(result, at)
  const data = parseJson(result['account_data'], 'account_data')
  demand(data['Account'] === address, 'another account than was asked for')
  const height = result['ledger_index'] ?? result['ledger_current_index']
  return {
    balance: parseDrops(data['Balance'], 'account_data.Balance'),
    sequence: parseUint32(data['Sequence'], 'account_data.Sequence'),
    ownerCount: parseUint32(data['OwnerCount'], 'account_data.OwnerCount'),
    flags: parseUint32(data['Flags'], 'account_data.Flags'),
    height: parseUint32(height, 'ledger_index'),
  }
}

function checkLedger(result: Json, at: Parameters<typeof readAccount>[2]): void {
  const isCurrent = 'ledger_index' in at && at.ledger_index === 'current'
  demand(isCurrent || result['validated'] === true, 'an account at no validated ledger')
  const isRight = !('ledger_hash' in at) || result['ledger_hash'] === at.ledger_hash
  demand(isRight, 'an account at another ledger')
}

async function askLedger(rpc: XrplRpc, params: Json): Promise<Json | null> {
  try {
    return await rpc.call('ledger', params, LEDGER_BYTES_MAX)
  } catch (error) {
    if (isMissingLedger(error)) return null
    throw error
  }
}

async function nullUnlessGap(rpc: XrplRpc, height: number): Promise<null> {
  const { validated, complete } = await readServer(rpc)
  if (height > validated.height) return null
  const has = complete.map(([from, to]) => `${from}-${to}`).join(',')
  throw new Outage(rpc.name, `history missing: it has no ledger ${height}, only ${has}`)
}

/** `2-310`, `100-110,115-120`, `7` or `empty`. */
function parseRanges(value: unknown): [number, number][] {
  if (value === 'empty' || isMissing(value)) return []
  if (typeof value !== 'string') throw malformed('complete_ledgers')
  return value.split(',').map((text) => {
    const [from, to = from] = text.split('-')
    return [parseUint32(from, 'complete_ledgers'), parseUint32(to, 'complete_ledgers')]
  })
}

/** XRP with decimals, as a number or text, in drops: from its digits, never by arithmetic. */
function parseXrp(value: unknown, what: string): bigint {
  const text = typeof value === 'number' ? value.toFixed(DROPS_PER_XRP) : value
  const digits = typeof text === 'string' ? /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) : null
  if (digits === null || (typeof value === 'number' && Number(text) !== value))
    throw malformed(what)
  return BigInt(`${digits[1]}${(digits[2] ?? '').padEnd(DROPS_PER_XRP, '0')}`)
}
