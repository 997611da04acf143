import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { freePort } from '@sluice/simulator'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, countWaiting, openTestDatabase } from '../../test/support/database.ts'
import { iso } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { withSession } from '../store/connection.ts'
import { openMetrics, serveMetrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

const CHAIN = 'eip155:1' as ChainId
let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const open = (isConfigured: (chainId: string) => boolean = () => true) =>
  openMetrics({ ...db, catalogue: { isConfigured }, version: '1.2.3' })

test('a reorg is counted when the next block is connected, with its depth', async () => {
  const metrics = open()
  const connected = {
    type: 'connected',
    chainId: CHAIN,
    blocks: 1,
    deposits: 2,
    isBare: false,
  } as const
  metrics.onScanner(connected)
  for (const height of [9, 8, 7]) {
    metrics.onScanner({ type: 'disconnected', chainId: CHAIN, height })
  }
  expect(await metrics.expose()).not.toContain(`sluice_chain_reorgs_total{chain="${CHAIN}"}`)
  metrics.onScanner(connected)
  metrics.onScanner(connected)
  const text = await metrics.expose()
  expect(text).toContain(`sluice_chain_reorgs_total{chain="${CHAIN}"} 1\n`)
  expect(text).toContain(`sluice_chain_reorg_depth_blocks_sum{chain="${CHAIN}"} 3\n`)
  expect(text).toContain(`sluice_chain_blocks_total{chain="${CHAIN}"} 3\n`)
  expect(text).toContain(`sluice_deposits_total{chain="${CHAIN}",state="detected"} 6\n`)
})

test('metrics count attempts by outcome, and requests by route and status', async () => {
  const metrics = open()
  const times = { startedAt: 1000, endedAt: 1500 }
  metrics.onAttempt({ ...times, answer: { status: 204, headers: {}, body: '', error: '' } })
  metrics.onAttempt({ ...times, answer: { status: 500, headers: {}, body: '', error: '' } })
  metrics.onHttpRequest({ route: '/chains/:id', method: 'GET', status: 200, ms: 3 })
  const text = await metrics.expose()
  expect(text).toContain('sluice_webhook_deliveries_total{outcome="accepted"} 1\n')
  expect(text).toContain('sluice_webhook_deliveries_total{outcome="failed"} 1\n')
  expect(text).toContain('sluice_webhook_delivery_duration_seconds_sum 1\n')
  expect(text).toContain('_count{route="/chains/:id",method="GET",status="200"} 1\n')
  expect(text).toContain('sluice_build_info{version="1.2.3"} 1\n')
})

test('gauges show the tips of the chains and the open alerts', async () => {
  const metrics = open()
  const quiet = await metrics.expose()
  expect(quiet).toContain('sluice_ledger_imbalance_detected 0\n')
  await db.database.transaction(async (tx) => {
    const tip = { height: 100, hash: `0x${'ab'.repeat(32)}` }
    const tipTime = db.clock.now() - 7000
    const genesis = `0x${'cd'.repeat(32)}`
    await startChain(tx, { chainId: CHAIN, genesis, tip, headHeight: 105, final: null, tipTime })
    await raiseAlert(tx, { code: 'ledger.difference', subject: 'x', message: 'It differs.' })
  })
  const text = await metrics.expose()
  expect(text).toContain(`sluice_chain_indexed_block{chain="${CHAIN}"} 100\n`)
  expect(text).toContain(`sluice_chain_head_block{chain="${CHAIN}"} 105\n`)
  expect(text).toContain(`sluice_chain_lag_seconds{chain="${CHAIN}"} 7\n`)
  expect(text).toContain(`sluice_chain_running{chain="${CHAIN}"} 1\n`)
  expect(text).toContain('sluice_alerts_open{code="ledger.difference"} 1\n')
  expect(text).toContain('sluice_ledger_imbalance_detected 1\n')
})

test('a chain that was taken out of the configuration has no gauges to alarm by', async () => {
  const text = await open((chainId) => chainId !== CHAIN).expose()
  expect(text).not.toContain(`{chain="${CHAIN}"}`)
  expect(text).toContain('sluice_alerts_open{code="ledger.difference"} 1\n')
})

test('metrics time out behind a locked table and leave no waiting statement [O05]', async () => {
  await withSession(db.urls.owner, async (session) => {
    await session.script('begin; lock table alerts')
    await expect(open().expose()).rejects.toBeInstanceOf(Outage)
    expect(await countWaiting(db)).toBe(0)
    await session.script('rollback')
  })
})

test('gauges count older open alerts whatever the number of newer ones [O09]', async () => {
  await db.database.transaction((tx) =>
    raiseAlert(tx, { code: 'ledger.difference', subject: 'x', message: 'It differs.' }),
  )
  await db.clock.advance(60_000)
  const later = iso(db.clock.now())
  await db.database.transaction((tx) =>
    tx.run(sql`
      insert into alerts (id, code, subject, message, raised_at, last_at)
      select gen_random_uuid(), 'deposit.unattributed', n::text, 'Nobody’s.', ${later}, ${later}
        from generate_series(1, 1500) as n`),
  )
  const text = await open().expose()
  expect(text).toContain('sluice_alerts_open{code="deposit.unattributed"} 1500\n')
  expect(text).toContain('sluice_alerts_open{code="ledger.difference"} 1\n')
  expect(text).toContain('sluice_ledger_imbalance_detected 1\n')
})

test('answers for the health of a process on the port of the metrics', async () => {
  let status: Readiness['status'] = 'ready'
  const readiness = async () => ({ status, checks: { database: 'ok' } as const })
  const observed = { expose: async () => 'metrics', readiness, roles: ['scanner'] }
  const port = await freePort()
  const server = await serveMetrics(observed, { host: '127.0.0.1', port })
  onTestFinished(() => void server.close())
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return [answer.status, await answer.text()]
  }
  expect(await get('/healthz')).toEqual([200, '{"status":"ok","roles":["scanner"]}'])
  const ready = { status: 'ready', roles: ['scanner'], checks: { database: 'ok' } }
  expect(await get('/readyz')).toEqual([200, JSON.stringify(ready)])
  status = 'unavailable'
  expect((await get('/readyz'))[0]).toBe(503)
  expect(await get('/metrics')).toEqual([200, 'metrics'])
  expect((await get('/nothing'))[0]).toBe(404)
})
