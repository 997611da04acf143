import { Command } from 'commander'
import { openChainsOf } from '../app/open-chains.ts'
import { UNSEALED_MAX_MS } from '../app/seal-loop.ts'
import type { Ground } from '../app/ground.ts'
import { describeFinding } from '../audit/finding.ts'
import { type ChainReport, auditChain, auditLedger } from '../audit/run.ts'
import { iso } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { readWaiting } from '../journal/verify-audit.ts'
import { onGround, print } from './context.ts'
import { EXIT } from './exit.ts'

interface Report {
  drift: number
  /** Entries of the audit log that wait for their seal longer than they should. */
  unsealed: { count: number; oldestAt: string } | null
  chains: (ChainReport | { chainId: string; unreachable: string })[]
}

/**
 * `sluice audit`: the ledger against its postings and against the chains, every address of it; and
 * whether the audit log is sealed.
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
  const adapters = openChainsOf(ground, null)
  const chains: Report['chains'] = []
  try {
    for (const adapter of adapters.all()) {
      const entry = ground.catalogue.chain(adapter.chainId)
      if (entry === null) continue
      try {
        chains.push(await auditChain({ ...ground, adapter, entry }))
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        chains.push({ chainId: entry.id, unreachable: error.message })
      }
    }
  } finally {
    await adapters.close()
  }
  return { drift: drift.length, unsealed, chains }
}

async function findUnsealed({ database, clock }: Ground): Promise<Report['unsealed']> {
  const { count, oldestAt } = await database.transaction(readWaiting)
  if (oldestAt === null || clock.now() - oldestAt <= UNSEALED_MAX_MS) return null
  return { count, oldestAt: iso(oldestAt) }
}

function isClean({ drift, unsealed, chains }: Report): boolean {
  return (
    drift === 0 &&
    unsealed === null &&
    chains.every((one) => 'findings' in one && one.findings.length === 0)
  )
}

function lines({ drift, unsealed, chains }: Report): string[] {
  const ledger =
    drift === 0
      ? 'Every balance is what its postings add up to.'
      : `${drift} balances are not what their postings add up to.`
  return [
    ledger,
    ...(unsealed === null ? [] : [unsealedLine(unsealed)]),
    ...chains.flatMap((one) => {
      if ('unreachable' in one) return [`${one.chainId}: not compared, ${one.unreachable}`]
      const { chainId, addresses, comparisons, findings } = one
      const compared = `${addresses} addresses, ${comparisons} balances compared`
      const head = `${chainId}: ${compared}, ${findings.length} differences.`
      return [head, ...findings.map((finding) => `  ${describeFinding(finding)}`)]
    }),
  ]
}

function unsealedLine({ count, oldestAt }: { count: number; oldestAt: string }): string {
  return (
    `${count} entries of the audit log wait for their seal since ${oldestAt}: ` +
    'no process with the role `audit` runs.'
  )
}
