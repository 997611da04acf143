import { readBaseAccount } from '../accounts/base-account.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { matchTags, tagKey } from '../accounts/tagged.ts'
import { raiseTampered } from '../accounts/tampered.ts'
import type { Watched } from '../accounts/watch.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Block, Transfer } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { selectParked } from './unattributed-rows.ts'

/** Purpose of an address of ours; `unattributed`: the end user of the transfer is unknown. */
export type Purpose = Watched['purpose'] | 'unattributed'

/** Receiver of a transfer. */
export interface Receiver extends Omit<Watched, 'purpose'> {
  purpose: Purpose
}

interface Arrival {
  block: Block
  transfer: Transfer
  watched: Receiver
}

/**
 * Finds the receivers of transfers to base accounts: the end user of the tag, or the organization
 * itself if there is no tag and the account did not take deposits yet. All others are unattributed,
 * and stay so if their tag is issued later. A tag whose account was tampered with is unattributed
 * too, and raises an alert.
 */
export async function attributeArrivals<T extends Arrival>(
  tx: Tx,
  { serviceKey, entry: { id: chainId } }: { serviceKey: RowVerifier; entry: ChainEntry },
  arrivals: readonly T[],
): Promise<T[]> {
  const shared = arrivals.filter(({ watched }) => watched.purpose === 'settlement')
  if (shared.length === 0) return [...arrivals]
  const pairs = shared.flatMap(({ transfer: { to: address, tag } }) =>
    tag === null ? [] : [{ address, tag }],
  )
  const { owners, tampered } = await matchTags(tx, serviceKey, { chainId, pairs })
  await raiseTampered(tx, tampered)
  const identities = shared.map(({ transfer }) => ({ ...transfer, address: transfer.to }))
  const known = new Set((await selectParked(tx, chainId, identities)).map(identityKey))
  const readyFrom = await readyHeights(tx, chainId, shared)
  return arrivals.map((arrival) => {
    const { transfer, watched, block } = arrival
    if (watched.purpose !== 'settlement') return arrival
    const { to: address, tag } = transfer
    const unattributed = { ...arrival, watched: { ...watched, purpose: 'unattributed' as const } }
    if (known.has(identityKey({ ...transfer, address }))) return unattributed
    const owner = tag === null ? undefined : owners.get(tagKey({ address, tag }))
    if (owner !== undefined) {
      const proof = watched.proof === 'authentic' ? ('authentic' as const) : ('account' as const)
      return { ...arrival, watched: { ...watched, ...owner, purpose: 'deposit' as const, proof } }
    }
    const isEarly = block.height <= (readyFrom.get(watched.orgId) ?? Number.POSITIVE_INFINITY)
    return tag === null && isEarly ? arrival : unattributed
  })
}

async function readyHeights(
  tx: Tx,
  chainId: ChainEntry['id'],
  arrivals: readonly Arrival[],
): Promise<Map<string, number>> {
  const heights = new Map<string, number>()
  for (const orgId of new Set(arrivals.map(({ watched }) => watched.orgId))) {
    const base = await readBaseAccount(tx, { orgId, chainId })
    if (base !== null && base.readyHeight !== null) heights.set(orgId, base.readyHeight)
  }
  return heights
}

function identityKey(identity: {
  txnHash: string
  position: string
  address: string
  tokenId: string
}): string {
  return [identity.txnHash, identity.position, identity.address, identity.tokenId].join(' ')
}
