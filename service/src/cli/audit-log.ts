import { Command, InvalidArgumentError } from 'commander'
import { requireOwner } from '../app/ground.ts'
import { openServiceKeyOf } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { isId } from '../base/id.ts'
import { acceptAudit } from '../audit-log/accept-audit.ts'
import { describeBreak } from '../audit-log/audit-break.ts'
import { readFooting } from '../audit-log/audit-footing.ts'
import { type AuditHead, NOTHING_SEALED, formatHead, parseHead } from '../audit-log/audit-head.ts'
import { type AuditEntry, listAudit } from '../audit-log/list-audit.ts'
import { readAuditHead } from '../audit-log/seal-audit.ts'
import { type AuditVerdict, verifyAudit } from '../audit-log/verify-audit.ts'
import { selectUsernames } from '../orgs/user-rows.ts'
import type { Tx } from '../store/database.ts'
import { actor, onGround, parseCount, parseId, print, table, warnIfCut } from './context.ts'
import { EXIT } from './exit.ts'

const LIST_MAX = 100
/** The beginning of an actor who is a user; the id follows. */
const ACTING_USER = 'user:'

/** `sluice audit-log`: who changed what, over HTTP and on the command line. */
export function auditLogCommands(): Command {
  const auditLog = new Command('audit-log')
  auditLog
    .command('list')
    .description('list changes and who made them, newest first')
    .option('--org <id>', 'of one organization', parseId)
    .option('--object <id>', 'of one withdrawal, user or deposit')
    .option('--limit <count>', 'maximum number of rows', parseCount, LIST_MAX)
    .action(list)
  auditLog
    .command('head')
    .description('print the last seal, to be kept elsewhere for `verify --head`')
    .action(head)
  auditLog
    .command('verify')
    .description('verify that no entry was changed, deleted or inserted')
    .option('--head <sequence:hash>', 'a seal kept elsewhere; can be repeated', collectHead, [])
    .option('--accepted', 'verify only the entries after the accepted ones')
    .action(verify)
  auditLog
    .command('accept')
    .description('accept a broken log after its cause is known')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(accept)
  return auditLog
}

function collectHead(text: string, before: readonly AuditHead[]): AuditHead[] {
  const parsed = parseHead(text)
  if (parsed !== null) return [...before, parsed]
  throw new InvalidArgumentError(
    'It must be the output of `sluice audit-log head`, such as 812:9f86d081….',
  )
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
  const { entries, nameOf } = await onGround(({ database }) =>
    database.transaction(async (tx) => {
      const listed = await listAudit(tx, filter)
      return { entries: listed, nameOf: await readNames(tx, listed) }
    }),
  )
  const shown = entries.map((one) => ({
    ...one,
    at: iso(one.at),
    actorName: nameOf(userIdIn(one.actor)),
    objectName: nameOf(one.object),
  }))
  print(command, shown, () =>
    table(
      ['time', 'organization', 'who', 'what', 'object', 'details'],
      shown.map((one) => [
        one.at,
        one.orgId ?? '-',
        one.actorName === null ? one.actor : `${ACTING_USER}${one.actorName}`,
        one.action,
        one.objectName === null ? one.object : `${one.object} (${one.objectName})`,
        JSON.stringify(one.details),
      ]),
      'The audit log is empty.',
    ),
  )
  warnIfCut(shown, limit)
}

/** The names of the users who acted, and of those who were changed; null of everything else. */
async function readNames(
  tx: Tx,
  entries: readonly AuditEntry[],
): Promise<(id: string) => string | null> {
  const ids = entries.flatMap(({ actor: by, object }) => [userIdIn(by), object]).filter(isId)
  const users = await selectUsernames(tx, [...new Set(ids)])
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return (id) => names.get(id) ?? null
}

function userIdIn(text: string): string {
  return text.startsWith(ACTING_USER) ? text.slice(ACTING_USER.length) : ''
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
  const accepted = await onGround(({ database, urls, config, random }) =>
    acceptAudit(database, openServiceKeyOf(config, random), {
      ownerUrl: requireOwner(urls),
      actor: actor(),
      reason,
    }),
  )
  const { head: last, found, put, dropped } = accepted
  print(command, { ...accepted, head: formatHead(last) }, () => [
    `The audit log is accepted up to ${formatHead(last)}. Its finding was:`,
    found,
    ...(put > 0 ? [`${put} entries without a seal are sealed now.`] : []),
    ...(dropped > 0 ? [`${dropped} entries are missing and no longer expected.`] : []),
  ])
}

function lines(
  { head: last, waiting, wrong }: AuditVerdict,
  { from, kept }: { from: AuditHead; kept: number },
): string[] {
  if (wrong !== null) return [describeBreak(wrong), `The log is intact up to ${formatHead(last)}.`]
  const which =
    from.sequence === 0
      ? `All ${last.sequence} sealed entries`
      : `All entries from ${from.sequence + 1} on`
  return [
    `${which} are unchanged, up to ${formatHead(last)}.`,
    ...(waiting > 0 ? [`${waiting} entries are not sealed yet.`] : []),
    kept === 0
      ? 'To detect a log that was rewritten with its seals, pass a seal kept elsewhere: --head.'
      : sayKept(kept, from),
  ]
}

function sayKept(kept: number, from: AuditHead): string {
  const which = kept === 1 ? 'the given seal' : `each of the ${kept} given seals`
  const where = from.sequence === 0 ? '' : ' (after the accepted entries)'
  return `The log contains ${which}${where}.`
}
