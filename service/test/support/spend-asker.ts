import { post } from '../../src/ledger/post.ts'
import { reversalOf, withdrawalPaid, withdrawalReleased } from '../../src/ledger/spend-postings.ts'
import type { Intent } from '../../src/chains/port.ts'
import type { Terms } from '../../src/chains/spending.ts'
import type { SpendHooks, SpendFates } from '../../src/transactions/core/fates.ts'
import type { Mandate } from '../../src/transactions/core/mandate.ts'
import { readSpendsOf } from '../../src/transactions/core/read.ts'
import { postShown } from '../../src/transactions/core/shown.ts'
import type { IncludedSpend } from '../../src/transactions/core/spend.ts'

/** Calls of an asker's hooks, in order, as `<hook> <subject>`. */
export type Told = string[]

/** A request of a subject that claims unless it has an active spend. */
export function askFor(
  told: Told,
  given: { orgId: string; subjectId: string; intent: Intent; terms: Terms },
): Mandate {
  const { orgId, subjectId, intent } = given
  return {
    ...given,
    purpose: 'withdrawal',
    claim: async (tx) => {
      const spends = await readSpendsOf(tx, { orgId, subjectId })
      return spends.some(({ state }) => state !== 'Displaced') ? null : intent
    },
    sent: async (_tx, spend) => void told.push(`sent ${spend.subjectId}`),
  }
}

/** Books the outcomes of spends like those of withdrawals, and records the calls. */
export function askersFates(told: Told): SpendFates {
  const asker = fateOf(told)
  const nothing = async () => undefined
  return {
    withdrawal: asker,
    sweep: asker,
    'top-up': asker,
    filler: { ...asker, included: nothing, unincluded: nothing },
    consolidation: asker,
    delegation: asker,
    undelegation: asker,
  }
}

function fateOf(told: Told): SpendHooks {
  const tell = (what: string, spend: { subjectId: string }) =>
    void told.push(`${what} ${spend.subjectId}`)
  return {
    included: async (tx, seen) => {
      tell(seen.succeeded ? 'paid' : 'reverted', seen)
      if (seen.succeeded) await postShown(tx, paid(seen))
    },
    unincluded: async (tx, undone) => {
      tell('undone', undone)
      if (undone.succeeded) await post(tx, [reversalOf(paid(undone))])
    },
    settled: async (_tx, spend) => tell('settled', spend),
    // How often is up to the fees of the day.
    replaced: async () => undefined,
    displaced: async (tx, spend) => {
      tell('displaced', spend)
      const moved = { ...spend, referenceId: spend.subjectId, blockHeight: null }
      await post(tx, [withdrawalReleased(moved)])
    },
  }
}

function paid(spend: IncludedSpend) {
  const { subjectId: referenceId, block, sender } = spend
  return withdrawalPaid({ ...spend, referenceId, blockHeight: block.height }, sender)
}
