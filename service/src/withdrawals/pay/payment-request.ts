import { assert } from '../../base/assert.ts'
import type { Address, Intent } from '../../chains/port.ts'
import type { Terms } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type {
  JointPaymentRequest,
  PaymentRequest,
} from '../../transactions/core/payment-request.ts'
import type { Spend } from '../../transactions/core/spend.ts'
import { emitWithdrawal } from '../payload.ts'
import { moveWithdrawal, noteOutcome } from '../rows.ts'
import { MOVES } from '../withdrawal.ts'
import { decide } from './decide.ts'
import { type Inspecting, inspect } from './inspect.ts'

/** Payments of one organization that one transaction makes, by withdrawal, oldest first. */
export interface Batch {
  orgId: string
  from: Address
  intents: Map<string, Intent>
}

/**
 * The request to pay one withdrawal. In the signing transaction its row is locked and decided about
 * once more, so that no change since the first decision is missed; `Processing` begins when the
 * bytes are stored (decisions, 7).
 */
export function requestFor(
  deps: Inspecting,
  wanted: { orgId: string; id: string; intent: Intent; terms: Terms },
): PaymentRequest {
  const { orgId, id, intent, terms } = wanted
  return {
    purpose: 'withdrawal',
    orgId,
    subjectId: id,
    intent,
    terms,
    claim: async (tx) => {
      const [found = null] = await payableOf(tx, deps, { orgId, intents: new Map([[id, intent]]) })
      return found && found.intent
    },
    sent: (tx, spend) => begin(tx, deps, { id, spend }),
  }
}

/**
 * The request to pay several withdrawals with one transaction. Each is decided alone: those that
 * may no longer be paid are left out.
 */
export function jointRequestFor(
  deps: Inspecting,
  { batch: { orgId, from, intents }, terms }: { batch: Batch; terms: Terms },
): JointPaymentRequest {
  const payments = [...intents].map(([id, { to, amount }]) => ({ subjectId: id, to, amount }))
  return {
    orgId,
    from,
    payments,
    terms,
    claim: async (tx) => {
      const payable = await payableOf(tx, deps, { orgId, intents })
      return payable.map(({ id, intent: { to, amount } }) => ({ subjectId: id, to, amount }))
    },
    sent: async (tx, spend, paid) => {
      for (const { subjectId: id } of paid) await begin(tx, deps, { id, spend })
    },
  }
}

/** The payments that may be signed now, as their rows state them, in the same order. */
async function payableOf(
  tx: Tx,
  deps: Inspecting,
  { orgId, intents }: Pick<Batch, 'orgId' | 'intents'>,
): Promise<{ id: string; intent: Intent }[]> {
  const payable = new Map<string, Intent>()
  for (const facts of await inspect(tx, deps, { orgId, ids: [...intents.keys()] })) {
    const decision = decide(facts, null)
    if (decision.act === 'pay') payable.set(facts.withdrawal.id, decision.intent)
  }
  return [...intents].flatMap(([id, wanted]) => {
    const intent = payable.get(id)
    return intent !== undefined && isSame(intent, wanted) ? [{ id, intent }] : []
  })
}

function isSame(one: Intent, other: Intent): boolean {
  return one.chainId === other.chainId && one.tokenId === other.tokenId && one.from === other.from
}

async function begin(
  tx: Tx,
  { catalogue }: Pick<Inspecting, 'catalogue'>,
  { id, spend }: { id: string; spend: Spend },
): Promise<void> {
  const { orgId, id: spendId, txnHash } = spend
  const moved = await moveWithdrawal(tx, { orgId, id, move: MOVES.process })
  assert(moved !== null, 'a claimed withdrawal changed its status', { id })
  const withdrawal = await noteOutcome(tx, { orgId, id, spendId, txnHash })
  emitWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })
}
