import { Command } from 'commander'
import { checkAllAccounts } from '../accounts/check.ts'
import type { TamperedRow } from '../accounts/tampered.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { UNSEALED_MAX_MS } from '../app/seal-loop.ts'
import type { Ground } from '../app/ground.ts'
import { describeFinding } from '../audit/finding.ts'
import { type ChainReport, auditChain, auditLedger } from '../audit/run.ts'
import { iso } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { Chains } from '../chains/registry.ts'
import { readWaiting } from '../audit-log/verify-audit.ts'
import { onGround, print, withChains } from './context.ts'
import { EXIT } from './exit.ts'

/** Some nodes serve balances of their head only, which changes every few seconds. */
const AGAIN_MS = 1_000
const TRIES_MAX = 10

interface Report {
  drift: number
  /** Entries of the audit log that were not sealed in time. */
  unsealed: { count: number; oldestAt: string } | null
  /** How many accounts were checked (MAC and derivation), and the tampered rows. */
  accounts: { checked: number; tampered: readonly TamperedRow[] }
  chains: (ChainReport | { chainId: string; unreachable: string })[]
}

/**
 * `sluice audit`: the ledger against its postings and against the chains, every address of it; each
 * account against its MAC and the xpub of its wallet; and whether the audit log is sealed.
 */
export function auditCommand(): Command {
  return new Command('audit').action(async (_options, command: Command) => {
    const report = await onGround(audit)
    print(command, report, () => lines(report))
    if (!isClean(report)) process.exitCode = EXIT.unhealthy
  })
}

async function audit(ground: Ground): Promise<Report> {
  const drift = await auditLedger(ground)
  const unsealed = await findUnsealed(ground)
  const serviceKey = await openOwnServiceKey(ground)
  const accounts = await checkAllAccounts({ ...ground, serviceKey })
  const chains = await withChains(ground, (opened) => auditChains(ground, opened))
  return { drift: drift.length, unsealed, accounts, chains }
}

async function auditChains(ground: Ground, chains: Chains): Promise<Report['chains']> {
  const again = { triesMax: TRIES_MAX, pause: () => ground.clock.sleep(AGAIN_MS) }
  const reports: Report['chains'] = []
  for (const adapter of chains.all()) {
    const entry = ground.catalogue.chain(adapter.chainId)
    if (entry === null) continue
    try {
      reports.push(await auditChain({ ...ground, adapter, entry }, again))
    } catch (error) {
      if (!(error instanceof Outage)) throw error
      reports.push({ chainId: entry.id, unreachable: error.message })
    }
  }
  return reports
}

async function findUnsealed({ database, clock }: Ground): Promise<Report['unsealed']> {
  const { count, oldestAt } = await database.transaction(readWaiting)
  if (oldestAt === null || clock.now() - oldestAt <= UNSEALED_MAX_MS) return null
  return { count, oldestAt: iso(oldestAt) }
}

function isClean({ drift, unsealed, accounts, chains }: Report): boolean {
  return (
    drift === 0 &&
    accounts.tampered.length === 0 &&
    unsealed === null &&
    chains.every((one) => 'findings' in one && one.findings.length === 0 && isWhole(one))
  )
}

/** Balances that were not compared may differ, so the report is clean only if all were. */
function isWhole({ balances, comparisons }: ChainReport): boolean {
  return comparisons === balances
}

function lines({ drift, unsealed, accounts, chains }: Report): string[] {
  const ledger =
    drift === 0
      ? 'Every balance is what its postings add up to.'
      : `${drift} balances are not what their postings add up to.`
  return [
    ledger,
    ...(unsealed === null ? [] : [unsealedLine(unsealed)]),
    `${accounts.checked} accounts checked, ${accounts.tampered.length} changed in the database.`,
    ...accounts.tampered.map(({ table, subject, cause }) => `  ${table} ${subject}: ${cause}`),
    ...chains.flatMap(linesOfChain),
  ]
}

function linesOfChain(one: Report['chains'][number]): string[] {
  if ('unreachable' in one) return [`${one.chainId}: not compared, ${one.unreachable}`]
  const { chainId, addresses, balances, comparisons, findings, left, noTokens } = one
  const compared = `${addresses} addresses, ${comparisons} of ${balances} balances compared`
  return [
    `${chainId}: ${compared}, ${findings.length} differences.`,
    ...findings.map((finding) => `  ${describeFinding(finding)}`),
    ...left.map((of) => `  not compared: ${of.balances} balances of ${of.tokenId}`),
    ...(isWhole(one) ? [] : [`  ${NOT_WHOLE}`]),
    ...noTokens.map((tokenId) => `  ${tokenId} is not a token on the chain: sluice token list`),
  ]
}

const NOT_WHOLE =
  'Not clean: no node returned these balances as of the last scanned block. Let the service run ' +
  'until `sluice chain list` shows it at the head, and repeat the audit.'

function unsealedLine({ count, oldestAt }: { count: number; oldestAt: string }): string {
  return (
    `${count} entries of the audit log wait for their seal since ${oldestAt}: ` +
    'no process with the role `audit` runs.'
  )
}
