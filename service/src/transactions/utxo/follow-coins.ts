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
 * Writes down the outputs of these blocks that pay an address of ours, in the commit that connects
 * them. What our own transaction pays to the settlement address of its organization returns to it,
 * and may be spent at once. What a reorg took away has a block again, and stays reserved for whom
 * it was; to read one twice changes nothing. On chains that spend no coins there are none.
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
      // Nobody knows whose it is: the block is read again after the repair.
      if (owner.purpose === 'deposit' && owner.proof === 'none') return []
      const place = owner.purpose === 'deposit' ? 'deposits' : 'settlement'
      const { orgId } = owner
      const block = { height, hash }
      return [{ orgId, chainId: entry.id, ...pointOf(transfer), address, amount, place, block }]
    }),
  )
}

/** What the transactions spend that bring them; read again, that of older coins is known too. */
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

/** Those that no block of ours has yet. */
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
    assert(!isElsewhere, 'a coin in two blocks', { coin, before })
    return before === null
  })
}

/**
 * Lets what came from outside be spent, in the commit that credits it. Arrivals that are no outputs
 * are nothing here. A credited output that stands in no block of ours is a Bug.
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
  assert(credited === points.length, 'a credited output is no coin', { chainId, points, credited })
}

/**
 * Takes back what a block that left the chain had shown of coins: what it had spent is unspent,
 * what it had brought has no block, and what it kept from coming back may come. Whatever is
 * reserved stays so: the transactions that spend it may still be included. After our own spends and
 * what came in were undone.
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
 * Marks the coins of ours that transactions of these blocks spend, whoever signed them, in the
 * commit that connects the blocks and after what they brought: a coin may come and go in one block.
 * To read one twice changes nothing.
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
    assert(now, 'a coin that was not asked for', { coin })
    const isElsewhere = before !== null && before.hash !== now.spent.hash
    assert(!isElsewhere, 'a coin spent in two blocks', { coin, before, now })
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
 * The coins of strangers to look for in blocks, as texts: what the transactions spend that had
 * brought coins of ours which left the chain, while a spend of ours holds these. Of most chains, at
 * most times, there are none.
 */
export async function soughtCoins(tx: Tx, entry: ChainEntry): Promise<ReadonlySet<string>> {
  if (entry.paymentModel !== 'utxo') return new Set()
  const origins = await selectLostOrigins(tx, entry.id)
  return new Set(origins.flatMap(({ spends }) => spends.map(pointKey)))
}

/**
 * Writes down what these blocks prove of coins that left the chain: where another transaction
 * spends what the one spends that had brought a coin, that coin cannot come back while the block
 * stands. In the commit that connects the blocks; asks nothing where nothing was found in them.
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
