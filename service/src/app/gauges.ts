import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import { readChainStates } from '../catalogue/chain-state.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { countAlerts } from '../alerts/count-alerts.ts'
import { readAuditHead } from '../audit-log/seal-audit.ts'
import { readWaiting } from '../audit-log/verify-audit.ts'
import { listOrganizations } from '../orgs/settings.ts'
import type { Database, Tx } from '../store/database.ts'
import { limitStatements } from '../store/time-rows.ts'
import { outboxDepth } from '../webhooks/depth.ts'
import { countOpen } from '../withdrawals/open-rows.ts'
import { ANSWER_MS_MAX } from './readiness.ts'

type Picture = Awaited<ReturnType<typeof readPicture>>

/** The sources of the gauges. */
export interface GaugesOf {
  database: Database
  clock: Clock
  catalogue: Pick<Catalogue, 'isConfigured'>
}

/** Registers the gauges of the database; each request of the metrics reads them again. */
export function openGauges(
  registry: Registry,
  { database, clock, catalogue }: GaugesOf,
): () => Promise<void> {
  const chains = chainGauges(registry)
  const outbox = outboxGauges(registry)
  const alerts = alertGauges(registry)
  const auditLog = auditLogGauges(registry)
  const withdrawals = withdrawalGauges(registry)
  return async () => {
    const picture = await readPicture(database)
    // A chain removed from the configuration is not scanned and must not raise an alarm.
    const states = picture.states.filter(({ chainId }) => catalogue.isConfigured(chainId))
    chains({ states }, clock.now())
    outbox(picture, clock.now())
    alerts(picture)
    auditLog(picture, clock.now())
    withdrawals(picture, clock.now())
  }
}

/** A read that timed out, behind a locked table for example, frees its connection for the loops. */
function readPicture(database: Database) {
  return database.transaction(async (tx) => {
    await limitStatements(tx, ANSWER_MS_MAX)
    return {
      states: await readChainStates(tx),
      depth: await outboxDepth(tx),
      alerts: await countAlerts(tx),
      auditHead: await readAuditHead(tx),
      unsealed: await readWaiting(tx),
      withdrawals: await readWithdrawals(tx),
    }
  })
}

async function readWithdrawals(tx: Tx) {
  const organizations = await listOrganizations(tx)
  return countOpen(
    tx,
    organizations.map(({ id }) => id),
  )
}

function gaugeOf(registry: Registry, name: string, help: string, labelNames: string[] = []) {
  return new Gauge({ name: `sluice_${name}`, help, labelNames, registers: [registry] })
}

function chainGauges(registry: Registry): (picture: Pick<Picture, 'states'>, now: number) => void {
  const gauge = (name: string, help: string) => gaugeOf(registry, name, help, ['chain'])
  const head = gauge('chain_head_block', 'Height of the nodes')
  const tip = gauge('chain_indexed_block', 'Height of our tip')
  const final = gauge('chain_finalized_block', 'Height that the chain calls final')
  const running = gauge('chain_running', '1 while a chain runs, 0 while frozen or halted')
  const tipTime = gauge('chain_last_block_timestamp_seconds', 'Time of our tip')
  const lag = gauge('chain_lag_seconds', 'Age of our tip')
  return ({ states }, now) => {
    for (const state of states) {
      head.labels(state.chainId).set(state.headHeight)
      tip.labels(state.chainId).set(state.tip.height)
      if (state.final !== null) final.labels(state.chainId).set(state.final.height)
      running.labels(state.chainId).set(state.condition === 'running' ? 1 : 0)
      tipTime.labels(state.chainId).set(state.tipTime / 1000)
      lag.labels(state.chainId).set(Math.max(0, now - state.tipTime) / 1000)
    }
  }
}

function outboxGauges(registry: Registry): (picture: Picture, now: number) => void {
  const queue = gaugeOf(registry, 'webhook_queue_size', 'Deliveries that wait')
  const failed = gaugeOf(registry, 'webhook_failed', 'Deliveries that failed and are not retried')
  const oldest = gaugeOf(
    registry,
    'webhook_oldest_undelivered_age_seconds',
    'How long the delivery has waited that has waited longest, retries included',
  )
  return ({ depth }, now) => {
    queue.set(depth.pending)
    failed.set(depth.failed)
    oldest.set(depth.oldestDueAt === null ? 0 : Math.max(0, now - depth.oldestDueAt) / 1000)
  }
}

function alertGauges(registry: Registry): (picture: Picture) => void {
  const open = gaugeOf(registry, 'alerts_open', 'Open alerts', ['code'])
  const imbalance = gaugeOf(
    registry,
    'ledger_imbalance_detected',
    '1 while the ledger differs from its postings or from a chain',
  )
  return ({ alerts }) => {
    open.reset()
    for (const { code, count } of alerts) open.labels(code).set(count)
    imbalance.set(alerts.some(({ code }) => code.startsWith('ledger.')) ? 1 : 0)
  }
}

function withdrawalGauges(registry: Registry): (picture: Picture, now: number) => void {
  const labels = ['chain', 'status']
  const open = gaugeOf(registry, 'withdrawals_open', 'Withdrawals that are not over', labels)
  const oldest = gaugeOf(
    registry,
    'withdrawal_oldest_seconds',
    'How long the one has waited that has waited longest',
    labels,
  )
  return ({ withdrawals }, now) => {
    // The series of a status ends with its last withdrawal, and so does an alarm on it.
    open.reset()
    oldest.reset()
    for (const { chainId, status, count, since } of withdrawals) {
      open.labels(chainId, status).set(count)
      oldest.labels(chainId, status).set(Math.max(0, now - since) / 1000)
    }
  }
}

function auditLogGauges(registry: Registry): (picture: Picture, now: number) => void {
  const sealed = gaugeOf(registry, 'audit_log_sealed', 'Entries of the audit log that are sealed')
  const age = gaugeOf(
    registry,
    'audit_log_unsealed_age_seconds',
    'How long the oldest entry without a seal has waited for it',
  )
  return ({ auditHead, unsealed }, now) => {
    sealed.set(auditHead.sequence)
    age.set(unsealed.oldestAt === null ? 0 : Math.max(0, now - unsealed.oldestAt) / 1000)
  }
}
