import type { Difference } from './judge.ts'

/** Durations in milliseconds. */
export interface Times {
  count: number
  medianMs: number
  p99Ms: number
  maxMs: number
}

/** A number for each key. */
export type Counts = Record<string, number>

export interface ChainReport {
  chainId: string
  /** Payments of the load, and those on the final chain. */
  paid: number
  arrived: number
  credited: number
  /** All rows of the ledger by their states. */
  deposits: Counts
  depositsPerSecond: number
  asked: number
  refused: number
  completed: number
  failed: number
  withdrawals: Counts
  withdrawalsPerSecond: number
  /** By how many blocks they replaced. */
  reorgs: Counts
  /** Reorgs that orphaned a credited deposit. */
  deepReorgs: number
  nodeCalls: number
  /** By kind of fault. */
  nodeFaults: Counts
}

export interface Report {
  seed: string
  minutes: number
  rate: number
  processes: number
  bitcoinNode: 'bitcoind' | 'simulated' | 'none'
  chains: ChainReport[]
  kills: Counts
  /** The same by what was killed. */
  killed: Counts
  serviceStarts: Times
  /** Unplanned exits of processes during an outage of their database. */
  serviceEnds: number
  databaseRestarts: Times
  spends: Counts
  resumed: number
  released: number
  /** Causes of the operator's releases, with their counts. */
  causes: Counts
  requestsRepeated: number
  events: number
  deliveriesRepeated: number
  receiverFaults: number
  settledSeconds: number
  audit: string
  /** The result of the fresh rescan, and whether it equals the ledger. */
  rescan: { seconds: number; deposits: number; spends: number; isEqual: boolean }
  openAlerts: string[]
  differences: Difference[]
  mishaps: string[]
  passed: boolean
}

export function timesOf(all: readonly number[]): Times {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.ceil((sorted.length - 1) * share)] ?? 0)
  return { count: all.length, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

/** The report for people. */
export function textOf(report: Report): string {
  const { chains, kills, serviceStarts, databaseRestarts, rescan, differences } = report
  const times = ({ count, medianMs, p99Ms, maxMs }: Times) =>
    `${count} times, median ${medianMs} ms, p99 ${p99Ms} ms, at most ${maxMs} ms`
  return [
    `Soak of ${report.minutes} minutes, seed ${report.seed}, ${report.processes} processes, ` +
      `Bitcoin: ${report.bitcoinNode}`,
    ...chains.map(lineOf),
    `killed: ${told(kills)} (${told(report.killed)})`,
    `operator: ${report.resumed} chains resumed, ` +
      `${report.released} deposits and fundings released (${told(report.causes)})`,
    `service started ${times(serviceStarts)}; unplanned exits: ${report.serviceEnds}`,
    `database killed ${times(databaseRestarts)} until it answered`,
    `spends: ${told(report.spends)}`,
    `events: ${report.events}, ${report.deliveriesRepeated} deliveries repeated, ` +
      `${report.receiverFaults} faults of receivers, ${report.requestsRepeated} requests repeated`,
    `settled after ${report.settledSeconds.toFixed(0)} s; audit: ${report.audit}`,
    `rescan into an empty database: ${rescan.deposits} deposits and ${rescan.spends} ` +
      `transactions of ours in ${rescan.seconds.toFixed(0)} s: ` +
      (rescan.isEqual ? 'equal to the ledger' : 'NOT equal to the ledger'),
    ...report.openAlerts.map((alert) => `open alert: ${alert}`),
    ...report.mishaps.slice(0, 10).map((mishap) => `mishap: ${mishap.slice(0, 300)}`),
    ...differences.slice(0, 40).map(({ what, details }) => `DIFFERENCE: ${what}: ${details}`),
    `${differences.length} differences`,
  ].join('\n')
}

function lineOf(one: ChainReport): string {
  return (
    `${one.chainId}: ${one.paid} deposits paid (${one.depositsPerSecond.toFixed(2)}/s), ` +
    `${one.arrived} stand (rows: ${told(one.deposits)}); ${one.asked} withdrawals asked ` +
    `(${one.withdrawalsPerSecond.toFixed(2)}/s), ${one.refused} refused ` +
    `(rows: ${told(one.withdrawals)}); ${sum(one.reorgs)} reorgs by depth ` +
    `(${told(one.reorgs, '×')}), ${one.deepReorgs} under a credited deposit; ` +
    `${sum(one.nodeFaults)} of ${one.nodeCalls} node requests faulty (${told(one.nodeFaults)})`
  )
}

function told(counts: Counts, between = ''): string {
  const all = Object.entries(counts).map(([name, count]) => `${count}${between} ${name}`)
  return all.join(', ') || 'none'
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}
