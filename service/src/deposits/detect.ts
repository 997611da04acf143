import type { RowVerifier } from '../accounts/row-mac.ts'
import { raiseTampered, tamperedWatch } from '../accounts/tampered.ts'
import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Block } from '../chains/port.ts'
import { post } from '../ledger/post.ts'
import { type Posting, confirmed, detected, held } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { TAMPERED, doubtTampered } from './genuine.ts'
import { type Deposit, MOVES } from './deposit.ts'
import { holdAgain } from './hold-again.ts'
import { parkTransfers } from './park.ts'
import { reviveOrphans } from './revive.ts'
import { type Ripe, ripen } from './ripe.ts'
import { insertNew, lockByIdentity, reviveRow } from './rows.ts'
import { type Sighting, maturityOf, sightTransfers } from './sight.ts'
import { tellDetected, tellHeld } from './tell-detected.ts'

/**
 * Records the transfers of these blocks that reach a deposit account of ours: as new deposits, or
 * as the return of one that a reorg had orphaned. To see a live one again changes nothing
 * (decisions, section 1). Each is booked as unconfirmed and told with `deposit.detected`. With
 * `ripe`, those that are confirmed by the blocks that came with them are recorded and booked so: to
 * tell that is for the caller (`confirmDeposits`). What reaches an address whose row was changed in
 * the database is Held from the beginning, under the genuine account of the address if there is
 * one; if nothing says whose the address is it is not recorded, and the alert names the block to
 * read again after the repair.
 * Answers with what is new or returned.
 */
export async function detectDeposits(
  tx: Tx,
  given: {
    serviceKey: RowVerifier
    catalogue: Catalogue
    entry: ChainEntry
    blocks: readonly Block[]
    ripe?: Ripe | null
  },
): Promise<readonly Deposit[]> {
  const { serviceKey, catalogue, entry, ripe = null } = given
  if (entry.sharesAddresses) await parkTransfers(tx, given)
  const sighted = await sightTransfers(tx, { ...given, purposes: ['deposit'] })
  if (sighted.length === 0) return []
  await raiseTampered(tx, tamperedAmong(entry.id, sighted))
  const sightings = sighted.filter(({ watched }) => watched.proof !== 'none')
  if (sightings.length === 0) return []
  const drafts = draftDeposits(tx, { entry, sightings })
  const seen =
    ripe === null ? drafts : await ripen(tx, { serviceKey, catalogue, deposits: drafts, ripe })
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
  const nameless = namelessAmong(sightings)
  for (const deposit of live) {
    // What only a forged row says is told to operators alone.
    if (nameless.has(deposit.address)) continue
    tellDetected(tx, catalogue, deposit)
    if (deposit.status === 'Held') tellHeld(tx, catalogue, deposit)
  }
  await booked
  await doubtTampered(tx, live)
  await holdAgain(tx, { catalogue, returned })
  return live
}

const SEEN = { status: 'Detected', booked: 'unconfirmed', heldCause: '' } as const
const HELD = { status: MOVES.hold.to, booked: MOVES.hold.booked, heldCause: TAMPERED } as const

/** Addresses of which no genuine row says whose they are. */
function namelessAmong(sightings: readonly Sighting[]): ReadonlySet<string> {
  const nameless = sightings.filter(({ watched }) => watched.proof === 'claimed')
  return new Set(nameless.map(({ transfer }) => transfer.to))
}

function tamperedAmong(chainId: string, sightings: readonly Sighting[]) {
  const changed = sightings.filter(({ watched }) => watched.proof !== 'genuine')
  return changed.map(({ watched, transfer, block }) => {
    const row = tamperedWatch({ ...watched, address: transfer.to })
    if (watched.proof !== 'none') return row
    const { height } = block
    const next = `sluice chain rescan ${chainId} --from ${height} --to ${height}`
    const cause = `${row.cause}; a payment to it is not recorded: after the repair run ${next}`
    return { ...row, cause }
  })
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
      ...(watched.proof === 'genuine' ? SEEN : HELD),
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
  const unconfirmed = { ...deposit, booked: 'unconfirmed' } as const
  if (deposit.status === 'Held') return [first, held(unconfirmed)]
  return deposit.status === 'Confirmed' ? [first, confirmed(unconfirmed)] : [first]
}

function identityKey(deposit: Deposit): string {
  const { chainId, txnHash, position, accountId, tokenId } = deposit
  return [chainId, txnHash, position, accountId, tokenId].join(' ')
}
