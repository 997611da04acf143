import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { type ChainEntry, sharesAddresses } from '../catalogue/chains.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Block } from '../chains/port.ts'
import { post } from '../ledger/post.ts'
import { type Posting, confirmed, detected } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { holdAgain } from './hold-again.ts'
import { parkTransfers } from './park.ts'
import { reviveOrphans } from './revive.ts'
import { type Ripe, ripen } from './ripe.ts'
import { insertNew, lockByIdentity, reviveRow } from './rows.ts'
import { type Sighting, maturityOf, sightTransfers } from './sight.ts'
import { tellDetected } from './tell-detected.ts'

/**
 * Records the transfers of these blocks that reach a deposit account of ours: as new deposits, or
 * as the return of one that a reorg had orphaned. To see a live one again changes nothing
 * (decisions, section 1). Each is booked as unconfirmed and told with `deposit.detected`. With
 * `ripe`, those that are confirmed by the blocks that came with them are recorded and booked so: to
 * tell that is for the caller (`confirmDeposits`). Answers with what is new or returned.
 */
export async function detectDeposits(
  tx: Tx,
  {
    catalogue,
    entry,
    blocks,
    ripe = null,
  }: {
    catalogue: Catalogue
    entry: ChainEntry
    blocks: readonly Block[]
    ripe?: Ripe | null
  },
): Promise<readonly Deposit[]> {
  if (sharesAddresses(entry)) await parkTransfers(tx, { catalogue, entry, blocks })
  const sightings = await sightTransfers(tx, { entry, blocks, purposes: ['deposit'] })
  if (sightings.length === 0) return []
  const drafts = draftDeposits(tx, { entry, sightings })
  const seen = ripe === null ? drafts : await ripen(tx, { catalogue, deposits: drafts, ripe })
  const fresh = await insertNew(tx, seen)
  const returned = await reviveOrphans({
    noun: 'deposit',
    seen,
    fresh,
    identityOf: identityKey,
    lock: (deposits) => lockByIdentity(tx, deposits),
    revive: (id, deposit) => reviveRow(tx, id, deposit),
  })
  const live = [...fresh, ...returned]
  // While the database books, what is told of it is put together.
  const booked = post(tx, live.flatMap(bookingsOf))
  for (const deposit of live) tellDetected(tx, catalogue, deposit)
  await booked
  await holdAgain(tx, { catalogue, returned })
  return live
}

function draftDeposits(
  tx: Tx,
  { entry, sightings }: { entry: ChainEntry; sightings: readonly Sighting[] },
): Deposit[] {
  const now = tx.clock.now()
  return sightings.map(({ block, transfer, watched, netMovement }) => {
    assert(watched.accountId !== null, 'a deposit address without an account', { to: transfer.to })
    const { txnHash, position, tokenId, to, amount } = transfer
    return {
      orgId: watched.orgId,
      id: tx.ids.next(),
      chainId: entry.id,
      txnHash,
      position,
      accountId: watched.accountId,
      tokenId,
      accountChainId: watched.chainId,
      externalUserId: watched.externalUserId,
      address: to,
      senderAddress: transfer.from === '' ? '' : displayAddress(entry.id, transfer.from),
      amount,
      netMovement,
      status: 'Detected',
      booked: 'unconfirmed',
      heldCause: '',
      cleared: false,
      block: { height: block.height, hash: block.hash },
      maturesAt: maturityOf(transfer, block),
      confirmedAt: null,
      confirmedHeight: null,
      createdAt: now,
      updatedAt: now,
    }
  })
}

/** Money that is credited at once has been unconfirmed too: the ledger tells the same of all. */
function bookingsOf(deposit: Deposit): Posting[] {
  const first = detected(deposit)
  if (deposit.status !== 'Confirmed') return [first]
  return [first, confirmed({ ...deposit, booked: 'unconfirmed' })]
}

function identityKey(deposit: Deposit): string {
  const { chainId, txnHash, position, accountId, tokenId } = deposit
  return [chainId, txnHash, position, accountId, tokenId].join(' ')
}
