import type { RowVerifier } from '../../accounts/row-mac.ts'
import { matchAddresses } from '../../accounts/watch.ts'
import { assert } from '../../base/assert.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { watchScope } from '../../catalogue/scope.ts'
import type { Block } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { gainRows } from './chain-rows.ts'
import { type OwnCoin, pointKey, pointOf } from './coin.ts'
import { insertOrigins } from './origin-rows.ts'
import { selectAt } from './coin-rows.ts'

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
export async function gainCoins(tx: Tx, given: Reading, ownersOf: OwnersOf): Promise<void> {
  if (given.entry.paymentModel !== 'utxo') return
  const brought = await broughtBy(tx, given)
  await keepOrigins(tx, given, brought)
  const fresh = await unknownAmong(tx, given.entry, brought)
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
  const standing = await selectAt(tx, { chainId, points: brought })
  const known = new Map(standing.map((coin) => [pointKey(coin), coin.block]))
  return brought.filter((coin) => {
    const before = known.get(pointKey(coin)) ?? null
    const isElsewhere = before !== null && before.hash !== coin.block?.hash
    assert(!isElsewhere, 'a coin in two blocks', { coin, before })
    return before === null
  })
}
