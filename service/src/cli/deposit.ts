import { DEPOSIT_STATUSES, type DepositStatus } from '@sluice/wire'
import { Command, InvalidArgumentError, Option } from 'commander'
import { isTransactionHash } from '../api/http/parse-values.ts'
import { iso } from '../base/clock.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { holdDeposit, releaseDeposit } from '../deposits/hold.ts'
import { listDeposits } from '../deposits/list.ts'
import { actor, loaded, onGround, parseCount, parseId, print, table, warnIfCut } from './context.ts'
import { addUnattributed } from './unattributed.ts'

const LIST_MAX = 100

interface ListOptions {
  org: string
  status?: DepositStatus
  limit: number
}

/** `sluice deposit`: lists, traces, holds, releases and assigns deposits. */
export function depositCommands(): Command {
  const deposit = new Command('deposit').alias('deposits')
  deposit
    .command('list')
    .description('list deposits of an organization, newest first')
    .requiredOption('--org <id>', 'the organization', parseId)
    .addOption(new Option('--status <status>').choices(DEPOSIT_STATUSES))
    .option('--limit <count>', 'maximum number of rows', parseCount, LIST_MAX)
    .action(list)
  deposit
    .command('trace')
    .argument('<transaction>', 'its hash, with or without 0x', parseTransaction)
    .description('explain step by step why a transaction is credited or not')
    .option('--chain <id>', 'search this chain only; default: every chain with nodes')
    .action(loaded(async () => (await import('./trace-deposit.ts')).traceDeposit))
  deposit
    .command('hold')
    .argument('<deposit>', 'its id', parseId)
    .description('hold a deposit that is not credited yet')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action((id: string, options: { reason: string }, command: Command) =>
      move(id, options, command, holdDeposit),
    )
  deposit
    .command('release')
    .argument('<deposit>', 'its id', parseId)
    .description('release a held deposit')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action((id: string, options: { reason: string }, command: Command) =>
      move(id, options, command, releaseDeposit),
    )
  addUnattributed(deposit)
  return deposit
}

/** Parses a transaction hash. Wrong usage if it is malformed. */
function parseTransaction(text: string): string {
  if (isTransactionHash(text)) return text
  throw new InvalidArgumentError('It must be 64 hexadecimal digits, with or without 0x.')
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
      'No matching deposits.',
    ),
  )
  warnIfCut(shown, limit)
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
