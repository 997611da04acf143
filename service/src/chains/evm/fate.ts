import type { JsonRpc } from '../json-rpc.ts'
import { agreedFate } from '../agreed-fate.ts'
import type { Failover } from '../failover.ts'
import type { Fate, Spent } from '../port.ts'
import { nonceOf } from '../reservation.ts'
import { readHeader } from './node.ts'
import { readInclusion, readNonce } from './spending-node.ts'

/**
 * Finds the result of the transactions of one nonce. `consumed` by another transaction is believed
 * only if no node that answers contradicts it: a node may lack a receipt that another one has
 * (N15).
 */
export function findFate(
  failover: Pick<Failover<JsonRpc>, 'others' | 'proven'>,
  rpc: JsonRpc,
  spent: Spent,
): Promise<Fate> {
  return agreedFate(failover, rpc, spent, { ended: 'consumed', ask: fateOn })
}

/** The nonce is read before and after, so neither a block nor a reorg in between misleads. */
async function fateOn(rpc: JsonRpc, { from, reservation, hashes }: Spent): Promise<Fate> {
  const nonce = nonceOf(reservation)
  const before = await readNonce(rpc, from, 'latest')
  const found = await readInclusion(rpc, hashes)
  if (found !== null) {
    const { txnHash, height, blockHash, succeeded } = found
    const header = await readHeader(rpc, height)
    if (header?.hash !== blockHash) return { state: 'unknown' }
    return { state: 'included', txnHash, ref: { height, hash: blockHash }, succeeded }
  }
  if (before <= nonce) return { state: 'unknown' }
  const after = await readNonce(rpc, from, 'latest')
  return after <= nonce ? { state: 'unknown' } : { state: 'consumed', by: 'other' }
}
