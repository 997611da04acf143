import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { post } from '../ledger/post.ts'
import type { Posting } from '../ledger/posting.ts'
import { reversalOf, toppedUp } from '../ledger/spend-postings.ts'
import type { SpendFate } from '../transactions/core/fates.ts'
import { postShown } from '../transactions/core/shown.ts'
import type { IncludedSpend, Spend } from '../transactions/core/spend.ts'
import type { Tx } from '../store/database.ts'
import { moveTopUp, selectTopUp } from './rows.ts'
import { tellPlace } from './tell-place.ts'
import { TOP_UP_MOVES, type TopUp } from './top-up.ts'

/** What follows when the chain says what became of a top-up, in the scanner's own commit. */
export function topUpFate({ catalogue }: { catalogue: Catalogue }): SpendFate {
  return {
    included: async (tx, seen) => {
      const move = seen.succeeded ? TOP_UP_MOVES.done : TOP_UP_MOVES.fail
      await moveTopUp(tx, { orgId: seen.orgId, id: seen.subjectId, move })
      if (!seen.succeeded) return
      const posting = await postingOf(tx, seen)
      await postShown(tx, posting)
      await tellGas(tx, catalogue, { spend: seen, delta: -seen.amount })
    },
    unincluded: async (tx, undone) => {
      const move = TOP_UP_MOVES.undo
      await moveTopUp(tx, { orgId: undone.orgId, id: undone.subjectId, move })
      if (!undone.succeeded) return
      await post(tx, [reversalOf(await postingOf(tx, undone))])
      await tellGas(tx, catalogue, { spend: undone, delta: undone.amount })
    },
    settled: async () => undefined,
    replaced: async () => undefined,
    displaced: async (tx, { orgId, subjectId: id }) => {
      await moveTopUp(tx, { orgId, id, move: TOP_UP_MOVES.fail })
    },
  }
}

/** Fillers move nothing: their fee is booked by the spends room. */
export function fillerFate(): SpendFate {
  const nothing = async () => undefined
  return {
    included: nothing,
    unincluded: nothing,
    settled: nothing,
    replaced: nothing,
    displaced: nothing,
  }
}

/** From the spend as it was signed; only the kind of its place is the top-up's to say. */
async function postingOf(tx: Tx, spend: IncludedSpend): Promise<Posting> {
  const topUp = await readTopUp(tx, spend)
  const { orgId, chainId, tokenId, amount, block, sender, recipient } = spend
  const moved = { orgId, chainId, tokenId, amount, referenceId: topUp.id }
  const to = { kind: topUp.place, address: recipient }
  return toppedUp({ ...moved, blockHeight: block.height }, { from: sender, to })
}

async function readTopUp(tx: Tx, { orgId, subjectId: id }: Spend): Promise<TopUp> {
  const topUp = await selectTopUp(tx, { orgId, id })
  assert(topUp !== null, 'a top-up that nobody asked for', { orgId, id })
  return topUp
}

/** What the gas wallet holds, after and before. */
function tellGas(
  tx: Tx,
  catalogue: Catalogue,
  { spend, delta }: { spend: Spend; delta: bigint },
): Promise<void> {
  const { sender: address } = spend
  return tellPlace(tx, catalogue, { spend, kind: 'gas', address, delta, reason: 'gas' })
}
