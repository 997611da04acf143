import { agreedFate } from '../agreed-fate.ts'
import type { Failover } from '../failover.ts'
import type { Fate, Spent } from '../port.ts'
import { readHeader } from './node.ts'
import { demand, parseOutcomeOrNone } from './rpc.ts'
import type { RpcOutcome } from './rpc.ts'
import type { Side, TronNode } from './tron-node.ts'
import { expirationOf } from './window.ts'

/**
 * Finds the result of the transactions of one window. They can no longer be included once solid
 * time has passed its end while no solid block has one of them. This is believed only if no node
 * that answers contradicts it (N15, T07).
 */
export function findFate(
  failover: Pick<Failover<TronNode>, 'others' | 'proven'>,
  node: TronNode,
  spent: Spent,
): Promise<Fate> {
  return agreedFate(failover, node, spent, { ended: 'expired', ask: fateOn })
}

async function fateOn(node: TronNode, { hashes, reservation }: Spent): Promise<Fate> {
  const expiration = expirationOf(reservation)
  // The time of the solid chain is read first: any later inclusion is after it.
  const solid = await readHeader(node, 'newest', 'walletsolidity')
  for (const side of ['wallet', 'walletsolidity'] as const) {
    const found = await findIncluded(node, hashes, side)
    if (found !== null) return found
  }
  return solid !== null && solid.time > expiration ? { state: 'expired' } : { state: 'unknown' }
}

async function findIncluded(
  node: TronNode,
  hashes: readonly string[],
  side: Side,
): Promise<Fate | null> {
  for (const hash of hashes) {
    const info = await readOutcome(node, hash, side)
    if (info === null) continue
    const { height } = info
    const header = await readHeader(node, { height }, side)
    if (header === null || header.time !== info.time) return { state: 'unknown' }
    const succeeded = !info.hasFailed && ['', 'SUCCESS'].includes(info.receiptResult)
    return { state: 'included', txnHash: hash, ref: { height, hash: header.id }, succeeded }
  }
  return null
}

/** The result of a transaction, by its id; null if no block has it. */
export async function readOutcome(
  node: TronNode,
  id: string,
  side: Side = 'wallet',
): Promise<RpcOutcome | null> {
  const info = parseOutcomeOrNone(
    await node.ask({ side, method: 'gettransactioninfobyid', params: { value: id } }),
  )
  demand(info === null || info.id === id, 'the info of another transaction')
  return info
}
