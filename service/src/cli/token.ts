import { Command } from 'commander'
import { Refusal } from '../base/fault.ts'
import { readTokenChecks, resumeToken } from '../catalogue/token-check.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { enableFor, enabledLines, offeredCells, offeredHeadings, readOffersTo } from './offered.ts'
import { actor, onGround, parseId, print, table } from './context.ts'

/** `sluice token`: lists, enables and resumes tokens. */
export function tokenCommands(): Command {
  const token = new Command('token')
  token
    .command('list')
    .description('list all tokens and the state of their verification')
    .option('--chain <id>', 'of one chain')
    .option('--org <id>', 'show whether each is enabled for this organization', parseId)
    .action(list)
  token
    .command('enable <token>')
    .description('enable a token for an organization (--off: disable it)')
    .requiredOption('--org <id>', 'the organization', parseId)
    .option('--off', 'disable it')
    .action(enable)
  token
    .command('resume <token>')
    .description('resume a suspended token')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(resume)
  return token
}

function tokenOf(catalogue: Catalogue, id: string): TokenEntry {
  const token = catalogue.token(id)
  if (token !== null) return token
  throw new Refusal(
    'INVALID_TOKEN',
    { providedTokenId: id },
    `Unknown token ${id}. See: sluice token list`,
  )
}

async function list(
  { chain, org }: { chain?: string; org?: string },
  command: Command,
): Promise<void> {
  const shown = await onGround(async ({ database, catalogue }) => {
    const { checks, offers } = await database.transaction(async (tx) => ({
      checks: await readTokenChecks(tx),
      offers: await readOffersTo(tx, { catalogue, org }),
    }))
    const byId = new Map(checks.map((check) => [check.tokenId, check]))
    const tokens = catalogue.tokens.filter(
      ({ chainId }) => chain === undefined || chainId === chain,
    )
    return tokens.map((token) => {
      const { id, symbol, decimals, native, minimumAmount } = token
      const check = byId.get(id)
      const state = native ? 'native' : (check?.state ?? 'pending')
      const suspended =
        check === undefined || check.suspendedAt === null ? '' : check.suspendedCause
      const told = { id, symbol, decimals, state, found: check?.found ?? '', suspended }
      return {
        ...told,
        minimumAmount,
        ...(offers && { offered: offers.token(token), ...offers.decisions(token) }),
      }
    })
  })
  print(command, shown, () =>
    table(
      ['token', 'symbol', 'decimals', 'check', 'suspended', ...offeredHeadings(org)],
      shown.map((one) => [
        one.id,
        one.symbol,
        String(one.decimals),
        one.state,
        one.suspended || '-',
        ...offeredCells(one),
      ]),
      'No tokens.',
    ),
  )
}

async function enable(
  id: string,
  options: { org: string; off?: boolean },
  command: Command,
): Promise<void> {
  const { tokenId, ...enabled } = await onGround(async ({ database, catalogue }) => {
    const subject = tokenOf(catalogue, id).id
    const decided = await database.transaction((tx) => enableFor(tx, options, subject))
    return { tokenId: subject, ...decided }
  })
  print(command, { tokenId, ...enabled }, () => enabledLines(tokenId, enabled))
}

async function resume(id: string, { reason }: { reason: string }, command: Command): Promise<void> {
  const tokenId = await onGround(async ({ database, catalogue }) => {
    const token = tokenOf(catalogue, id)
    await database.transaction(async (tx) => {
      if (!(await resumeToken(tx, { tokenId: token.id }))) {
        throw new Refusal('BAD_REQUEST', { tokenId: id }, `${token.id} is not suspended.`)
      }
      await resolveAlert(tx, { code: 'token.suspended', subject: token.id })
      const entry = { orgId: null, actor: actor(), action: 'token.resume', object: token.id }
      await writeAudit(tx, { ...entry, details: { reason } })
    })
    return token.id
  })
  print(command, { tokenId, suspended: false }, () => [`${tokenId} is resumed.`])
}
