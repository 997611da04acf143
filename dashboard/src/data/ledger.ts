import type { LedgerEntry } from '@sluice/client'

/** The accounts that entries can be filtered by. */
export const LEDGER_ACCOUNTS = [
  'claim:available',
  'claim:reserved',
  'claim:unconfirmed',
  'claim:below_minimum',
  'claim:held',
  'claim:unattributed',
  'claim:gas',
  'place:settlement',
  'place:deposits',
  'place:gas',
] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** An account of the ledger without its address, and the address if it has one. */
export function accountOf(text: string): { kind: LedgerAccount | null; address: string } {
  const [side = '', name = '', ...address] = text.split(':')
  const kind = LEDGER_ACCOUNTS.find((one) => one === `${side}:${name}`) ?? null
  return { kind, address: address.join(':') }
}

/** The names of the reasons in `en.json`. */
const REASONS = {
  'deposit.detected': 'depositDetected',
  'deposit.confirmed': 'depositConfirmed',
  'deposit.below-minimum': 'depositBelowMinimum',
  'deposit.held': 'depositHeld',
  'deposit.released': 'depositReleased',
  'deposit.orphaned': 'depositOrphaned',
  'deposit.unattributed': 'depositUnattributed',
  'deposit.attributed': 'depositAttributed',
  'funding.detected': 'fundingDetected',
  'funding.confirmed': 'fundingConfirmed',
  'funding.held': 'fundingHeld',
  'funding.released': 'fundingReleased',
  'funding.orphaned': 'fundingOrphaned',
  'withdrawal.reserved': 'withdrawalReserved',
  'withdrawal.released': 'withdrawalReleased',
  'withdrawal.fee-held': 'feeHeld',
  'withdrawal.fee-released': 'feeReleased',
  'withdrawal.paid': 'withdrawalPaid',
  'spend.fee': 'feePaid',
  'sweep.moved': 'swept',
  'gas.topped-up': 'toppedUp',
  'gas.corrected': 'corrected',
} as const
export type Reason = (typeof REASONS)[keyof typeof REASONS]

/** Why an entry was posted; null for a reason that has no words here. */
export function reasonOf(reason: string): Reason | null {
  const stem = reason.replace(/\.undone$/, '')
  return isReason(stem) ? REASONS[stem] : null
}

function isReason(text: string): text is keyof typeof REASONS {
  return Object.hasOwn(REASONS, text)
}

/** The page of the record that an entry belongs to; null if it has none. */
export function recordOf({ reason, referenceId }: LedgerEntry): string | null {
  const id = encodeURIComponent(referenceId)
  if (reason.startsWith('deposit.') && !reason.startsWith('deposit.unattributed'))
    return `/deposits/${id}`
  return reason.startsWith('withdrawal.') ? `/withdrawals/${id}` : null
}
