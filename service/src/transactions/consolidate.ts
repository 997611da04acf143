import type { Slot } from '@sluice/signer'
import { payingBy } from '../chains/chain-adapter.ts'
import { listOwnAddresses } from '../accounts/own-address.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Address } from '../chains/port.ts'
import { coinTermsAt, priceOf, type Terms } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { commitAndBroadcast, type Stored, Unsent } from './core/commit-spend.ts'
import type { SpendHooks } from './core/hooks.ts'
import { lockSender } from './core/lock-sender.ts'
import { type Joining, jointIntent, type SpendDeps } from './core/payment-request.ts'
import { selectUnmined } from './core/spend-rows.ts'
import { readUnstored } from './core/unstored.ts'
import { prepareSender } from './prepare.ts'
import { chargeFee, releaseUnusedFee } from './utxo/charge-fee.ts'
import { countFreeCoins, freeCoins } from './utxo/coin-rows.ts'
import { coinsIn } from './utxo/coin.ts'
import { feeOf } from './utxo/sign-coins.ts'
import { ownCoins, storeCoins } from './utxo/store-coins.ts'

/** Of one transaction at most, so that it stays small enough to be passed on quickly. */
const JOINED_MAX = 500

/**
 * Consolidates, while fees are low, the smaller half of the free coins of each organization that
 * has many. The larger half stays free for payments; the organization's balance pays the fee. Coins
 * that cost more to join than they hold are not counted, so that an attacker who sends many of them
 * cannot stop consolidation. Returns the number of transactions sent. Throws an Outage if no node
 * answers.
 */
export async function consolidateCoins(deps: SpendDeps, joining: Joining): Promise<number> {
  const rate = await deps.adapter.feeRate()
  if (priceOf(rate) >= joining.belowPerKvb) return 0
  const terms = coinTermsAt(rate, deps.caps.absolute)
  const chainId = deps.entry.id
  const own = await deps.database.transaction((tx) => listOwnAddresses(tx, { chainId }))
  let sent = 0
  for (const { address, purpose } of own) {
    if (purpose !== 'settlement') continue
    if (!(await prepareSender(deps, address))) continue
    const { outcome } = await commitAndBroadcast(deps, {
      address,
      purpose: 'consolidation',
      subjectId: address,
      step: 'send',
      sign: (tx) => join(tx, deps, { address, terms, fromCoins: joining.fromCoins }),
    })
    if (outcome === 'sent') sent += 1
  }
  return sent
}

async function join(
  tx: Tx,
  deps: SpendDeps,
  { address, terms, fromCoins }: { address: Address; terms: Terms; fromCoins: number },
): Promise<Stored> {
  const lockedSender = await lockSender(tx, deps, address)
  if ('outcome' in lockedSender) throw new Unsent(lockedSender)
  const { sender } = lockedSender
  const { orgId, chainId } = sender
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length > 0) throw new Unsent({ outcome: 'busy' })
  // As few as are ever joined.
  const among = { count: Math.max(2, halfOf(fromCoins)), change: address }
  const adapter = payingBy(deps.adapter, 'utxo')
  const worthy = { orgId, chainId, least: adapter.leastToJoin(terms, among) }
  const count = await countFreeCoins(tx, worthy)
  if (count < fromCoins) throw new Unsent({ outcome: 'declined' })
  const coins = await freeCoins(tx, { ...worthy, order: 'smallest', limit: halfOf(count) })
  const id = tx.ids.next()
  const spend = { id, purpose: 'consolidation', subjectIds: [] } as const
  const isUnused = (slot: Slot) => coinsIn(slot, coins).length > 0
  if ((await readUnstored(tx, deps, { sender, spend, isUnused })) !== null)
    throw new Unsent({ outcome: 'declined' })
  const reservation = adapter.chooseAll(terms, { coins, change: address })
  if (reservation === null) throw new Unsent({ outcome: 'declined' })
  const tokenId = deps.catalogue.nativeToken(chainId).id
  const intent = jointIntent({ chainId, tokenId, from: address }, [])
  const chosen = { coins: ownCoins(reservation, coins), change: reservation.change, intent }
  const charge = { catalogue: deps.catalogue, sender, fee: feeOf(chosen), referenceId: id }
  const shortage = await chargeFee(tx, { ...charge, isOwn: true })
  if (shortage !== null) throw new Unsent(shortage)
  const spending = { lockedSender, id, purpose: 'consolidation', terms, payments: [] } as const
  return storeCoins(tx, deps, { ...spending, ...chosen })
}

/** How many of so many coins are joined. */
function halfOf(count: number): number {
  return Math.min(JOINED_MAX, Math.floor(count / 2))
}

/** Hooks of consolidations: they move no money and release what is left of the fee. */
export function consolidationHooks({ catalogue }: { catalogue: Catalogue }): SpendHooks {
  const nothing = async () => undefined
  return {
    onIncluded: nothing,
    onReorged: nothing,
    onSettled: (tx, spend) => releaseUnusedFee(tx, { catalogue, spend }),
    onReplaced: nothing,
    onDisplaced: (tx, spend) => releaseUnusedFee(tx, { catalogue, spend }),
  }
}
