import { readChecksInForce } from '../catalogue/token-check.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { type TokenFinding, verifyTokens } from '../catalogue/verify-tokens.ts'
import { openSubjects, raiseAlert, resolveAlert, resolveAlerts } from '../alerts/raise-alert.ts'
import { readSwitchedOn } from '../orgs/switches.ts'
import type { Tx } from '../store/database.ts'
import type { ChainWorld } from './chain-world.ts'
import { watchDuplicates } from './watch-duplicates.ts'

/**
 * The tokens in use: those of the configuration (`tokens`), and those that an organization has
 * switched on. Another catalogue token that its chain does not have, as on a development chain, is
 * not offered and raises no alert.
 */
export async function readWantedTokens(tx: Tx, catalogue: Catalogue): Promise<ReadonlySet<string>> {
  const configured = catalogue.tokens.filter(({ source }) => source === 'operator')
  return new Set([...configured.map(({ id }) => id), ...(await readSwitchedOn(tx))])
}

const [MISMATCH, SUSPENDED] = ['token.mismatch', 'token.suspended'] as const

/**
 * Compares tokens with their contracts (engineering, 17), and updates the alerts on tokens; alerts
 * on tokens that left the configuration are resolved. If a suspended token returns, its alert is
 * raised again, because it is still suspended.
 */
export async function watchTokens({
  database,
  chains,
  catalogue,
}: Pick<ChainWorld, 'database' | 'chains' | 'catalogue'>): Promise<void> {
  const findings = await verifyTokens({ database, chains }, catalogue)
  // The interval at which contracts are read: when listed, and every hour.
  if (findings.length > 0) await watchDuplicates({ database, chains, catalogue })
  await database.transaction(async (tx) => {
    await raiseFindings(tx, findings, await readWantedTokens(tx, catalogue))
    // Open alerts are read first: a suspension raised meanwhile must not be resolved.
    const mismatched = await openSubjects(tx, MISMATCH)
    const told = await openSubjects(tx, SUSPENDED)
    const checks = await readChecksInForce(tx, catalogue)
    const inForce = new Set<string>(checks.map(({ tokenId }) => tokenId))
    const gone = mismatched.filter((tokenId) => !inForce.has(tokenId))
    await resolveAlerts(tx, { code: MISMATCH, subjects: gone })
    const suspended = new Map<string, string>(
      checks
        .filter(({ suspendedAt }) => suspendedAt !== null)
        .map(({ tokenId, suspendedCause }) => [tokenId, suspendedCause]),
    )
    const over = told.filter((tokenId) => !suspended.has(tokenId))
    await resolveAlerts(tx, { code: SUSPENDED, subjects: over })
    await raiseSuspended(tx, suspended, told)
  })
}

async function raiseFindings(
  tx: Tx,
  findings: readonly TokenFinding[],
  wanted: ReadonlySet<string>,
): Promise<void> {
  for (const { tokenId, state, found, expected, before } of findings) {
    const alert = { code: MISMATCH, subject: tokenId } as const
    if (state === 'verified') await resolveAlert(tx, alert)
    if (state !== 'mismatch') continue
    // A contract that matched before and no longer does concerns every organization.
    if (!wanted.has(tokenId) && before !== 'verified') continue
    const message = `${tokenId}: the contract reports "${found}"; the catalogue has "${expected}".`
    await raiseAlert(tx, { ...alert, message })
  }
}

/** Raises alerts for the suspended tokens without an open one. */
async function raiseSuspended(
  tx: Tx,
  suspended: ReadonlyMap<string, string>,
  told: readonly string[],
): Promise<void> {
  for (const [subject, cause] of suspended) {
    if (told.includes(subject)) continue
    const message = `The token ${subject} is suspended: ${cause}.`
    await raiseAlert(tx, { code: SUSPENDED, subject, message })
  }
}
