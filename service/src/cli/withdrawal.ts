import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '@sluice/wire'
import { Command, Option } from 'commander'
import { openOwnServiceKey } from '../app/keys.ts'
import { iso } from '../base/clock.ts'
import { displayAddress } from '../chains/format-address.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { readSpendsOf, type SpendRecord } from '../transactions/core/read.ts'
import type { Tx } from '../store/database.ts'
import { findWithdrawal, listWithdrawals } from '../withdrawals/list.ts'
import { CHANGED, isAuthentic, type MacKey } from '../withdrawals/mac.ts'
import { withFirstTamperAlert, Tampered } from '../withdrawals/tampered.ts'
import { shownWait, type Withdrawal } from '../withdrawals/withdrawal.ts'
import { actor, onGround, parseCount, parseId, print, table, warnIfCut } from './context.ts'
import { visibleValue } from './visible.ts'

const LIST_MAX = 100
const BESIDES = ' Use --as-stored to show it.'

interface ListOptions {
  org: string
  status?: WithdrawalStatus
  initiator?: string
  limit: number
}

/** `sluice withdrawal`: lists and shows withdrawals. */
export function withdrawalCommands(): Command {
  const withdrawal = new Command('withdrawal')
  withdrawal
    .command('list')
    .description('list withdrawals of an organization, newest first')
    .requiredOption('--org <id>', 'the organization', parseId)
    .addOption(new Option('--status <status>').choices(WITHDRAWAL_STATUSES))
    .option('--initiator <id>', 'created by this user', parseId)
    .option('--limit <count>', 'maximum number of rows', parseCount, LIST_MAX)
    .action(list)
  withdrawal
    .command('show')
    .argument('<withdrawal>', 'its id', parseId)
    .description('show a withdrawal with its transactions and its proof')
    .option('--as-stored', 'show the record even if it was changed in the database')
    .action(show)
  return withdrawal
}

async function list(
  { org, status, initiator, limit }: ListOptions,
  command: Command,
): Promise<void> {
  const filter = { ...(status && { statuses: [status] }), ...(initiator && { initiator }) }
  const page = { orgId: org, filter, after: null, limit }
  const withdrawals = await onGround(({ database }) =>
    database.transaction((tx) => listWithdrawals(tx, page)),
  )
  const shown = withdrawals.map(plain)
  print(command, shown, () =>
    table(
      [
        'id',
        'reference',
        'created',
        'status',
        'waits for',
        'amount',
        'token',
        'recipient',
        'memo',
        'transaction',
      ],
      shown.map((one) => [
        one.id,
        one.reference,
        one.createdAt,
        one.failureCode === null ? one.status : `${one.status} (${one.failureCode})`,
        one.waitingFor ?? '',
        one.amount.toString(),
        one.tokenId,
        one.recipient,
        one.memo ?? '',
        one.txnHash ?? '',
      ]),
      'No matching withdrawals.',
    ),
  )
  warnIfCut(shown, limit)
}

async function show(
  id: string,
  { asStored = false }: { asStored?: boolean },
  command: Command,
): Promise<void> {
  const { withdrawal, authentic, spends, rejection } = await onGround(async (ground) => {
    const { database } = ground
    const serviceKey = await openOwnServiceKey(ground)
    return withFirstTamperAlert({ database, actor: actor() }, () =>
      database.transaction((tx) => look(tx, serviceKey, { id, asStored })),
    )
  })
  const shown = {
    ...plain(withdrawal),
    authentic,
    rejection,
    proof: proofOf(withdrawal, spends),
    spends: spends.map(seen),
  }
  print(command, shown, () => [
    ...(authentic ? [] : [`This record was changed in the database: ${CHANGED}.`]),
    ...linesOf({ ...plain(withdrawal), rejection }),
    `proof: ${shown.proof}`,
    ...spends.flatMap(linesOfSpend),
  ])
}

/** Reads the record. Refuses with WITHDRAWAL_NOT_FOUND, and as Tampered unless `asStored`. */
async function look(
  tx: Tx,
  serviceKey: MacKey,
  { id, asStored }: { id: string; asStored: boolean },
) {
  const withdrawal = await findWithdrawal(tx, id)
  const authentic = isAuthentic(serviceKey, withdrawal)
  if (!authentic && !asStored) throw new Tampered(withdrawal, CHANGED, BESIDES)
  const { orgId } = withdrawal
  return {
    withdrawal,
    authentic,
    spends: await readSpendsOf(tx, { orgId, subjectId: id }),
    rejection: await rejectionOf(tx, withdrawal),
  }
}

/** The reason of the approver who rejected it, or null. */
async function rejectionOf(tx: Tx, { orgId, id, status }: Withdrawal): Promise<string | null> {
  if (status !== 'Cancelled') return null
  const entries = await listAudit(tx, { orgId, object: id })
  const reason = entries.find(({ action }) => action === 'withdrawal.reject')?.details['reason']
  return typeof reason === 'string' && reason !== '' ? reason : null
}

/** The proof of its status on the chain (decisions, 7). */
function proofOf({ status, txnError }: Withdrawal, spends: readonly SpendRecord[]): string {
  const spend = spends.at(-1)
  if (spend === undefined)
    return status === 'Failed'
      ? `no transaction was signed: ${txnError ?? ''}`
      : 'no transaction is signed yet'
  const { block, state, nonce } = spend
  if (state === 'Displaced')
    return `nonce ${nonce} was used by a transaction of another signer, so it can never be paid`
  if (block === null) return `no transaction is included yet (nonce ${nonce})`
  const outcome = spend.succeeded === true ? 'succeeded' : 'failed'
  const where = `block ${block.height} ${block.hash}`
  return `${spend.txnHash} is included in ${where} and ${outcome} (${state})`
}

function plain(withdrawal: Withdrawal) {
  const { mac: _mac, chainId, recipient, waitingSince, completedAt, ...rest } = withdrawal
  return {
    ...rest,
    chainId,
    recipient: displayAddress(chainId, recipient),
    waitingFor: shownWait(withdrawal.waitingFor),
    waitingSince: waitingSince === null ? null : iso(waitingSince),
    completedAt: completedAt === null ? null : iso(completedAt),
    createdAt: iso(withdrawal.createdAt),
    updatedAt: iso(withdrawal.updatedAt),
  }
}

function seen(spend: SpendRecord) {
  const { id, state, sender, nonce, maxFee, fee, succeeded, block } = spend
  return {
    id,
    state,
    sender,
    nonce,
    maxFee,
    fee,
    succeeded,
    block,
    transactions: spend.transactions.map((one) => ({
      txnHash: one.txnHash,
      signedAt: iso(one.signedAt),
      signedHeight: one.signedHeight,
      maxFee: one.maxFee,
      broadcasts: one.broadcasts,
      broadcastAt: one.broadcastAt === null ? null : iso(one.broadcastAt),
      lastAnswer: one.lastAnswer,
    })),
  }
}

function linesOf(record: Record<string, unknown>): string[] {
  return Object.entries(record)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : String(value)
      return `${name}: ${visibleValue(text)}`
    })
}

function linesOfSpend(spend: SpendRecord): string[] {
  const attempts = table(
    ['transaction', 'signed', 'highest fee', 'sent', 'last answer'],
    seen(spend).transactions.map((one) => [
      one.txnHash,
      one.signedAt,
      one.maxFee.toString(),
      `${one.broadcasts} times`,
      one.lastAnswer,
    ]),
    'No transaction is signed.',
  )
  return [`spend ${spend.id}: ${spend.state}, ${spend.sender} nonce ${spend.nonce}`, ...attempts]
}
