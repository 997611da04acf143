import type { RowVerifier } from '../accounts/row-mac.ts'
import { raiseTampered, tamperedWatch } from '../accounts/tampered.ts'
import { assert } from '../base/assert.ts'
import { type ChainEntry, depositPlace } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Block, Transfer } from '../chains/port.ts'
import { post } from '../ledger/post.ts'
import type { Posting } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { type Immediate, confirmImmediately } from './confirm-immediately.ts'
import {
  type Deposit,
  type Funding,
  type IncomingTransfer,
  MOVES,
  isDeposit,
  isFunding,
  placeOf,
} from './deposit.ts'
import { emitDetected, emitHeld } from './emit.ts'
import { TAMPERED } from './authentic.ts'
import { holdAgain, raiseHeld } from './hold.ts'
import { type Match, matchTransfers } from './match.ts'
import { parkTransfers } from './park.ts'
import { confirmedPostings, detectedPosting, heldPosting } from './postings.ts'
import { insertNew, lockByIdentity, reviveRow } from './rows.ts'

/** Blocks, and what it takes to record the transfers in them. */
export interface Reading {
  serviceKey: RowVerifier
  catalogue: Catalogue
  entry: ChainEntry
  blocks: readonly Block[]
}

/** Transfers that are new, or returned after a reorg. */
export interface Detected {
  deposits: readonly Deposit[]
  fundings: readonly Funding[]
}

/**
 * Records the transfers from outside in these blocks: new ones, and orphaned ones that returned. A
 * transfer that is recorded and not orphaned is not changed (decisions, section 1). Books them as
 * unconfirmed; emits `deposit.detected`. With `immediate`, deposits that these blocks confirm are
 * recorded and booked as Confirmed: the caller must pass them to `confirmTransfers`, which emits
 * their events. A deposit to an address whose row was tampered with is Held under the authentic
 * account of the address. If no account is known it is not recorded, and the alert names the block
 * to rescan after the repair.
 */
export async function detectTransfers(
  tx: Tx,
  reading: Reading,
  immediate: Immediate | null = null,
): Promise<Detected> {
  const { serviceKey, catalogue, entry } = reading
  const matches = await matchTransfers(tx, reading)
  await parkTransfers(tx, { catalogue, entry, matches })
  const known = matches.filter(({ watched }) => watched.purpose !== 'unattributed')
  await raiseTampered(tx, tamperedAmong(entry.id, known))
  const drafts = known.flatMap((match) => draftTransfer(tx, reading, match))
  if (drafts.length === 0) return { deposits: [], fundings: [] }
  const seen =
    immediate === null
      ? drafts
      : await confirmImmediately(tx, { serviceKey, catalogue, transfers: drafts, immediate })
  const fresh = await insertNew(tx, seen)
  const returned = await reviveOrphans(tx, { seen, fresh })
  const live = [...fresh, ...returned]
  // The events are prepared while the database books.
  const booked = post(tx, live.flatMap(bookingsOf))
  const deposits = live.filter(isDeposit)
  emitNew(tx, catalogue, { deposits, matches })
  await booked
  for (const deposit of deposits) if (deposit.status === 'Held') await raiseHeld(tx, deposit)
  await holdAgain(tx, { catalogue, returned: returned.filter(isDeposit) })
  return { deposits, fundings: live.filter(isFunding) }
}

/** Events of new deposits. Data that only a tampered row claims goes to operators alone. */
function emitNew(
  tx: Tx,
  catalogue: Catalogue,
  { deposits, matches }: { deposits: readonly Deposit[]; matches: readonly Match[] },
): void {
  const claimed = matches.filter(({ watched }) => watched.proof === 'claimed')
  const nameless = new Set(claimed.map(({ transfer }) => transfer.to))
  for (const deposit of deposits) {
    if (nameless.has(deposit.address)) continue
    emitDetected(tx, catalogue, deposit)
    if (deposit.status === 'Held') emitHeld(tx, catalogue, deposit, deposit.block)
  }
}

/**
 * Of the transfers that are recorded already: orphaned ones return with their new block; any other
 * must be in this very block.
 */
async function reviveOrphans(
  tx: Tx,
  { seen, fresh }: { seen: readonly IncomingTransfer[]; fresh: readonly IncomingTransfer[] },
): Promise<IncomingTransfer[]> {
  const known = new Map(seen.map((transfer) => [identityKey(transfer), transfer]))
  for (const transfer of fresh) known.delete(identityKey(transfer))
  if (known.size === 0) return []
  const returned: IncomingTransfer[] = []
  for (const stored of await lockByIdentity(tx, [...known.values()])) {
    const again = known.get(identityKey(stored))
    assert(again, 'locked a transfer that was not asked for', { id: stored.id })
    if (stored.status === 'Orphaned') returned.push(await reviveRow(tx, stored.id, again))
    else {
      const isSame = stored.block.hash === again.block.hash
      assert(isSame, 'one transfer is live in two blocks', { stored, again: again.block })
    }
  }
  return returned
}

function identityKey(transfer: IncomingTransfer): string {
  const { chainId, txnHash, position, address, tokenId } = transfer
  return [chainId, txnHash, position, address, tokenId].join(' ')
}

function tamperedAmong(chainId: string, matches: readonly Match[]) {
  const changed = matches.filter(({ watched }) => {
    return watched.purpose === 'deposit' && watched.proof !== 'authentic'
  })
  return changed.map(({ watched, transfer, block }) => {
    const row = tamperedWatch({ ...watched, address: transfer.to })
    if (watched.proof !== 'none') return row
    const { height } = block
    const next = `sluice chain rescan ${chainId} --from ${height} --to ${height}`
    const cause = `${row.cause}; a payment to it is not recorded: after the repair run ${next}`
    return { ...row, cause }
  })
}

const SEEN = { status: 'Detected', booked: 'unconfirmed', heldCause: '' } as const
const HELD = { status: MOVES.hold.to, booked: MOVES.hold.booked, heldCause: TAMPERED } as const

/** The record of a match; none for a deposit address of which no account is known. */
function draftTransfer(
  tx: Tx,
  { catalogue, entry }: Pick<Reading, 'catalogue' | 'entry'>,
  { block, transfer, watched, netMovement }: Match,
): IncomingTransfer[] {
  const { purpose, orgId, chainId, proof, accountId, externalUserId } = watched
  const { txnHash, position, tokenId, to, amount } = transfer
  const now = tx.clock.now()
  const fields = {
    orgId,
    id: tx.ids.next(),
    chainId: entry.id,
    txnHash,
    position,
    tokenId,
    address: to,
    senderAddress: transfer.from === '' ? '' : displayAddress(entry.id, transfer.from),
    amount,
    netMovement,
    ...SEEN,
    gasPart: 0n,
    cleared: false,
    block: { height: block.height, hash: block.hash },
    maturesAt: maturityOf(transfer, block),
    confirmedAt: null,
    confirmedHeight: null,
    createdAt: now,
    updatedAt: now,
  }
  if (purpose === 'settlement' || purpose === 'gas') {
    const isNative = catalogue.nativeToken(entry.id).id === tokenId
    const place = placeOf({ purpose, isOwnChain: chainId === entry.id, isNative })
    return [{ ...fields, purpose, place }]
  }
  if (proof === 'none') return []
  assert(accountId !== null, 'a deposit address without an account', { to })
  const place = depositPlace(entry.id)
  const account = {
    purpose: 'deposit',
    accountId,
    accountChainId: chainId,
    externalUserId,
  } as const
  return [{ ...fields, ...account, place, ...(proof === 'authentic' ? SEEN : HELD) }]
}

/** First height at which the coins of a transfer can be spent; null: at once. */
function maturityOf(
  { lockedFor }: Pick<Transfer, 'lockedFor'>,
  { height }: Pick<Block, 'height'>,
): number | null {
  return lockedFor === undefined ? null : height + lockedFor
}

/** The ledger shows every transfer as unconfirmed first, even one that is credited at once. */
function bookingsOf(transfer: IncomingTransfer): Posting[] {
  const first = detectedPosting(transfer)
  const unconfirmed = { ...transfer, booked: 'unconfirmed' } as const
  if (transfer.status === 'Held') return [first, heldPosting(unconfirmed)]
  return transfer.status === 'Confirmed' ? [first, ...confirmedPostings(unconfirmed)] : [first]
}
