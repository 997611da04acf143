import { expect, test } from 'vitest'
import { type Report, textOf, timesOf } from './report.ts'

const REPORT: Report = {
  seed: 'one',
  minutes: 2,
  rate: 3,
  processes: 2,
  bitcoinNode: 'bitcoind',
  chains: [
    {
      chainId: 'eip155:1',
      paid: 12,
      arrived: 11,
      credited: 11,
      deposits: { Confirmed: 11, Orphaned: 1 },
      depositsPerSecond: 0.1,
      asked: 3,
      refused: 0,
      completed: 3,
      failed: 0,
      withdrawals: { Completed: 3 },
      withdrawalsPerSecond: 0.025,
      reorgs: { 1: 2, 7: 1 },
      deepReorgs: 1,
      nodeCalls: 100,
      nodeFaults: { reset: 2, 'HTTP 429': 3 },
    },
  ],
  kills: { service: 2, database: 1 },
  killed: { 'service-1': 2, PostgreSQL: 1 },
  serviceStarts: timesOf([3, 1, 2]),
  serviceEnds: 0,
  databaseRestarts: timesOf([700]),
  spends: { 'withdrawal Settled': 3 },
  resumed: 1,
  released: 0,
  causes: {},
  requestsRepeated: 0,
  events: 30,
  deliveriesRepeated: 1,
  receiverFaults: 1,
  settledSeconds: 9,
  audit: 'clean',
  rescan: { seconds: 4, deposits: 11, spends: 3, isEqual: true },
  openAlerts: [],
  differences: [],
  mishaps: [],
  passed: true,
}

test('times show their median, 99th percentile and maximum', () => {
  const all = Array.from({ length: 201 }, (_, at) => at)
  expect(timesOf(all)).toEqual({ count: 201, medianMs: 100, p99Ms: 198, maxMs: 200 })
  expect(timesOf([])).toEqual({ count: 0, medianMs: 0, p99Ms: 0, maxMs: 0 })
})

test('the report lists kills, payments, reorgs, the rescan and every difference', () => {
  const text = textOf(REPORT)
  for (const said of [
    'killed: 2 service, 1 database (2 service-1, 1 PostgreSQL)',
    'rows: 11 Confirmed, 1 Orphaned',
    'rows: 3 Completed',
    '3 reorgs by depth (2× 1, 1× 7), 1 under a credited deposit',
    '5 of 100 node requests faulty (2 reset, 3 HTTP 429)',
    'started 3 times, median 2 ms, p99 3 ms, at most 3 ms',
    'equal to the ledger',
    '\n0 differences',
  ]) {
    expect(text).toContain(said)
  }
  const unlike = {
    ...REPORT,
    rescan: { ...REPORT.rescan, isEqual: false },
    differences: [{ what: 'a deposit is lost', details: '1 × h' }],
  }
  expect(textOf(unlike)).toContain('NOT equal to the ledger')
  expect(textOf(unlike)).toContain('DIFFERENCE: a deposit is lost: 1 × h\n1 differences')
})
