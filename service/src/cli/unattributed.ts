import type { Command } from 'commander'
import { openOwnServiceKey } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { assignUnattributed, listUnattributed, ownerOfUnattributed } from '../deposits/assign.ts'
import { asSigner, findSigner } from './as-signer.ts'
import { onGround, parseCount, parseId, print, table, warnIfCut } from './context.ts'
import { codeOption, readCode } from './read-code.ts'
import { shellWord } from './visible.ts'

const LIST_MAX = 100

interface AssignOptions {
  user: string
  as: string
  totp?: string
  reason: string
}

/** `sluice deposit unattributed` and `assign`: payments without a known tag. */
export function addUnattributed(deposit: Command): void {
  deposit
    .command('unattributed')
    .description('list payments without a known tag, oldest first')
    .option('--org <id>', 'of one organization', parseId)
    .option('--limit <count>', 'maximum number of rows', parseCount, LIST_MAX)
    .action(list)
  deposit
    .command('assign')
    .argument('<unattributed>', 'its id', parseId)
    .description('assign a payment to a user; two people must confirm it')
    .requiredOption('--user <id>', 'the external id of the end user')
    .requiredOption('--as <name>', 'the confirming approver or admin')
    .addOption(codeOption())
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(assign)
}

async function list(
  { org, limit }: { org?: string; limit: number },
  command: Command,
): Promise<void> {
  const found = await onGround(({ database }) =>
    database.transaction((tx) => listUnattributed(tx, { orgId: org ?? null, limit })),
  )
  const shown = found.map((one) => ({ ...one, createdAt: iso(one.createdAt) }))
  print(command, shown, () =>
    table(
      ['id', 'created', 'amount', 'token', 'tag', 'from', 'transaction', 'said to be'],
      shown.map((one) => [
        one.id,
        one.createdAt,
        one.amount.toString(),
        one.tokenId,
        one.tag === null ? '-' : String(one.tag),
        one.senderAddress || '-',
        one.txnHash,
        one.externalUserId || '-',
      ]),
      'No unattributed payments.',
    ),
  )
  warnIfCut(shown, limit)
}

async function assign(
  id: string,
  { user, as, totp: flag, reason }: AssignOptions,
  command: Command,
): Promise<void> {
  const done = await onGround(async (ground) => {
    const person = await findSigner(ground, as, (tx) => ownerOfUnattributed(tx, id))
    const totp = await readCode(flag)
    const { catalogue } = ground
    const serviceKey = await openOwnServiceKey(ground)
    const request = { catalogue, serviceKey, id, externalUserId: user, userId: person.id, reason }
    return asSigner(ground, { person, totp }, (tx, stillSigns) =>
      assignUnattributed(tx, { ...request, stillSigns }),
    )
  })
  const { state, depositId } = done
  print(command, { id, state, depositId }, () => [
    depositId === null
      ? 'Recorded. A second person must confirm: ' +
        `sluice deposit assign ${id} --user ${shellWord(user)} --as <name> --reason <text>`
      : `Deposit ${depositId} is created and will be credited.`,
  ])
}
