import { assert } from '../base/assert.ts'
import { type Watched, matchAddresses } from '../accounts/watch.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Block, Transfer } from '../chains/port.ts'
import { post } from '../ledger/post.ts'
import { detected } from '../ledger/posting.ts'
import { ownTransactions } from '../spends/own.ts'
import { isOwnTraffic } from '../spends/spend.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import type { Deposit } from './deposit.ts'
import { depositPayload } from './payload.ts'
import { insertNew, lockByIdentity, reviveRow } from './rows.ts'

interface Sighting {
  block: Block
  transfer: Transfer
  watched: Watched
}

/**
 * Records the transfers of these blocks that reach a deposit account of ours: as new deposits, or
 * as the return of one that a reorg had orphaned. To see a live one again changes nothing
 * (decisions, section 1). Each is booked as unconfirmed and told with `deposit.detected`. Answers
 * with what is new or returned.
 */
export async function detectDeposits(
  tx: Tx,
  {
    catalogue,
    entry,
    blocks,
  }: { catalogue: Catalogue; entry: ChainEntry; blocks: readonly Block[] },
): Promise<readonly Deposit[]> {
  const sightings = await sightDeposits(tx, { entry, blocks })
  if (sightings.length === 0) return []
  const seen = draftDeposits(tx, { entry, sightings })
  const fresh = await insertNew(tx, seen)
  const returned = await reviveOrphans(tx, { seen, fresh })
  const live = [...fresh, ...returned]
  await post(tx, live.map(detected))
  for (const deposit of live) {
    const token = catalogue.summary(deposit.tokenId)
    appendEvent(tx, {
      orgId: deposit.orgId,
      type: 'deposit.detected',
      subjectId: deposit.id,
      payload: depositPayload(deposit, { token, tipHeight: deposit.block.height }),
    })
  }
  return live
}

/** Which transfers reach deposit addresses, own traffic left out (engineering, 8). */
async function sightDeposits(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<Sighting[]> {
  const recipients = blocks.flatMap((block) => block.transfers.map(({ to }) => to))
  if (recipients.length === 0) return []
  const watched = await matchAddresses(tx, watchScope(entry), recipients)
  const sightings: Sighting[] = []
  for (const block of blocks) {
    for (const transfer of block.transfers) {
      const owner = watched.get(transfer.to)
      if (owner?.purpose === 'deposit') sightings.push({ block, transfer, watched: owner })
    }
  }
  const hashes = [...new Set(sightings.map(({ transfer }) => transfer.txnHash))]
  const own = await ownTransactions(tx, entry.id, hashes)
  return sightings.filter(({ transfer }) => !isOwnTraffic(own.get(transfer.txnHash)))
}

function draftDeposits(
  tx: Tx,
  { entry, sightings }: { entry: ChainEntry; sightings: readonly Sighting[] },
): Deposit[] {
  const net = netMovements(sightings)
  const now = tx.clock.now()
  return sightings.map(({ block, transfer, watched }) => {
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
      netMovement: net.get(block)?.get(movementKey(to, tokenId)) ?? amount,
      status: 'Detected',
      booked: 'unconfirmed',
      heldCause: '',
      cleared: false,
      block: { height: block.height, hash: block.hash },
      confirmedAt: null,
      confirmedHeight: null,
      createdAt: now,
      updatedAt: now,
    }
  })
}

/**
 * For each block, and each address that it pays and token: what its transfers brought there, less
 * what they took from there.
 */
function netMovements(sightings: readonly Sighting[]): Map<Block, Map<string, bigint>> {
  const paid = new Map<Block, Set<string>>()
  for (const { block, transfer } of sightings) {
    const addresses = paid.get(block) ?? new Set()
    paid.set(block, addresses.add(transfer.to))
  }
  return new Map([...paid].map(([block, addresses]) => [block, netOf(block.transfers, addresses)]))
}

function netOf(
  transfers: readonly Transfer[],
  addresses: ReadonlySet<string>,
): Map<string, bigint> {
  const net = new Map<string, bigint>()
  const add = (address: string, tokenId: string, amount: bigint) => {
    if (!addresses.has(address)) return
    const key = movementKey(address, tokenId)
    net.set(key, (net.get(key) ?? 0n) + amount)
  }
  for (const { from, to, tokenId, amount } of transfers) {
    add(to, tokenId, amount)
    add(from, tokenId, -amount)
  }
  return net
}

function movementKey(address: string, tokenId: string): string {
  return `${address} ${tokenId}`
}

/**
 * Of those whose identity stood already: orphans return with their new block; a live one must be in
 * this very block.
 */
async function reviveOrphans(
  tx: Tx,
  { seen, fresh }: { seen: readonly Deposit[]; fresh: readonly Deposit[] },
): Promise<Deposit[]> {
  const inserted = new Set(fresh.map(identityKey))
  const known = new Map(
    seen.filter((deposit) => !inserted.has(identityKey(deposit))).map((d) => [identityKey(d), d]),
  )
  if (known.size === 0) return []
  const returned: Deposit[] = []
  for (const standing of await lockByIdentity(tx, [...known.values()])) {
    const again = known.get(identityKey(standing))
    assert(again, 'a locked deposit that was not asked for', { id: standing.id })
    if (standing.status === 'Orphaned') {
      returned.push(await reviveRow(tx, standing.id, again))
    } else {
      const sameBlock = standing.block.hash === again.block.hash
      assert(sameBlock, 'one deposit live in two blocks', { standing, again: again.block })
    }
  }
  return returned
}

function identityKey(deposit: Deposit): string {
  const { chainId, txnHash, position, accountId, tokenId } = deposit
  return [chainId, txnHash, position, accountId, tokenId].join(' ')
}
