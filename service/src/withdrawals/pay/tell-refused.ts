import { nativeTokenId } from '../../catalogue/chains.ts'
import type { Intent } from '../../chains/port.ts'
import { openSubjects, raiseAlert, resolveAlert } from '../../journal/raise-alert.ts'
import type { WithdrawalMeans } from './means.ts'

const REFUSED = 'withdrawal.refused'

type Payer = Pick<Intent, 'from' | 'tokenId'>

/**
 * Tells an operator where it is not the recipient that a token refuses, but the account that pays:
 * then it refuses a payment of that account to itself too (E23: blacklisted, or the token paused).
 * To be asked once the withdrawal has failed, which no answer changes.
 */
export async function tellRefused(
  { adapter, catalogue, caps, database, entry }: WithdrawalMeans,
  { orgId, intent }: { orgId: string; intent: Intent },
): Promise<void> {
  const { chainId, tokenId, from } = intent
  if (tokenId === nativeTokenId(entry)) return
  const quote = await adapter.quote({ ...intent, to: from }, caps)
  if (quote.ok || quote.code !== 'RECIPIENT_REFUSES') return
  const { name } = catalogue.summary(tokenId)
  const message =
    `${tokenId} (${name}) lets ${from} pay nobody, not even itself; ` +
    `withdrawals of it fail: ${quote.message}.`
  const alert = { code: REFUSED, subject: subjectOf(intent), message } as const
  await database.transaction((tx) =>
    raiseAlert(tx, { ...alert, details: { orgId, chainId, tokenId } }),
  )
}

/** Whom no token lets pay, as was told; once for all withdrawals of a round. */
export async function readRefused({
  database,
}: Pick<WithdrawalMeans, 'database'>): Promise<ReadonlySet<string>> {
  return new Set(await database.transaction((tx) => openSubjects(tx, REFUSED)))
}

/** Closes what was told of an account that may pay again. */
export async function tellAccepted(
  { database }: Pick<WithdrawalMeans, 'database'>,
  { refused, payer }: { refused: ReadonlySet<string>; payer: Payer },
): Promise<void> {
  const subject = subjectOf(payer)
  if (!refused.has(subject)) return
  await database.transaction((tx) => resolveAlert(tx, { code: REFUSED, subject }))
}

function subjectOf({ tokenId, from }: Payer): string {
  return `${tokenId} ${from}`
}
