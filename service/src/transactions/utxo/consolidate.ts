import { listOwnAddresses } from '../../accounts/own-address.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { Address } from '../../chains/port.ts'
import { type Terms, coinTermsAt, coinTermsOf, priceOf } from '../../chains/spending.ts'
import { countFreeCoins, smallestCoins } from './free.ts'
import type { Tx } from '../../store/database.ts'
import { bearFee, giveBackRest } from '../core/bear-fee.ts'
import { broadcastStored } from '../core/broadcast.ts'
import type { Replacing } from '../nonce/bump.ts'
import { type Stored, Unsent, commitSpend } from '../core/commit-spend.ts'
import type { SpendFate } from '../core/fates.ts'
import { jointIntent } from './joint-intent.ts'
import type { Joining, SpendMeans } from '../core/mandate.ts'
import { enterOffice } from '../core/office.ts'
import { prepareSender } from '../prepare.ts'
import { feeOf } from './sign-coins.ts'
import { selectUnmined } from '../core/spend-rows.ts'
import { ownCoins, storeCoins } from './store-coins.ts'
import type { StuckCoins } from './stuck-coins.ts'

/** Of one transaction at most, so that it stays small enough to be passed on quickly. */
const JOINED_MAX = 500

/**
 * Joins the smaller half of the free coins of each organization that has many to one, while room in
 * blocks is cheap; the larger half stays free for payments, and the fee comes out of the
 * organization's balance. Coins that joining does not pay for are as good as not there: otherwise
 * whoever sends enough of them would end it. Answers with how many were sent. Throws an Outage
 * where the nodes are away.
 */
export async function consolidateCoins(means: SpendMeans, joining: Joining): Promise<number> {
  const rate = await means.adapter.feeRate()
  if (priceOf(rate) >= joining.belowPerKvb) return 0
  const terms = coinTermsAt(rate, means.caps.absolute)
  const chainId = means.entry.id
  const own = await means.database.transaction((tx) => listOwnAddresses(tx, { chainId }))
  let sent = 0
  for (const { address, purpose } of own) {
    if (purpose !== 'settlement') continue
    if (!(await prepareSender(means, address))) continue
    const stored = await commitSpend(
      means,
      { address, purpose: 'consolidation', subjectId: address },
      (tx) => join(tx, means, { address, terms, fromCoins: joining.fromCoins }),
      async () => null,
    )
    if ('outcome' in stored) continue
    const { spend, raw, height } = stored
    await broadcastStored(means, { ...spend, raw, height }, 'send')
    sent += 1
  }
  return sent
}

async function join(
  tx: Tx,
  means: SpendMeans,
  given: { address: Address; terms: Terms; fromCoins: number },
): Promise<Stored> {
  const { address, terms, fromCoins } = given
  const office = await enterOffice(tx, means, address)
  if ('outcome' in office) throw new Unsent(office)
  const { sender } = office
  const { orgId, chainId } = sender
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length > 0) throw new Unsent({ outcome: 'busy' })
  // As few as are ever joined.
  const among = { count: Math.max(2, halfOf(fromCoins)), change: address }
  const worthy = { orgId, chainId, least: means.adapter.leastToJoin(terms, among) }
  const count = await countFreeCoins(tx, worthy)
  if (count < fromCoins) throw new Unsent({ outcome: 'declined' })
  const coins = await smallestCoins(tx, { ...worthy, limit: halfOf(count) })
  const reservation = means.adapter.chooseAll(terms, { coins, change: address })
  if (reservation === null) throw new Unsent({ outcome: 'declined' })
  const tokenId = means.catalogue.nativeToken(chainId).id
  const intent = jointIntent({ chainId, tokenId, from: address }, [])
  const chosen = { coins: ownCoins(reservation, coins), change: reservation.change, intent }
  const id = tx.ids.next()
  const bearing = { catalogue: means.catalogue, sender, fee: feeOf(chosen), referenceId: id }
  const shortage = await bearFee(tx, { ...bearing, isOwn: true })
  if (shortage !== null) throw new Unsent(shortage)
  const spending = { office, id, purpose: 'consolidation', terms, payments: [] } as const
  return storeCoins(tx, means, { ...spending, ...chosen })
}

/** How many of so many coins are joined. */
function halfOf(count: number): number {
  return Math.min(JOINED_MAX, Math.floor(count / 2))
}

/**
 * Whether a replacement would pay more than joining coins is worth; where they are joined no more,
 * each would. For what does not join coins, a child above all, only the caps are a bound.
 */
export function isTooDear(
  { adapter, caps, joining }: SpendMeans,
  { last, rate, stuck }: Pick<Replacing, 'last' | 'rate'> & { stuck: StuckCoins },
): boolean {
  if (!stuck.isJoining) return false
  const limit = joining?.belowPerKvb ?? 0n
  const terms = adapter.bump(last.terms, rate, caps)
  return priceOf(rate) >= limit || (terms !== null && coinTermsOf(terms).perKvb >= limit)
}

/** What follows when the chain says what became of coins that were joined: it moves nothing. */
export function consolidationFate({ catalogue }: { catalogue: Catalogue }): SpendFate {
  const nothing = async () => undefined
  return {
    included: nothing,
    unincluded: nothing,
    settled: (tx, spend) => giveBackRest(tx, { catalogue, spend }),
    replaced: nothing,
    displaced: (tx, spend) => giveBackRest(tx, { catalogue, spend }),
  }
}
