import { proveOwnAddress } from '../accounts/own-address.ts'
import { assert } from '../base/assert.ts'
import { isSuspended } from '../catalogue/token-check.ts'
import type { Intent } from '../chains/port.ts'
import { maxFeeOf, type Terms } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import type { PaymentRequest } from '../transactions/core/payment-request.ts'
import type { SweepDeps } from './deps.ts'
import { lockWaiting, moveSweep, noteSpend } from './rows.ts'
import { type Sweep, SWEEP_MOVES } from './sweep.ts'
import { spotKey, sweepableAt } from './sweepable.ts'

/**
 * The payment request of a sweep. Its claim locks the row, proves the settlement address from the
 * seed, and recomputes what may be moved: deposits held or undone meanwhile stay.
 */
export function requestFor(
  deps: Pick<SweepDeps, 'catalogue' | 'entry' | 'keys' | 'crash'>,
  { sweep, intent, terms }: { sweep: Sweep; intent: Intent; terms: Terms },
): PaymentRequest {
  const { orgId, id } = sweep
  return {
    purpose: 'sweep',
    orgId,
    subjectId: id,
    intent,
    terms,
    claim: (tx) => claimSweep(tx, deps, { sweep, intent, terms }),
    sent: (tx, spend) => noteSpend(tx, { orgId, id, spendId: spend.id }),
  }
}

async function claimSweep(
  tx: Tx,
  { catalogue, entry, keys, crash }: Pick<SweepDeps, 'catalogue' | 'entry' | 'keys' | 'crash'>,
  drafted: { sweep: Sweep; intent: Intent; terms: Terms },
): Promise<Intent | null> {
  const { orgId, id } = drafted.sweep
  const sweep = await lockWaiting(tx, { orgId, id })
  if (sweep === null || (await isSuspended(tx, sweep.tokenId))) return null
  const settlement = await proveOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' })
  const isRight = settlement?.address === drafted.intent.to && sweep.address === drafted.intent.from
  assert(isRight, 'sweep does not go to the settlement account', { id })
  const { chainId, tokenId } = sweep
  const there = (await sweepableAt(tx, { chainId, spots: [sweep] })).get(spotKey(sweep)) ?? 0n
  const isNative = catalogue.nativeToken(chainId).id === tokenId
  // Of the native currency everything goes but the most that the fee may come to.
  const amount = isNative ? there - maxFeeOf(drafted.terms) : drafted.intent.amount
  if (amount <= 0n || there < amount) return null
  const move = SWEEP_MOVES.send
  if ((await moveSweep(tx, { orgId, id, move, amount })) === null) return null
  crash?.('sweep.claimed')
  return { ...drafted.intent, tokenId, amount }
}
