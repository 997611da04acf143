import { sum } from '../base/amount.ts'
import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { suspendWithAlert } from '../alerts/suspend-token.ts'
import { emitPlaceBalance } from '../gas/emit-place-balance.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import { post } from '../ledger/post.ts'
import type { Posting } from '../ledger/posting.ts'
import { reversalOf, swept } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import type { SeenSpend, SpendHooks } from '../transactions/core/hooks.ts'
import { postShown } from '../transactions/core/shown.ts'
import type { IncludedSpend, Spend } from '../transactions/core/spend.ts'
import { moveSweep, selectFailures, selectSweep } from './rows.ts'
import { FAILURES_MS, SWEEP_MOVES } from './sweep.ts'

/**
 * Hooks of sweeps: the amount that reached the settlement account is posted; if it is less than the
 * sweep's, the token is suspended.
 */
export function sweepHooks({ catalogue }: { catalogue: Catalogue }): SpendHooks {
  return {
    onIncluded: async (tx, seen) => {
      const { orgId, subjectId: id } = seen
      if (!seen.succeeded) {
        const cause = `the transaction ${seen.txnHash} failed on the chain`
        const failed = { orgId, id, move: SWEEP_MOVES.fail, cause }
        await moveSweep(tx, { ...failed, failureCode: 'REVERTED' })
        return
      }
      const shown = movedBy(seen)
      // At most the amount of the sweep: a token that reports more is not believed.
      const moved = shown < seen.amount ? shown : seen.amount
      await moveSweep(tx, { orgId, id, move: SWEEP_MOVES.done, moved })
      await book(tx, catalogue, { spend: seen, moved })
      if (shown !== seen.amount) await suspendForLoss(tx, seen, shown)
      else await resolveRefusal(tx, seen)
    },
    onReorged: async (tx, undone) => {
      const { orgId, subjectId: id } = undone
      const sweep = await selectSweep(tx, { orgId, id })
      assert(sweep !== null, 'sweep not found', { orgId, id })
      await moveSweep(tx, { orgId, id, move: SWEEP_MOVES.undo, moved: 0n })
      if (undone.succeeded) await unbook(tx, catalogue, { spend: undone, moved: sweep.moved })
    },
    onSettled: async () => undefined,
    onReplaced: async () => undefined,
    onDisplaced: async (tx, { orgId, subjectId: id, chainId }) => {
      const entry = catalogue.chain(chainId)
      const counts = entry === null || entry.accountNumbers !== 'none'
      const cause = counts
        ? 'a foreign transaction took its nonce'
        : 'it and all its replacements have expired'
      const failureCode = counts ? 'DISPLACED' : 'EXPIRED'
      await moveSweep(tx, { orgId, id, move: SWEEP_MOVES.fail, cause, failureCode })
    },
  }
}

/**
 * The amount that reached the settlement account, as the block shows it; some tokens deliver less.
 */
function movedBy({ transfers, sender, recipient, tokenId }: SeenSpend): bigint {
  const ours = transfers.filter(
    (one) => one.from === sender && one.to === recipient && one.tokenId === tokenId,
  )
  return sum(ours.map(({ amount }) => amount))
}

interface Booking {
  spend: IncludedSpend
  moved: bigint
}

async function book(tx: Tx, catalogue: Catalogue, { spend, moved }: Booking): Promise<void> {
  if (moved === 0n) return
  await postShown(tx, postingOf({ spend, moved }))
  await emitSettlementBalance(tx, catalogue, { spend, delta: moved })
}

async function unbook(tx: Tx, catalogue: Catalogue, { spend, moved }: Booking): Promise<void> {
  if (moved === 0n) return
  await post(tx, [reversalOf(postingOf({ spend, moved }))])
  await emitSettlementBalance(tx, catalogue, { spend, delta: -moved })
}

function postingOf({ spend, moved: amount }: Booking): Posting {
  const { orgId, chainId, tokenId, subjectId: referenceId, block, sender, recipient } = spend
  const moved = { orgId, chainId, tokenId, amount, referenceId, blockHeight: block.height }
  return swept(moved, { from: sender, to: recipient })
}

/** Resolves the alert of a token that was refused before. */
async function resolveRefusal(tx: Tx, { chainId, sender, tokenId }: SeenSpend): Promise<void> {
  const since = tx.clock.now() - FAILURES_MS
  const failed = await selectFailures(tx, { chainId, addresses: [sender], since })
  if (!failed.some((one) => one.tokenId === tokenId)) return
  await resolveAlert(tx, { code: 'sweep.refused', subject: tokenId })
}

/** The token caused the difference; the audit shows the address. */
async function suspendForLoss(tx: Tx, spend: SeenSpend, shown: bigint): Promise<void> {
  const { tokenId, chainId, txnHash, amount } = spend
  const cause = `a sweep of ${amount} base units brought ${shown}`
  await suspendWithAlert(tx, { tokenId, chainId, cause }, { txnHash })
}

/** Emits the settlement account's balance before and after. */
function emitSettlementBalance(
  tx: Tx,
  catalogue: Catalogue,
  { spend, delta }: { spend: Spend; delta: bigint },
): Promise<void> {
  const { recipient: address } = spend
  return emitPlaceBalance(tx, catalogue, {
    spend,
    kind: 'settlement',
    address,
    delta,
    reason: 'sweep',
  })
}
