import type { ChainId } from '@sluice/wire'
import { writeAudit } from '../audit-log/write-audit.ts'
import { Refusal } from '../base/fault.ts'
import type { Tx } from '../store/database.ts'
import { readSpendsOf, type SpendRecord } from '../transactions/core/read.ts'
import {
  type FeeRules,
  foreseeSpeedUp,
  requestReplacement,
  type SpeedUpOutlook,
} from '../transactions/speed-up.ts'
import { readAuthentic } from './list.ts'
import type { MacKey } from './mac.ts'
import type { Withdrawal } from './withdrawal.ts'

/** The fee rules of a chain; null if the catalogue does not have the chain. */
export type RulesOf = (chainId: ChainId) => FeeRules | null

/** The spends of a withdrawal, and whether its transaction can be replaced. */
export interface Payments {
  spends: readonly SpendRecord[]
  outlook: SpeedUpOutlook
}

/** All that was signed for a withdrawal, and whether a speed-up is possible now. */
export async function readPayments(
  tx: Tx,
  { withdrawal, rulesOf }: { withdrawal: Withdrawal; rulesOf: RulesOf },
): Promise<Payments> {
  const { orgId, id, chainId, status } = withdrawal
  const spends = await readSpendsOf(tx, { orgId, subjectId: id })
  const spend = spends.at(-1)
  const rules = rulesOf(chainId)
  const ended = { earlier: null, requestedAt: null }
  if (status === 'Cancelled' || status === 'Failed')
    return { spends, outlook: { ...ended, reason: 'ended' } }
  if (spend === undefined || rules === null)
    return { spends, outlook: { ...ended, reason: 'unsigned' } }
  return { spends, outlook: await foreseeSpeedUp(tx, rules, spend) }
}

/**
 * Requests that the transaction of a withdrawal is replaced by one with a higher fee without the
 * wait for the automatic replacement. A repetition changes nothing. Refuses with
 * WITHDRAWAL_NOT_FOUND, WITHDRAWAL_NOT_REPLACEABLE (`reason`), and as Tampered.
 */
export async function speedUpWithdrawal(
  tx: Tx,
  serviceKey: MacKey,
  { rulesOf, actor, ...named }: { rulesOf: RulesOf; orgId: string; id: string; actor: string },
): Promise<{ withdrawal: Withdrawal; outlook: SpeedUpOutlook }> {
  const withdrawal = await readAuthentic(tx, serviceKey, named)
  const { spends, outlook } = await readPayments(tx, { withdrawal, rulesOf })
  const spend = spends.at(-1)
  if (outlook.reason !== null || spend === undefined) throw notReplaceable(withdrawal, outlook)
  const { orgId, id } = withdrawal
  const { txnHash } = spend
  if (await requestReplacement(tx, spend)) {
    const action = 'withdrawal.speed-up'
    await writeAudit(tx, { orgId, actor, action, object: id, details: { txnHash } })
  }
  return { withdrawal, outlook: { ...outlook, requestedAt: outlook.requestedAt ?? tx.clock.now() } }
}

/** Names the earlier withdrawal, which can be sped up instead. */
function notReplaceable({ id, status }: Withdrawal, { reason, earlier }: SpeedUpOutlook): Refusal {
  return new Refusal('WITHDRAWAL_NOT_REPLACEABLE', {
    id,
    status,
    reason: reason ?? 'unsigned',
    ...(earlier?.purpose === 'withdrawal' && { earlierWithdrawalId: earlier.subjectId }),
  })
}
