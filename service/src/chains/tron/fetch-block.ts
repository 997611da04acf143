import { Outage, nullIfAway } from '../../base/fault.ts'
import type { CompletenessMode } from '../options.ts'
import type { BlockQuery, BlockScope } from '../port.ts'
import { proveIds, rootOfTransactions } from './header-proof.ts'
import { readBlock, readHeader, readOutcomes } from './node.ts'
import { demand, malformed } from './rpc.ts'
import type { RpcBlock, RpcOutcome } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/** A block, and of each of its transactions what it did. */
export interface BlockEvidence {
  block: RpcBlock
  outcomes: readonly RpcOutcome[]
  /** Why it is believed all the same, where its root is not that of what is told of it. */
  doubt?: string
}

/** The height is in the first sixteen digits of an id. */
const ID = /^[0-9a-f]{64}$/

/**
 * Everything one node tells of a block; null where it has no such block, or has replaced it
 * meanwhile. What transactions did is told by height alone, so the node is asked once more for the
 * id at that height: two forks can have a block of the same height, time and transactions.
 */
export async function fetchBlock(
  node: TronNode,
  query: BlockQuery,
  given: { completeness: CompletenessMode; scope: BlockScope; others?: readonly TronNode[] },
): Promise<BlockEvidence | null> {
  const { completeness, scope, others = [] } = given
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
 * The root in the header proves a block whole. Anybody may sign a transaction with fields that
 * nobody knows: the root is over them too, and no answer in JSON tells of them. So where it does
 * not fit, a second node must tell exactly the same of the same block, and an operator is told.
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
    return { doubt: `its header ${names}; ${other.name} tells the same of it` }
  }
  throw malformed(
    'transactions that are not those of the header, as no second node tells them; where nodes ' +
      'that you trust agree on the block, read it with completeness "logs"',
  )
}

function heightOf(query: BlockQuery): number | null {
  if ('height' in query) return query.height
  const height = ID.test(query.hash) ? Number.parseInt(query.hash.slice(0, 16), 16) : null
  return Number.isSafeInteger(height) ? height : null
}

/** Of each transaction of the block, in its order, what it did (T10). */
function demandComplete(block: RpcBlock, outcomes: readonly RpcOutcome[]): void {
  demand(outcomes.length === block.transactions.length, 'not all that a block did is told')
  block.transactions.forEach(({ id }, at) => {
    const info = outcomes[at]
    demand(info?.id === id, 'what another transaction did')
    demand(info.height === block.height && info.time === block.time, 'what another block did')
  })
}

/** A reorg while a block is read is nobody's fault: the node has another block there now. */
async function hasLeft(node: TronNode, block: RpcBlock): Promise<boolean> {
  const header = await readHeader(node, { height: block.height }).catch(() => null)
  return header !== null && header.id !== block.id
}
