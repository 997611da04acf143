import { payingBy } from '../../chains/chain-adapter.ts'
import type { Terms } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import { commitAndBroadcast, type Stored, Unsent } from '../core/commit-spend.ts'
import { jointIntent, type SpendDeps } from '../core/payment-request.ts'
import type { Replacing } from '../core/replacing.ts'
import { deleteSpeedUp } from '../core/speed-up-rows.ts'
import { chargeFee } from './charge-fee.ts'
import { reserveForeseen } from './reserve.ts'
import { feeOf } from './sign-coins.ts'
import { storeCoins } from './store-coins.ts'
import { readStuck, type StuckCoins } from './stuck-coins.ts'

/**
 * Sends a child (CPFP) for a Bitcoin transaction that cannot be replaced: it spends the change of
 * the stuck one, returns it to us, and pays enough for both. At most one for each transaction, and
 * none for a child. Returns whether it was sent.
 */
export async function sendChild(
  deps: SpendDeps,
  { spend, last, rate, patience }: Replacing,
): Promise<boolean> {
  if (spend.purpose !== 'withdrawal') return false
  const { absolute } = deps.caps
  const terms = deps.adapter.bump(last.terms, rate, { absolute })
  if (terms === null) return false
  const sent = await commitAndBroadcast(deps, {
    address: spend.sender,
    purpose: 'consolidation',
    subjectId: spend.id,
    step: 'bump',
    sign: async (tx) => {
      const stuck = await readStuck(tx, deps, { spend, last, patience })
      return signChild(tx, deps, { stuck, terms })
    },
  })
  if (sent.outcome !== 'sent') return false
  const { txnHash: child } = sent.spend
  deps.log.info({ parent: spend.txnHash, child }, 'child was sent for its parent')
  return true
}

async function signChild(
  tx: Tx,
  deps: SpendDeps,
  { stuck, terms }: { stuck: StuckCoins | null; terms: Terms },
): Promise<Stored> {
  // A transaction without one of its inputs cannot be included at any fee.
  const output = stuck?.inputs.gone.size === 0 ? stuck.bytes.change : null
  if (stuck === null || output === null) throw new Unsent({ outcome: 'declined' })
  const { lockedSender, spend, bytes } = stuck
  const { fee, vsize } = bytes
  const { sender } = lockedSender
  const { orgId, chainId, address: change } = sender
  const offer = { output, stuck: { fee, vsize }, change }
  const reservation = payingBy(deps.adapter, 'utxo').chooseChild(terms, offer)
  if (reservation === null) throw new Unsent({ outcome: 'declined' })
  const { tokenId } = spend
  const intent = jointIntent({ chainId, tokenId, from: change }, [])
  const chosen = { coins: [output], change: reservation.change, intent }
  const id = tx.ids.next()
  const { catalogue } = deps
  const charge = { catalogue, sender, fee: feeOf(chosen), referenceId: id }
  const shortage = await chargeFee(tx, charge)
  if (shortage !== null) throw new Unsent(shortage)
  await deleteSpeedUp(tx, spend)
  await reserveForeseen(tx, { orgId, chainId, spendId: id, coin: output })
  const spending = { lockedSender, id, purpose: 'consolidation', terms, payments: [] } as const
  return storeCoins(tx, deps, { ...spending, ...chosen, isForeseen: true })
}
