import type { Terms } from '../../chains/spending.ts'
import { reserveForeseen } from './reserve.ts'
import type { Tx } from '../../store/database.ts'
import { bearFee } from '../core/bear-fee.ts'
import { broadcastStored } from '../core/broadcast.ts'
import type { Replacing } from '../nonce/bump.ts'
import { type Stored, Unsent, commitSpend } from '../core/commit-spend.ts'
import { jointIntent } from './joint-intent.ts'
import type { SpendMeans } from '../core/mandate.ts'
import { feeOf } from './sign-coins.ts'
import { storeCoins } from './store-coins.ts'
import { type StuckCoins, readStuck } from './stuck-coins.ts'

/**
 * Lets a child pay for a transaction of coins that cannot be replaced: a spend of our own that
 * takes what the stuck one returns to us, returns it once more, and is so dear that the two
 * together pay the rate. One for each, and none for a child. Answers whether there is one now.
 */
export async function raiseChild(
  means: SpendMeans,
  { spend, last, rate, patience }: Replacing,
): Promise<boolean> {
  if (spend.purpose !== 'withdrawal') return false
  const { absolute } = means.caps
  const terms = means.adapter.bump(last.terms, rate, { absolute })
  if (terms === null) return false
  const stored = await commitSpend(
    means,
    { address: spend.sender, purpose: 'consolidation', subjectId: spend.id },
    async (tx) => {
      const stuck = await readStuck(tx, means, { spend, last, patience })
      return signChild(tx, means, { stuck, terms })
    },
    // Where it stands nobody asks for another: what it spends is reserved.
    async () => null,
  )
  if ('outcome' in stored) return false
  const { spend: child, raw, height } = stored
  means.log.info({ parent: spend.txnHash, child: child.txnHash }, 'a child pays for its parent')
  means.crash?.('bump.committed')
  await broadcastStored(means, { ...child, raw, height }, 'bump')
  return true
}

async function signChild(
  tx: Tx,
  means: SpendMeans,
  { stuck, terms }: { stuck: StuckCoins | null; terms: Terms },
): Promise<Stored> {
  // What lacks a coin cannot be included, whoever pays for it.
  const output = stuck?.gone.size === 0 ? stuck.change : null
  if (stuck === null || output === null) throw new Unsent({ outcome: 'declined' })
  const { office, fee, vsize, spend } = stuck
  const { sender } = office
  const { orgId, chainId, address: change } = sender
  const offer = { output, stuck: { fee, vsize }, change }
  const reservation = means.adapter.chooseChild(terms, offer)
  if (reservation === null) throw new Unsent({ outcome: 'declined' })
  const { tokenId } = spend
  const intent = jointIntent({ chainId, tokenId, from: change }, [])
  const chosen = { coins: [output], change: reservation.change, intent }
  const id = tx.ids.next()
  const { catalogue } = means
  const bearing = { catalogue, sender, fee: feeOf(chosen), referenceId: id }
  const shortage = await bearFee(tx, bearing)
  if (shortage !== null) throw new Unsent(shortage)
  await reserveForeseen(tx, { orgId, chainId, spendId: id, coin: output })
  const spending = { office, id, purpose: 'consolidation', terms, payments: [] } as const
  return storeCoins(tx, means, { ...spending, ...chosen, isForeseen: true })
}
