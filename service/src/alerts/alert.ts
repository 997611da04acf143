import type { Millis } from '../base/clock.ts'
import type { AlertRow } from './rows.ts'

/** Every alert code with its meaning for an operator. */
export const ALERT_CODES = {
  'chain.wrong_network': 'A node serves a different chain than configured',
  'chain.unreachable': 'No node of a chain answers',
  'chain.frozen':
    'A reorg removed a block with credited deposits; crediting and signing have stopped',
  'chain.halted': 'A chain is no longer scanned',
  'chain.disputed': 'The nodes of a chain disagree about final blocks; no deposit is credited',
  'chain.stalled': 'A chain has had no new block for a long time',
  'chain.unproven_block':
    'The root in a block header does not match its transactions; a second node confirms the block',
  'chain.finality_unknown':
    'No node reports the final block; deposits are confirmed by depth alone',
  'token.mismatch': 'Decimals or symbol of a contract differ from the catalogue',
  'token.duplicate': 'Two listed contracts report the same balances: probably one token',
  'token.suspended': 'A token moved different amounts than its events report',
  'token.unlisted': 'Withdrawals wait for a token that was removed from the configuration',
  'deposit.held': 'A deposit is held and waits for an operator',
  'deposit.unattributed': 'An unattributed deposit arrived; two operators can assign it to a user',
  'account.tampered': 'An account or a watched address was changed in the database; it is not used',
  'account.not_ready': 'The shared base account cannot receive deposits yet',
  'funding.held': 'A transfer to a settlement or gas address is held and waits for an operator',
  'gas.low': 'A gas wallet can pay for only a few more sweeps; send native currency to it',
  'energy.not_returned': 'Delegated energy was not undelegated; the service retries',
  'sweep.refused': 'A token refuses a sweep; the service retries later',
  'spend.foreign': 'A transaction that we did not sign used our nonce; its sender is halted',
  'spend.forgotten':
    'The chain has transactions of our sender that are not in the database; the sender is halted',
  'spend.mismatch': 'A transaction to be signed differs from its request; its sender is halted',
  'spend.stuck': 'Our transaction is not included, and no replacement is possible or allowed',
  'spend.unproven': 'Our transaction succeeded without the expected transfer',
  'organization.tampered':
    'The approval thresholds were changed in the database; no withdrawal can be created',
  'api_key.tampered': 'An API key that was inserted or changed in the database was used',
  'signer.away': 'The signer does not answer; no transaction is signed',
  'signer.refused': 'The signer refuses a transaction; a withdrawal waits for an operator',
  'withdrawal.waiting': 'A withdrawal has waited for funds for a long time',
  'withdrawal.refused':
    'A token refuses every payment of a settlement account; its withdrawals fail',
  'withdrawal.tampered': 'A withdrawal or its approvals were changed in the database',
  'withdrawal.contradicted': 'A withdrawal ended differently after a reorg than was reported',
  'clock.skewed': 'The clock of a process differs from the database; its loops are paused',
  'ledger.difference': 'The ledger and the chain differ',
  'ledger.broken': 'Balances do not match their postings; signing is halted',
  'audit_log.behind': 'Entries of the audit log are not being sealed',
  'audit_log.broken': 'The audit log was changed; signing is halted',
  'webhook_endpoint.tampered':
    'A webhook endpoint was changed in the database; it receives no events',
  'webhook.failed': 'A webhook delivery failed permanently',
} as const satisfies Record<string, string>

export type AlertCode = keyof typeof ALERT_CODES

/**
 * The command that ends the cause of an alert, by code. Such an alert cannot be closed manually,
 * because its cause would remain unreported.
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

/** At most one alert is open for each code and subject. */
export interface Alert {
  id: string
  code: string
  /** A chain id, a token id, a deposit id. */
  subject: string
  message: string
  details: Record<string, unknown>
  /** How often it was raised while open. */
  times: number
  raisedAt: Millis
  lastAt: Millis
  /** Null while open. */
  resolvedAt: Millis | null
  /** The organization that may see it; null if it is the installation's. */
  orgId: string | null
  /** The first acknowledgement; null before. */
  acknowledgedAt: Millis | null
  acknowledgedBy: string | null
}

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
    orgId: row.org_id,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
  }
}
