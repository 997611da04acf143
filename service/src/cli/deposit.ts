import { DEPOSIT_STATUSES, type DepositStatus } from '@sluice/wire'
import { Command, Option } from 'commander'
import { iso } from '../base/clock.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { holdDeposit, releaseDeposit } from '../deposits/hold.ts'
import { listDeposits } from '../deposits/list.ts'
import { actor, onGround, parseCount, parseId, print, table, tellCut } from './context.ts'
import { addUnattributed } from './unattributed.ts'
import { parseTransaction, traceDeposit } from './trace-deposit.ts'

const LIST_MAX = 100

interface ListOptions {
  org: string
  status?: DepositStatus
  limit: number
}

/** `sluice deposit`: what came in, and an operator's hand on it. */
export function depositCommands(): Command {
  const deposit = new Command('deposit').alias('deposits')
  deposit
    .command('list')
    .description('deposits of an organization, newest first')
    .requiredOption('--org <id>', 'the organization', parseId)
    .addOption(new Option('--status <status>').choices(DEPOSIT_STATUSES))
    .option('--limit <count>', 'at most', parseCount, LIST_MAX)
    .action(list)
  deposit
    .command('trace')
    .argument('<transaction>', 'its hash, with or without 0x', parseTransaction)
    .description('why a transaction is credited or not, step by step')
    .option('--chain <id>', 'only on this chain; else on every chain that has nodes')
    .action(traceDeposit)
  deposit
    .command('hold')
    .argument('<deposit>', 'its id', parseId)
    .description('stop a deposit that is not credited yet')
    .requiredOption('--reason <text>', 'why; kept in the audit log')
    .action((id: string, options: { reason: string }, command: Command) =>
      move(id, options, command, holdDeposit),
    )
  deposit
    .command('release')
    .argument('<deposit>', 'its id', parseId)
    .description('let a held deposit be credited')
    .requiredOption('--reason <text>', 'why; kept in the audit log')
    .action((id: string, options: { reason: string }, command: Command) =>
      move(id, options, command, releaseDeposit),
    )
  addUnattributed(deposit)
  return deposit
}

async function list({ org, status, limit }: ListOptions, command: Command): Promise<void> {
  const filter = status === undefined ? {} : { status }
  const page = { orgId: org, filter, after: null, limit }
  const deposits = await onGround(({ database }) =>
    database.transaction((tx) => listDeposits(tx, page)),
  )
  const shown = deposits.map((one) => ({
    ...one,
    createdAt: iso(one.createdAt),
    updatedAt: iso(one.updatedAt),
    confirmedAt: one.confirmedAt === null ? null : iso(one.confirmedAt),
  }))
  print(command, shown, () =>
    table(
      ['id', 'created', 'status', 'user', 'amount', 'token', 'transaction'],
      shown.map((one) => [
        one.id,
        one.createdAt,
        one.heldCause === '' ? one.status : `${one.status} (${one.heldCause})`,
        one.externalUserId,
        one.amount.toString(),
        one.tokenId,
        one.txnHash,
      ]),
      'There are no such deposits.',
    ),
  )
  tellCut(shown, limit)
}

async function move(
  depositId: string,
  { reason }: { reason: string },
  command: Command,
  verb: typeof holdDeposit | typeof releaseDeposit,
): Promise<void> {
  const moved: Deposit = await onGround(({ database, catalogue }) =>
    database.transaction((tx) => verb(tx, { catalogue, depositId, actor: actor(), reason })),
  )
  print(command, { id: moved.id, status: moved.status }, () => [
    `The deposit ${moved.id} is ${moved.status}.`,
  ])
}
