import type { Millis } from '../base/clock.ts'
import type { AlertRow } from './rows.ts'

/** Every code of an alert, with what it tells an operator. New ones are added here. */
export const ALERT_CODES = {
  'chain.wrong_network': 'A node serves another chain than the configuration says',
  'chain.unreachable': 'No node of a chain answers',
  'chain.frozen': 'A block with booked money left the chain; crediting and signing have stopped',
  'chain.halted': 'A chain is no longer followed at all',
  'chain.disputed': 'The nodes of a chain disagree about settled blocks; nothing is credited there',
  'chain.stalled': 'A chain has brought no new block for a long time',
  'chain.unproven_block':
    'A block names another root than its transactions have; a second node told the same of it',
  'chain.finality_unknown': 'No node names the final block; depth alone settles deposits',
  'token.mismatch': 'A contract has other decimals or another symbol than the catalogue says',
  'token.duplicate': 'Two listed contracts report the same balances: they seem to be one token',
  'token.suspended': 'A token moved other amounts than its events say',
  'token.unlisted': 'Withdrawals wait of a token that the configuration does not have any more',
  'deposit.held': 'A deposit was held and waits for an operator',
  'deposit.unattributed': 'Money arrived that names no user; two people can say whose it is',
  'account.tampered':
    'The row of an account or a watched address was changed in the database; it is not used',
  'account.not_ready': 'The account that all users share cannot take deposits yet',
  'funding.held': 'Money at a settlement or gas address is held and waits for an operator',
  'gas.low': 'A gas wallet can pay for few sweeps only; send native currency to it',
  'energy.not_returned': 'Energy that a gas wallet lent was not taken back; it is tried again',
  'sweep.refused': 'A token does not let itself be swept; it is tried again later',
  'spend.foreign': 'A transaction that we did not sign used a nonce of ours; its sender is halted',
  'spend.forgotten': 'The chain knows transactions of ours that we do not; their sender is halted',
  'spend.mismatch': 'What was about to be signed was not what was asked; its sender is halted',
  'spend.stuck': 'A transaction of ours waits for long, and no replacement helps or is allowed',
  'spend.unproven': 'A transaction of ours succeeded and did not move what it should have',
  'organization.tampered':
    'How many must approve was changed in the database; nothing is asked for',
  'api_key.tampered': 'An API key that was put into the database, or changed there, was used',
  'withdrawal.waiting': 'A withdrawal has waited long for funds that do not come',
  'withdrawal.refused': 'A token lets a settlement account pay nobody; withdrawals of it fail',
  'withdrawal.tampered': 'A withdrawal or its approvals were changed in the database',
  'withdrawal.contradicted': 'After a reorg a withdrawal ended otherwise than was told',
  'clock.skewed': 'The clock of a process is not the one of the database',
  'ledger.difference': 'The ledger and the chain differ',
  'ledger.broken': 'Balances do not follow from the postings; nothing is signed',
  'audit_log.behind': 'Entries of the audit log wait for their seal, and nobody seals them',
  'audit_log.broken': 'The audit log is not what was written; nothing is signed',
  'webhook.failed': 'A delivery failed for good',
} as const satisfies Record<string, string>

export type AlertCode = keyof typeof ALERT_CODES

/**
 * The command that ends what an alert reports, by its code. Such an alert cannot be closed by hand:
 * its cause would remain, and nobody would be told of it.
 */
export const ENDED_BY: Readonly<Partial<Record<AlertCode, string>>> = {
  'chain.frozen': 'sluice chain resume <chain> --reason <text>',
  'chain.halted': 'sluice chain resume <chain> --reason <text>',
  'token.suspended': 'sluice token resume <token> --reason <text>',
  'spend.foreign': 'sluice sender resume <chain> --reason <text>',
  'spend.forgotten': 'sluice sender resume <chain> --reason <text>',
  'spend.mismatch': 'sluice sender resume <chain> --reason <text>',
  'audit_log.broken': 'sluice audit-log accept --reason <text>',
}

/**
 * Something an operator must know. One is open for each code and subject, however often it recurs.
 */
export interface Alert {
  id: string
  code: string
  /** What it is about: a chain id, a token id, a deposit. */
  subject: string
  message: string
  details: Record<string, unknown>
  /** How often it was raised while open. */
  times: number
  raisedAt: Millis
  lastAt: Millis
  /** Null while open. */
  resolvedAt: Millis | null
}

/** Reads an alert as it is stored. */
export function alertFromRow(row: AlertRow): Alert {
  return {
    id: row.id,
    code: row.code,
    subject: row.subject,
    message: row.message,
    details: row.details,
    times: row.times,
    raisedAt: row.raised_at,
    lastAt: row.last_at,
    resolvedAt: row.resolved_at,
  }
}
