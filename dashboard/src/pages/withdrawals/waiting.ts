import type { SingleWithdrawal } from '@sluice/client'
import { t } from '../../text/text.ts'

/** The reason why a withdrawal waits, and the next action. */
export interface Waiting {
  why: string
  next: string
  /** The page where the next action is. */
  link?: { href: string; text: string }
}

/** The reason why a withdrawal is not paid yet, in words; null after its end. */
export function waitingOf(
  {
    id,
    status,
    waitingFor,
    chainId,
  }: Pick<SingleWithdrawal, 'id' | 'status' | 'waitingFor' | 'chainId'>,
  missingApprovals: number,
): Waiting | null {
  if (status === 'Completed' || status === 'Failed' || status === 'Cancelled') return null
  const what = waitingFor ?? 'nothing'
  if (what === 'approvals') {
    const why = t('withdrawal.waiting.approvals.why', { count: missingApprovals })
    const link = { href: `/approvals/${id}`, text: t('withdrawal.waiting.approvals.link') }
    return { why, next: t('withdrawal.waiting.approvals.next'), link }
  }
  if (what === 'confirmations') {
    const which = status === 'Processing' ? 'confirmations' : 'funds'
    return plain(which)
  }
  if (what === 'gas')
    return {
      ...plain('gas'),
      link: { href: '/gas-station', text: t('withdrawal.waiting.gasLink') },
    }
  if (what === 'chain') {
    const link = { href: `/chains/${chainId}`, text: t('withdrawal.waiting.chainLink') }
    return { ...plain('chain'), link }
  }
  return plain(what)
}

type Plain = 'confirmations' | 'funds' | 'gas' | 'fee' | 'chain' | 'signer' | 'operator' | 'nothing'

function plain(what: Plain) {
  return {
    why: t(`withdrawal.waiting.${what}.why`),
    next: t(`withdrawal.waiting.${what}.next`),
  }
}

const FAILURES = [
  'INSUFFICIENT_GAS',
  'INSUFFICIENT_BALANCE',
  'FEE_TOO_HIGH',
  'RECIPIENT_REFUSES',
  'REVERTED',
  'DISPLACED',
  'EXPIRED',
] as const

/** The next action after a failure; `txnError` of the record has the reason. */
export function nextAfter(failureCode: string | null): string {
  const known = FAILURES.find((code) => code === failureCode)
  return t(`withdrawal.failure.${known ?? 'other'}`)
}
