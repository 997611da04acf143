import type { TokenId } from '@sluice/wire'
import { isId } from '../../base/id.ts'
import { nativeTokenId } from '../../catalogue/chains.ts'
import type { Intent } from '../../chains/port.ts'
import {
  openSubjects,
  raiseAlert,
  raiseIfNews,
  resolveAlert,
  resolveAlerts,
} from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { selectPendingAmong, selectWaitingForFunds } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'
import type { WithdrawalDeps } from './inspect.ts'

const WAITING = 'withdrawal.waiting'
const UNLISTED = 'token.unlisted'
const REFUSED = 'withdrawal.refused'
const REFUSED_BY_SIGNER = 'signer.refused'
const OWED = 'the balance of the organization is below zero, as after a reorg'

type Payer = Pick<Intent, 'from' | 'tokenId'>

/**
 * Raises the alert of a withdrawal that has waited long for funds, while its amount stays reserved:
 * once, and again if the cause changes.
 */
export async function raiseWaiting(
  tx: Tx,
  { catalogue, entry }: Pick<WithdrawalDeps, 'catalogue' | 'entry'>,
  { withdrawal, alert }: { withdrawal: Withdrawal; alert: 'unfunded' | 'owed' },
): Promise<void> {
  const { orgId, id: subject, chainId, tokenId, amount } = withdrawal
  const { name } = catalogue.summary(tokenId)
  const message =
    `The withdrawal ${subject} of ${amount} base units of ${tokenId} (${name}) on ${entry.name} ` +
    `waits for funds: ${alert === 'owed' ? OWED : causeOn(entry)}.`
  const details = { orgId, chainId, tokenId }
  await raiseIfNews(tx, { code: WAITING, subject, orgId, message, details })
}

/** Raises the alert of a withdrawal that the signer refuses: once, and again for another cause. */
export async function raiseUnsigned(
  tx: Tx,
  { orgId, id: subject, chainId }: Pick<Withdrawal, 'orgId' | 'id' | 'chainId'>,
  cause: string,
): Promise<void> {
  const message = `The signer refuses the withdrawal ${subject}: ${cause}`
  const alert = { code: REFUSED_BY_SIGNER, subject, orgId, message } as const
  await raiseIfNews(tx, { ...alert, details: { orgId, chainId } })
}

/**
 * Resolves the alerts of withdrawals, on any chain, that no longer wait for funds, or that the
 * signer refused and that are not pending any more. Returns how many.
 */
export function resolveWaiting({ database }: Pick<WithdrawalDeps, 'database'>): Promise<number> {
  return database.transaction(async (tx) => {
    const waiting = await resolveUnless(tx, WAITING, selectWaitingForFunds)
    return waiting + (await resolveUnless(tx, REFUSED_BY_SIGNER, selectPendingAmong))
  })
}

/** Resolves the open alerts about withdrawals that `among` does not select. */
async function resolveUnless(
  tx: Tx,
  code: typeof WAITING | typeof REFUSED_BY_SIGNER,
  among: typeof selectPendingAmong,
): Promise<number> {
  const open = (await openSubjects(tx, code)).filter(isId)
  if (open.length === 0) return 0
  const kept = await among(tx, open)
  const subjects = open.filter((id) => !kept.has(id))
  await resolveAlerts(tx, { code, subjects })
  return subjects.length
}

/**
 * Raises an alert for each token of the chain that is not configured while withdrawals of it wait,
 * and resolves those of the chain's other tokens.
 */
export async function raiseUnlisted(
  { database, catalogue, entry }: Pick<WithdrawalDeps, 'database' | 'catalogue' | 'entry'>,
  unlisted: ReadonlySet<TokenId>,
): Promise<void> {
  const waiting: ReadonlySet<string> = unlisted
  await database.transaction(async (tx) => {
    const open = await openSubjects(tx, UNLISTED)
    const over = open.filter(
      (subject) => subject.startsWith(`${entry.id}/`) && !waiting.has(subject),
    )
    await resolveAlerts(tx, { code: UNLISTED, subjects: over })
    for (const subject of unlisted) {
      if (open.includes(subject)) continue
      const { name } = catalogue.summary(subject)
      const message =
        `Withdrawals of ${subject} (${name}) wait because the token is not configured. ` +
        'Add it to the configuration again.'
      await raiseAlert(tx, { code: UNLISTED, subject, message, details: { chainId: entry.id } })
    }
  })
}

/**
 * Raises an alert if a token refuses the paying account and not the recipient: it then refuses a
 * payment of the account to itself too (E23: blacklisted, or the token is paused). To be called
 * after the withdrawal has failed, which does not depend on the answer.
 */
export async function raiseRefused(
  { adapter, catalogue, caps, database, entry }: WithdrawalDeps,
  { orgId, intent }: { orgId: string; intent: Intent },
): Promise<void> {
  const { chainId, tokenId, from } = intent
  if (tokenId === nativeTokenId(entry)) return
  const quote = await adapter.quote({ ...intent, to: from }, caps)
  if (quote.ok || quote.code !== 'RECIPIENT_REFUSES') return
  const { name } = catalogue.summary(tokenId)
  const message =
    `${tokenId} (${name}) refuses payments of ${from}, even to itself; ` +
    `withdrawals of it fail: ${quote.message}.`
  const alert = { code: REFUSED, subject: subjectOf(intent), message } as const
  await database.transaction((tx) =>
    raiseAlert(tx, { ...alert, orgId, details: { orgId, chainId, tokenId } }),
  )
}

/** Accounts that a token refuses, by open alerts. */
export async function readRefused({
  database,
}: Pick<WithdrawalDeps, 'database'>): Promise<ReadonlySet<string>> {
  return new Set(await database.transaction((tx) => openSubjects(tx, REFUSED)))
}

/** Resolves the alert of an account that may pay again. */
export async function resolveRefused(
  { database }: Pick<WithdrawalDeps, 'database'>,
  { refused, payer }: { refused: ReadonlySet<string>; payer: Payer },
): Promise<void> {
  const subject = subjectOf(payer)
  if (!refused.has(subject)) return
  await database.transaction((tx) => resolveAlert(tx, { code: REFUSED, subject }))
}

function subjectOf({ tokenId, from }: Payer): string {
  return `${tokenId} ${from}`
}

function causeOn(entry: WithdrawalDeps['entry']): string {
  return entry.hasGasWallets
    ? 'the settlement account holds less, and no sweep has added the rest'
    : 'too little of the balance can be spent for it, and a payment or deposit is pending'
}
