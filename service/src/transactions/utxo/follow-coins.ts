import type { ChainId } from '@sluice/wire'
import type { RowVerifier } from '../../accounts/row-mac.ts'
import { matchAddresses } from '../../accounts/watch.ts'
import { assert } from '../../base/assert.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { watchScope } from '../../catalogue/scope.ts'
import type { Block, BlockRef, Transfer } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import {
  creditRows,
  gainRows,
  loseRows,
  spendRows,
  type SpentCoin,
  unspendRows,
} from './chain-rows.ts'
import { coinsAt } from './coin-rows.ts'
import { type OwnCoin, pointKey, pointOf } from './coin.ts'
import { insertOrigins, selectLostOrigins, takeRow, untakeRows } from './origin-rows.ts'

/** A coin that a block brings; whether it may be spent is to be found out. */
type Brought = Omit<OwnCoin, 'spendId' | 'spent' | 'spendable' | 'lostHeight'>

/** Which of these transactions were signed by us, and on behalf of which organization. */
type OwnersOf = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>

interface Reading {
  serviceKey: RowVerifier
  entry: ChainEntry
  blocks: readonly Block[]
}

/**
 * Records the outputs of these blocks that pay our addresses, in the commit that connects them.
 * Outputs of our own transactions to the settlement address of their organization are change and
 * may be spent at once. A coin that a reorg removed gets its new block and keeps its reservation.
 * Idempotent.
 */
export async function gainCoins(tx: Tx, reading: Reading, ownersOf: OwnersOf): Promise<void> {
  if (reading.entry.paymentModel !== 'utxo') return
  const brought = await broughtBy(tx, reading)
  await keepOrigins(tx, reading, brought)
  const fresh = await unknownAmong(tx, reading.entry, brought)
  if (fresh.length === 0) return
  const settled = fresh.filter(({ place }) => place === 'settlement')
  const owners = await ownersOf([...new Set(settled.map(({ txnHash }) => txnHash))])
  const coins = fresh.map((coin) => {
    const spendable = coin.place === 'settlement' && owners.get(coin.txnHash) === coin.orgId
    return { ...coin, spendable }
  })
  await gainRows(tx, coins)
}

async function broughtBy(tx: Tx, { serviceKey, entry, blocks }: Reading): Promise<Brought[]> {
  const recipients = blocks.flatMap(({ transfers }) => transfers.map(({ to }) => to))
  const asked = { scope: watchScope(entry), addresses: recipients }
  const watched = await matchAddresses(tx, serviceKey, asked)
  return blocks.flatMap(({ height, hash, transfers }) =>
    transfers.flatMap((transfer): Brought[] => {
      const { to: address, amount } = transfer
      const owner = watched.get(address)
      if (owner === undefined || owner.purpose === 'gas') return []
      // The owner cannot be proved: the block is read again after the repair.
      if (owner.purpose === 'deposit' && owner.proof === 'none') return []
      const place = owner.purpose === 'deposit' ? 'deposits' : 'settlement'
      const { orgId } = owner
      const block = { height, hash }
      return [{ orgId, chainId: entry.id, ...pointOf(transfer), address, amount, place, block }]
    }),
  )
}

/** Records the inputs of the transactions that bring them, also when a block is read again. */
async function keepOrigins(
  tx: Tx,
  { entry, blocks }: Reading,
  brought: readonly Brought[],
): Promise<void> {
  const bringing = new Set(brought.map(({ txnHash }) => txnHash))
  const origins = blocks.flatMap((block) =>
    [...(block.origins ?? [])]
      .filter(([txnHash, spends]) => bringing.has(txnHash) && spends.length > 0)
      .map(([txnHash, spends]) => ({ txnHash, spends })),
  )
  if (origins.length > 0) await insertOrigins(tx, { chainId: entry.id, origins })
}

/** Coins that are not in a block of ours yet. */
async function unknownAmong(
  tx: Tx,
  { id: chainId }: ChainEntry,
  brought: readonly Brought[],
): Promise<Brought[]> {
  if (brought.length === 0) return []
  const standing = await coinsAt(tx, { chainId, points: brought })
  const known = new Map(standing.map((coin) => [pointKey(coin), coin.block]))
  return brought.filter((coin) => {
    const before = known.get(pointKey(coin)) ?? null
    const isElsewhere = before !== null && before.hash !== coin.block?.hash
    assert(!isElsewhere, 'coin is in two blocks', { coin, before })
    return before === null
  })
}

/**
 * Makes credited outputs spendable, in the commit that credits them; ignores transfers that are not
 * outputs. A credited output that is not in a block of ours is a Bug.
 */
export async function creditCoins(
  tx: Tx,
  {
    chainId,
    arrivals,
  }: { chainId: ChainId; arrivals: readonly Pick<Transfer, 'txnHash' | 'position'>[] },
): Promise<void> {
  const points = arrivals.filter(({ position }) => position.startsWith('out:')).map(pointOf)
  if (points.length === 0) return
  const credited = await creditRows(tx, { chainId, points })
  assert(credited === points.length, 'credited output is not in a block', {
    chainId,
    points,
    credited,
  })
}

/**
 * Undoes a block that left the chain: its inputs are unspent, its outputs have no block, and the
 * coins that it made unspendable may return. Reservations stay, since the transactions that hold
 * them may still be included. Call it after our own spends and the deposits were undone.
 */
export async function loseCoins(
  tx: Tx,
  { entry, block }: { entry: ChainEntry; block: BlockRef },
): Promise<void> {
  if (entry.paymentModel !== 'utxo') return
  const at = { chainId: entry.id, block }
  await unspendRows(tx, at)
  await loseRows(tx, at)
  await untakeRows(tx, at)
}

/**
 * Marks our coins that these blocks spend, by any signer, in the commit that connects the blocks.
 * Call it after `gainCoins`: one block may bring and spend a coin. Idempotent.
 */
export async function spendCoins(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<void> {
  if (entry.paymentModel !== 'utxo') return
  const seen = new Map(blocks.flatMap(spentIn).map((coin) => [pointKey(coin), coin]))
  if (seen.size === 0) return
  const chainId = entry.id
  const coins: SpentCoin[] = []
  for (const { spent: before, ...coin } of await coinsAt(tx, {
    chainId,
    points: [...seen.values()],
  })) {
    const now = seen.get(pointKey(coin))
    assert(now, 'unexpected coin', { coin })
    const isElsewhere = before !== null && before.hash !== now.spent.hash
    assert(!isElsewhere, 'coin is spent in two blocks', { coin, before, now })
    if (before === null) coins.push(now)
  }
  if (coins.length > 0) await spendRows(tx, { chainId, coins })
}

function spentIn({ height, hash, transactions }: Block): SpentCoin[] {
  return transactions.flatMap(({ txnHash, spends = [] }) =>
    spends.map((point) => ({ ...point, spent: { height, hash, txnHash } })),
  )
}

/**
 * Foreign outpoints to look for in blocks: the inputs of transactions that brought coins of ours,
 * left the chain, and whose coins our spends hold. Usually empty.
 */
export async function soughtCoins(tx: Tx, entry: ChainEntry): Promise<ReadonlySet<string>> {
  if (entry.paymentModel !== 'utxo') return new Set()
  const origins = await selectLostOrigins(tx, entry.id)
  return new Set(origins.flatMap(({ spends }) => spends.map(pointKey)))
}

/**
 * Records which coins cannot return while these blocks are in the chain, because another
 * transaction spends an input of the one that brought them. In the commit that connects the blocks;
 * no query if no such input was found.
 */
export async function takeOrigins(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<void> {
  const found = blocks.flatMap(({ height, hash, sought = [] }) =>
    sought.map((coin) => ({ key: pointKey(coin), by: coin.spentBy, block: { height, hash } })),
  )
  if (found.length === 0) return
  for (const { txnHash, spends } of await selectLostOrigins(tx, entry.id)) {
    const keys = new Set(spends.map(pointKey))
    const taken = found.find(({ key, by }) => by !== txnHash && keys.has(key))
    if (taken !== undefined) await takeRow(tx, { chainId: entry.id, txnHash, ...taken })
  }
}
