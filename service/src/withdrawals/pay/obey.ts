import type { Address, Quote } from '../../chains/port.ts'
import type { Sent } from '../../transactions/core/mandate.ts'
import type { WithdrawalMeans } from './means.ts'
import { letWait, refusePending } from './wait.ts'
import { markWaiting } from './waiting-rows.ts'
import type { FailureCode, WaitingFor, Withdrawal } from '../withdrawal.ts'

/** What a look at one withdrawal says of those behind it. */
export type Step =
  | 'sent'
  /** Nothing of this organization can be signed now. */
  | 'organization-waits'
  /** Nobody can pay fees for this token of the organization. */
  | 'no-gas'
  | 'next'
  /** Nothing can be signed on this chain now. */
  | 'stop'

type Pending = Pick<Withdrawal, 'orgId' | 'id'>

/** The chain says that it would not go through; nothing is signed. */
export async function obeyRefusal(
  given: WithdrawalMeans,
  withdrawal: Pending,
  { code, message: says }: Exclude<Quote, { ok: true }>,
): Promise<Step> {
  if (code === 'INSUFFICIENT_BALANCE') return hold(given, withdrawal, { waitingFor: 'funds', code })
  if (code === 'FEE_TOO_HIGH') return hold(given, withdrawal, { waitingFor: 'fee', code })
  if (code === 'RECIPIENT_REFUSES') {
    const { orgId, id } = withdrawal
    await given.database.transaction((tx) => refusePending(tx, given, { orgId, id, code, says }))
    return 'next'
  }
  return hold(given, withdrawal, { waitingFor: 'gas', code: 'INSUFFICIENT_GAS' })
}

/** What came of asking for its payment, for it and for those behind it. */
export async function obeyOutcome(
  given: WithdrawalMeans,
  { withdrawal, from }: { withdrawal: Pending; from: Address },
  sent: Sent,
): Promise<Step> {
  const funds = { waitingFor: 'funds', code: 'INSUFFICIENT_BALANCE' } as const
  switch (sent.outcome) {
    case 'sent':
      return 'sent'
    case 'declined':
      return 'next'
    case 'busy':
      await organizationWaits(given, withdrawal, 'confirmations')
      return 'organization-waits'
    case 'halted':
      given.log.warn({ sender: from, cause: sent.cause }, 'a sender is halted')
      await organizationWaits(given, withdrawal, 'operator')
      return 'organization-waits'
    case 'frozen':
      return 'stop'
    case 'short-of-gas':
      await hold(given, withdrawal, { waitingFor: 'gas', code: 'INSUFFICIENT_GAS' })
      return 'no-gas'
    case 'short-of-native':
    case 'short-of-token':
      return hold(given, withdrawal, funds)
  }
}

/** Those that wait for gas, a fee or funds go on waiting for these, and keep their time. */
async function organizationWaits(
  { database, entry: { id: chainId } }: WithdrawalMeans,
  { orgId }: Pending,
  waitingFor: 'confirmations' | 'operator',
): Promise<void> {
  const spared = waitingFor === 'confirmations' ? (['gas', 'fee', 'funds'] as const) : []
  await database.transaction((tx) => markWaiting(tx, { chainId, orgId, waitingFor, spared }))
}

/** Notes for one that nothing is asked about what it waits for, once. */
export async function passOver(
  { database, entry: { id: chainId } }: Pick<WithdrawalMeans, 'database' | 'entry'>,
  { id, waitingFor: noted }: Pick<Withdrawal, 'id' | 'waitingFor'>,
  waitingFor: WaitingFor,
): Promise<Step> {
  if (noted !== waitingFor)
    await database.transaction((tx) => markWaiting(tx, { chainId, id, waitingFor }))
  return 'next'
}

/** It waits, and those behind it are looked at. */
export async function hold(
  given: WithdrawalMeans,
  withdrawal: Pending,
  wait: { waitingFor: WaitingFor; code: FailureCode },
): Promise<Step> {
  await given.database.transaction((tx) => letWait(tx, given, { withdrawal, ...wait }))
  return 'next'
}
