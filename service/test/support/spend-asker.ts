import { post } from '../../src/ledger/post.ts'
import type { WithdrawalFields } from '@sluice/signer'
import { displayAddress } from '../../src/chains/format-address.ts'
import type { Tx } from '../../src/store/database.ts'
import { reversalOf, withdrawalPaid, withdrawalReleased } from '../../src/ledger/spend-postings.ts'
import type { Intent } from '../../src/chains/port.ts'
import type { Terms } from '../../src/chains/spending.ts'
import type { SpendHooks, HooksByPurpose } from '../../src/transactions/core/hooks.ts'
import type { PaymentRequest } from '../../src/transactions/core/payment-request.ts'
import { readSpendsOf } from '../../src/transactions/core/read.ts'
import { postShown } from '../../src/transactions/core/shown.ts'
import type { IncludedSpend } from '../../src/transactions/core/spend.ts'

/** Calls of an asker's hooks, in order, as `<hook> <subject>`. */
export type Told = string[]

/** A request of a subject that claims unless it has an active spend. */
export function askFor(
  told: Told,
  given: { orgId: string; subjectId: string; intent: Intent; terms: Terms },
): PaymentRequest {
  const { orgId, subjectId, intent } = given
  asked.set(subjectId, fieldsOf(given))
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

/** Fields of all that was asked for, by subject. */
const asked = new Map<string, WithdrawalFields>()

/** A subject as the signer sees it: a withdrawal. */
export function fieldsOf(given: {
  orgId: string
  subjectId: string
  intent: Intent
}): WithdrawalFields {
  const { chainId, tokenId, amount, to, memo } = given.intent
  return {
    orgId: given.orgId,
    id: given.subjectId,
    chainId,
    tokenId,
    amount: `${amount}`,
    recipient: displayAddress(chainId, to),
    memo,
    reference: given.subjectId,
    createdAt: '2026-01-01T00:00:00.000Z',
  }
}

/** The fields of subjects, or of those that have no spend. */
export async function askedFor(
  tx: Tx,
  query: Parameters<NonNullable<SpendHooks['withdrawals']>>[1],
): Promise<WithdrawalFields[]> {
  const { orgId } = query
  if ('ids' in query) return query.ids.flatMap((id) => asked.get(id) ?? [])
  const found: WithdrawalFields[] = []
  for (const fields of asked.values()) {
    if (fields.orgId !== orgId || fields.chainId !== query.chainId) continue
    const spends = await readSpendsOf(tx, { orgId, subjectId: fields.id })
    if (spends.length === 0) found.push(fields)
  }
  return found
}

/** Books the outcomes of spends like those of withdrawals, and records the calls. */
export function askersHooks(told: Told): HooksByPurpose {
  const asker = fateOf(told)
  const nothing = async () => undefined
  return {
    withdrawal: { ...asker, withdrawals: askedFor },
    sweep: asker,
    'top-up': asker,
    filler: { ...asker, onIncluded: nothing, onReorged: nothing },
    consolidation: asker,
    delegation: asker,
    undelegation: asker,
  }
}

function fateOf(told: Told): SpendHooks {
  const tell = (what: string, spend: { subjectId: string }) =>
    void told.push(`${what} ${spend.subjectId}`)
  return {
    onIncluded: async (tx, seen) => {
      tell(seen.succeeded ? 'paid' : 'reverted', seen)
      if (seen.succeeded) await postShown(tx, paid(seen))
    },
    onReorged: async (tx, undone) => {
      tell('undone', undone)
      if (undone.succeeded) await post(tx, [reversalOf(paid(undone))])
    },
    onSettled: async (_tx, spend) => tell('settled', spend),
    // How often is up to the fees of the day.
    onReplaced: async () => undefined,
    onDisplaced: async (tx, spend) => {
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
