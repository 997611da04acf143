import type { OwnCoin } from '../coins/coin.ts'
import { pointKey } from '../coins/coin.ts'
import { freeCoins } from '../coins/free.ts'
import { assertLease } from '../store/lease.ts'
import { haltSender } from './halt.ts'
import type { SpendMeans } from './mandate.ts'
import type { Sender } from './sender.ts'
import { selectSenderForUpdate } from './sender-rows.ts'

/** More free coins than payments choose from. */
const COMPARED_MAX = 20_000

/**
 * Compares the coins that a sender may spend now with the nodes' pools: one that is spent there was
 * spent by a transaction that we have forgotten, as after the restore of an old backup. It may pay
 * what is still to be paid, and other coins would pay it once more: so the sender is halted before
 * anything is signed (W25). What no pool knows any more is not found.
 */
export async function compareCoins(
  { adapter, database, entry, lease }: SpendMeans,
  { orgId, address }: Pick<Sender, 'orgId' | 'address'>,
): Promise<void> {
  if (adapter.pooled === undefined) return
  const chainId = entry.id
  const whose = { orgId, chainId, limit: COMPARED_MAX }
  const free = await database.transaction((tx) => freeCoins(tx, whose))
  const pooled = await adapter.pooled(free)
  const taken = new Set(free.filter((_, at) => pooled[at] === true).map(pointKey))
  if (taken.size === 0) return
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await selectSenderForUpdate(tx, { chainId, address })
    // What another sender of the organization has signed meanwhile is not forgotten.
    const forgotten = (await freeCoins(tx, whose)).filter((coin) => taken.has(pointKey(coin)))
    if (forgotten.length > 0) await halt(tx, { chainId, address }, forgotten)
  })
}

async function halt(
  tx: Parameters<typeof haltSender>[0],
  sender: Pick<Sender, 'chainId' | 'address'>,
  forgotten: readonly OwnCoin[],
): Promise<void> {
  const coins = forgotten.map(pointKey)
  const message =
    `Transactions that we do not remember wait for a block and spend coins that ` +
    `${sender.address} pays with: ${coins.slice(0, NAMED_MAX).join(', ')}.`
  await haltSender(tx, { ...sender, code: 'spend.forgotten', message, details: { coins } })
}

/** Coins that a message names. */
const NAMED_MAX = 10
