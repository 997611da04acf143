import type { Difference } from './judge.ts'

/** How many milliseconds something took, in the middle and at most. */
export interface Times {
  count: number
  medianMs: number
  maxMs: number
}

export interface ChainReport {
  chainId: string
  /** Payments that the load handed to the chain, and what of it stands there in the end. */
  paid: number
  arrived: number
  credited: number
  depositsPerSecond: number
  asked: number
  refused: number
  completed: number
  failed: number
  withdrawalsPerSecond: number
  reorgs: number
  deepReorgs: number
  deepest: number
  nodeCalls: number
  nodeFaults: number
}

export interface Report {
  seed: string
  minutes: number
  rate: number
  processes: number
  bitcoinNode: 'bitcoind' | 'simulated' | 'none'
  chains: ChainReport[]
  kills: Record<string, number>
  serviceStarts: Times
  /** Ends of processes that nobody killed: their database was gone. */
  serviceEnds: number
  databaseRestarts: Times
  spends: Record<string, number>
  resumed: number
  released: number
  /** Causes of what the operator had to let go on, and how often each came. */
  causes: Record<string, number>
  requestsRepeated: number
  events: number
  deliveriesRepeated: number
  receiverFaults: number
  settledSeconds: number
  audit: string
  rescan: { seconds: number; deposits: number; spends: number } | null
  openAlerts: string[]
  differences: Difference[]
  mishaps: string[]
  passed: boolean
}

export function timesOf(all: readonly number[]): Times {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return { count: all.length, medianMs: at(0.5), maxMs: at(1) }
}

/** The report for people. */
export function textOf(report: Report): string {
  const { chains, kills, serviceStarts, databaseRestarts, rescan, differences } = report
  const times = ({ count, medianMs, maxMs }: Times) =>
    `${count} times, median ${medianMs} ms, at most ${maxMs} ms`
  return [
    `Soak of ${report.minutes} minutes, seed ${report.seed}, ${report.processes} processes, ` +
      `Bitcoin: ${report.bitcoinNode}`,
    ...chains.map(lineOf),
    `kills: ${told(kills)}; operator: ${report.resumed} chains resumed, ` +
      `${report.released} deposits and fundings released (${told(report.causes)})`,
    `service started ${times(serviceStarts)}; it ended by itself ${report.serviceEnds} times`,
    `database killed ${times(databaseRestarts)} until it answered`,
    `spends: ${told(report.spends)}`,
    `events: ${report.events}, ${report.deliveriesRepeated} deliveries repeated, ` +
      `${report.receiverFaults} faults of receivers, ${report.requestsRepeated} requests repeated`,
    `settled after ${report.settledSeconds.toFixed(0)} s; audit: ${report.audit}`,
    rescan === null
      ? 'no rescan'
      : `rescan: ${rescan.deposits} deposits and ${rescan.spends} transactions of ours in ` +
        `${rescan.seconds.toFixed(0)} s`,
    ...report.openAlerts.map((alert) => `open alert: ${alert}`),
    ...report.mishaps.slice(0, 10).map((mishap) => `mishap: ${mishap.slice(0, 300)}`),
    ...differences.slice(0, 40).map(({ what, details }) => `DIFFERENCE: ${what}: ${details}`),
    `${differences.length} differences`,
  ].join('\n')
}

function lineOf(one: ChainReport): string {
  return (
    `${one.chainId}: ${one.paid} deposits paid (${one.depositsPerSecond.toFixed(2)}/s), ` +
    `${one.arrived} stand, ${one.credited} credited; ${one.asked} withdrawals asked ` +
    `(${one.withdrawalsPerSecond.toFixed(2)}/s), ${one.completed} completed, ` +
    `${one.failed} failed, ${one.refused} refused; ${one.reorgs} reorgs (${one.deepReorgs} deep, ` +
    `deepest ${one.deepest}); ${one.nodeFaults} of ${one.nodeCalls} node requests faulty`
  )
}

function told(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}
