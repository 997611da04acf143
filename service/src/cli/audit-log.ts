import { Command, InvalidArgumentError } from 'commander'
import { requireOwner } from '../app/ground.ts'
import { openServiceKeyOf } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { acceptAudit } from '../journal/accept-audit.ts'
import { describeBreak } from '../journal/audit-break.ts'
import { readFooting } from '../journal/audit-footing.ts'
import { type AuditHead, NOTHING_SEALED, formatHead, parseHead } from '../journal/audit-head.ts'
import { listAudit } from '../journal/list-audit.ts'
import { readAuditHead } from '../journal/seal-audit.ts'
import { type AuditVerdict, verifyAudit } from '../journal/verify-audit.ts'
import { actor, onGround, parseCount, parseId, print, table, tellCut } from './context.ts'
import { EXIT } from './exit.ts'

const LIST_MAX = 100

/** `sluice audit-log`: who changed what, over the interface and from the command line alike. */
export function auditLogCommands(): Command {
  const auditLog = new Command('audit-log')
  auditLog
    .command('list')
    .description('what was changed by whom, newest first')
    .option('--org <id>', 'of one organization', parseId)
    .option('--object <id>', 'of what was done to it: a withdrawal, a user, a deposit')
    .option('--limit <count>', 'at most', parseCount, LIST_MAX)
    .action(list)
  auditLog
    .command('head')
    .description('the last seal: to be kept elsewhere, for `verify --head`')
    .action(head)
  auditLog
    .command('verify')
    .description('whether all entries are as they were sealed, and none is gone or was put in')
    .option('--head <sequence:hash>', 'one that was kept; may be given again', collectHead, [])
    .option('--accepted', 'only what comes after that which `accept` took as it stood')
    .action(verify)
  auditLog
    .command('accept')
    .description('take a log that is told to be broken as it stands, after a look at its cause')
    .requiredOption('--reason <text>', 'why; kept in the audit log')
    .action(accept)
  return auditLog
}

function collectHead(text: string, before: readonly AuditHead[]): AuditHead[] {
  const parsed = parseHead(text)
  if (parsed !== null) return [...before, parsed]
  throw new InvalidArgumentError('It must be what `sluice audit-log head` prints: 812:9f86d081….')
}

async function list(
  { org, object, limit }: { org?: string; object?: string; limit: number },
  command: Command,
): Promise<void> {
  const filter = {
    limit,
    ...(org !== undefined && { orgId: org }),
    ...(object !== undefined && { object }),
  }
  const entries = await onGround(({ database }) =>
    database.transaction((tx) => listAudit(tx, filter)),
  )
  const shown = entries.map((one) => ({ ...one, at: iso(one.at) }))
  print(command, shown, () =>
    table(
      ['time', 'organization', 'who', 'what', 'object', 'details'],
      shown.map((one) => [
        one.at,
        one.orgId ?? '-',
        one.actor,
        one.action,
        one.object,
        JSON.stringify(one.details),
      ]),
      'Nothing was changed yet.',
    ),
  )
  tellCut(shown, limit)
}

async function head(_options: unknown, command: Command): Promise<void> {
  const last = await onGround(({ database }) => database.transaction(readAuditHead))
  print(command, { ...last, head: formatHead(last) }, () => [formatHead(last)])
}

async function verify(
  { head: heads, accepted }: { head: AuditHead[]; accepted?: boolean },
  command: Command,
): Promise<void> {
  const { verdict, from } = await onGround(async ({ database }) => {
    const footing = accepted === true ? await database.transaction(readFooting) : null
    const begin = footing?.from ?? NOTHING_SEALED
    return { verdict: await verifyAudit(database, { heads, from: begin }), from: begin }
  })
  const { wrong } = verdict
  const told = wrong === null ? null : { ...wrong, message: describeBreak(wrong) }
  const result = { from: from.sequence, ...verdict, head: formatHead(verdict.head), wrong: told }
  print(command, result, () => lines(verdict, { from, kept: heads.length }))
  if (wrong !== null) process.exitCode = EXIT.unhealthy
}

async function accept({ reason }: { reason: string }, command: Command): Promise<void> {
  const accepted = await onGround(({ database, urls, config, dice }) =>
    acceptAudit(database, openServiceKeyOf(config, dice), {
      ownerUrl: requireOwner(urls),
      actor: actor(),
      reason,
    }),
  )
  const { head: last, found, put, dropped } = accepted
  print(command, { ...accepted, head: formatHead(last) }, () => [
    `The audit log is accepted as it stands, up to ${formatHead(last)}. What was told of it:`,
    found,
    ...(put > 0 ? [`${put} entries had no seal and get one now.`] : []),
    ...(dropped > 0 ? [`${dropped} entries are gone and waited for no more.`] : []),
  ])
}

function lines(
  { head: last, waiting, wrong }: AuditVerdict,
  { from, kept }: { from: AuditHead; kept: number },
): string[] {
  if (wrong !== null) return [describeBreak(wrong), `Up to ${formatHead(last)} the log holds.`]
  const which =
    from.sequence === 0 ? `All ${last.sequence} sealed entries` : `From ${from.sequence + 1} on all`
  return [
    `${which} are as they were written, up to ${formatHead(last)}.`,
    ...(waiting > 0 ? [`${waiting} entries wait for their seal.`] : []),
    kept === 0
      ? 'A log that was written anew would show by a head kept elsewhere alone: --head.'
      : sayKept(kept, from),
  ]
}

function sayKept(kept: number, from: AuditHead): string {
  const which = kept === 1 ? 'the head' : `each of the ${kept} heads`
  const where = from.sequence === 0 ? '' : ', as far as it is after what was accepted'
  return `The log has had ${which} that was given${where}.`
}
