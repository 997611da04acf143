import { Outage, nullIfAway } from '../../base/fault.ts'
import type { CompletenessMode } from '../options.ts'
import type { BlockQuery, BlockScope } from '../port.ts'
import { proveIds, rootOfTransactions } from './header-proof.ts'
import { readBlock, readHeader, readOutcomes } from './node.ts'
import { demand, malformed } from './rpc.ts'
import type { RpcBlock, RpcOutcome } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/** A block, and the info of each of its transactions. */
export interface BlockEvidence {
  block: RpcBlock
  outcomes: readonly RpcOutcome[]
  /** Why it is believed although the computed root differs. */
  doubt?: string
}

/** The height is in the first sixteen digits of an id. */
const ID = /^[0-9a-f]{64}$/

/**
 * Reads all data of a block from one node; null if it has no such block, or has replaced it
 * meanwhile. Transaction infos are read by height only, so the node is queried again for the id at
 * that height: two forks can have blocks of the same height, time and transactions.
 */
export async function fetchBlock(
  node: TronNode,
  query: BlockQuery,
  {
    completeness,
    scope,
    others = [],
  }: { completeness: CompletenessMode; scope: BlockScope; others?: readonly TronNode[] },
): Promise<BlockEvidence | null> {
  const height = heightOf(query)
  const block = height === null ? null : await readBlock(node, height)
  if (block === null || ('hash' in query && block.id !== query.hash)) return null
  const isProved = completeness === 'receipts' && block.height > 0
  const doubt = isProved ? await prove(block, others) : {}
  if (block.height === 0 || block.transactions.length === 0) {
    return { block: { ...block, transactions: [] }, outcomes: [], ...doubt }
  }
  try {
    const outcomes = await readOutcomes(node, block)
    const after = await readHeader(node, { height: block.height })
    if (after?.id !== block.id) return null
    demandComplete(block, outcomes)
    await scope.upToDate?.()
    return { block, outcomes, ...doubt }
  } catch (error) {
    if (error instanceof Outage && (await hasLeft(node, block))) return null
    throw error
  }
}

/**
 * Proves a block complete by the root in its header. Strangers can sign transactions with unknown
 * fields: the root covers them, but the JSON does not show them. If the root differs, a second node
 * must return exactly the same data for the block, and an alert is raised.
 */
async function prove(
  block: RpcBlock,
  others: readonly TronNode[],
): Promise<Pick<BlockEvidence, 'doubt'>> {
  proveIds(block)
  const root = rootOfTransactions(block)
  if (root === block.transactionsRoot) return {}
  for (const other of others) {
    const told = await readBlock(other, block.height).catch(nullIfAway)
    if (told?.id !== block.id || rootOfTransactions(told) !== root) continue
    const names = `names the root ${block.transactionsRoot}, and its transactions have ${root}`
    return { doubt: `its header ${names}; ${other.name} returns the same transactions` }
  }
  throw malformed(
    'transactions that do not match the header, and no second node returns the same; if nodes ' +
      'that you trust agree on the block, read it with completeness "logs"',
  )
}

function heightOf(query: BlockQuery): number | null {
  if ('height' in query) return query.height
  const height = ID.test(query.hash) ? Number.parseInt(query.hash.slice(0, 16), 16) : null
  return Number.isSafeInteger(height) ? height : null
}

/** The info of each transaction of the block, in order (T10). */
function demandComplete(block: RpcBlock, outcomes: readonly RpcOutcome[]): void {
  demand(
    outcomes.length === block.transactions.length,
    "infos of a block's transactions are missing",
  )
  block.transactions.forEach(({ id }, at) => {
    const info = outcomes[at]
    demand(info?.id === id, 'the info of another transaction')
    demand(info.height === block.height && info.time === block.time, 'the info of another block')
  })
}

/** A reorg while a block is read is no fault: the node then has another block at the height. */
async function hasLeft(node: TronNode, block: RpcBlock): Promise<boolean> {
  const header = await readHeader(node, { height: block.height }).catch(() => null)
  return header !== null && header.id !== block.id
}
