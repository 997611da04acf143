import type { RowVerifier } from '../accounts/row-mac.ts'
import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Block } from '../chains/port.ts'
import { reviveOrphans } from '../deposits/revive.ts'
import { type Sighting, maturityOf, sightTransfers } from '../deposits/sight.ts'
import { post } from '../ledger/post.ts'
import { fundingDetected } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import { type Funding, placeOf } from './funding.ts'
import { movedOf, whereOf } from './moved.ts'
import { insertNew, lockByIdentity, reviveRow } from './rows.ts'

/**
 * Records the transfers of these blocks that reach settlement and gas addresses of ours from
 * outside: as new fundings, or as the return of one that a reorg had orphaned. Whatever our own
 * transactions move is booked with them and is none. Each is booked as unconfirmed. Answers with
 * what is new or returned.
 */
export async function detectFundings(
  tx: Tx,
  given: {
    serviceKey: RowVerifier
    catalogue: Catalogue
    entry: ChainEntry
    blocks: readonly Block[]
  },
): Promise<readonly Funding[]> {
  const sightings = await sightTransfers(tx, { ...given, purposes: ['settlement', 'gas'] })
  if (sightings.length === 0) return []
  const seen = sightings.map((sighting) => draftFunding(tx, given, sighting))
  const fresh = await insertNew(tx, seen)
  const returned = await reviveOrphans({
    noun: 'funding',
    seen,
    fresh,
    identityOf: identityKey,
    lock: (fundings) => lockByIdentity(tx, fundings),
    revive: (id, funding) => reviveRow(tx, id, funding),
  })
  const live = [...fresh, ...returned]
  await post(
    tx,
    live.map((funding) => fundingDetected(movedOf(funding), whereOf(funding))),
  )
  return live
}

function draftFunding(
  tx: Tx,
  { catalogue, entry }: { catalogue: Catalogue; entry: ChainEntry },
  { block, transfer, watched, netMovement }: Sighting,
): Funding {
  const { purpose, orgId, chainId } = watched
  const isOwn = purpose === 'settlement' || purpose === 'gas'
  assert(isOwn, 'a funding of a deposit address', { to: transfer.to })
  const { txnHash, position, tokenId, from, to, amount } = transfer
  const isNative = catalogue.nativeToken(entry.id).id === tokenId
  const now = tx.clock.now()
  return {
    orgId,
    id: tx.ids.next(),
    chainId: entry.id,
    txnHash,
    position,
    tokenId,
    address: to,
    purpose,
    place: placeOf({ purpose, isOwnChain: chainId === entry.id, isNative }),
    senderAddress: from === '' ? '' : displayAddress(entry.id, from),
    amount,
    netMovement,
    status: 'Detected',
    booked: 'unconfirmed',
    setApart: 0n,
    heldCause: '',
    cleared: false,
    block: { height: block.height, hash: block.hash },
    maturesAt: maturityOf(transfer, block),
    confirmedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function identityKey({ chainId, txnHash, position, address, tokenId }: Funding): string {
  return [chainId, txnHash, position, address, tokenId].join(' ')
}
