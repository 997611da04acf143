import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHAIN, type Desk, openDesk } from '../../../test/support/withdrawal-desk.ts'
import { noteUndoing, setCondition } from '../../catalogue/chain-state.ts'
import type { Quote, QuoteRefusal } from '../../chains/port.ts'
import { raiseAlert, resolveAlert } from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { haltSender } from '../../transactions/core/halt.ts'
import { resumeSender } from '../../transactions/resume-sender.ts'

const MINUTE_MS = 60_000
const DISPUTED = { code: 'chain.disputed', subject: CHAIN } as const

let desk: Desk
let quoted: Desk['chain']['quote']
beforeAll(async () => {
  desk = await openDesk()
  quoted = desk.chain.quote
})
afterAll(() => desk.close())
beforeEach(async () => {
  desk.chain.quote = quoted
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})

/** Each stop of a chain, and the step that ends it. */
const STOPS: [what: string, stop: Step, goOn: Step][] = [
  ['frozen', (tx) => condition(tx, 'frozen'), (tx) => condition(tx, 'running')],
  ['halted', (tx) => condition(tx, 'halted'), (tx) => condition(tx, 'running')],
  [
    'disputed by its nodes',
    (tx) => raiseAlert(tx, { ...DISPUTED, message: 'a test' }),
    (tx) => resolveAlert(tx, DISPUTED),
  ],
]

test.each(STOPS)('R04 while a chain is %s no node has a withdrawal fail', async (_, stop, goOn) => {
  const id = await desk.created()
  await desk.database.transaction(stop)
  for (const code of ['RECIPIENT_REFUSES', 'INSUFFICIENT_GAS', 'FEE_TOO_HIGH'] as const) {
    desk.chain.quote = refusing(code)
    await desk.tick()
    await later(60)
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'chain' })
  }
  desk.chain.quote = quoted
  expect(await desk.tick()).toBe(0)
  await desk.database.transaction(goOn)
  expect(await desk.tick()).toBe(1)
  expect(await desk.read(id)).toMatchObject({ status: 'Processing' })
})

test('a stopped chain does not count as time waited for gas [R04]', async () => {
  const id = await desk.created()
  desk.chain.quote = refusing('INSUFFICIENT_GAS')
  await desk.tick()
  await later(59)
  await desk.database.transaction((tx) => condition(tx, 'frozen'))
  await desk.tick()
  await later(5 * 60)
  await desk.tick()
  await desk.database.transaction((tx) => condition(tx, 'running'))
  await desk.tick()
  await later(59)
  await desk.tick()
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
  await later(1)
  await desk.tick()
  expect(await desk.read(id)).toMatchObject({ status: 'Failed', failureCode: 'INSUFFICIENT_GAS' })
})

test('a small reorg does not restart the wait for gas [R01]', async () => {
  const id = await desk.created()
  desk.chain.quote = refusing('INSUFFICIENT_GAS')
  await desk.tick()
  await later(60)
  await desk.database.transaction((tx) => noteUndoing(tx, CHAIN))
  await desk.tick()
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
  await desk.tamper('update chain_states set is_undoing = false')
  await desk.tick()
  expect(await desk.read(id)).toMatchObject({ status: 'Failed', failureCode: 'INSUFFICIENT_GAS' })
})

test('W25 while the address that pays is halted nothing fails for what it lacks', async () => {
  await desk.created()
  expect(await desk.tick()).toBe(1)
  const id = await desk.created()
  desk.chain.quote = refusing('INSUFFICIENT_GAS')
  await desk.tick()
  const sender = { chainId: CHAIN, address: desk.settlement }
  const cause = { code: 'spend.forgotten', message: 'a test' } as const
  await desk.database.transaction((tx) => haltSender(tx, { ...sender, ...cause }))
  await later(60)
  await desk.tick()
  desk.chain.quote = refusing('RECIPIENT_REFUSES')
  await desk.tick()
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'operator' })
  const word = { chainNonce: 1, actor: 'test', reason: 'compared' }
  await desk.database.transaction((tx) => resumeSender(tx, { ...sender, ...word }))
  desk.chain.quote = quoted
  expect(await desk.tick()).toBe(1)
  expect(await desk.read(id)).toMatchObject({ status: 'Processing' })
})

type Step = (tx: Tx) => Promise<unknown>

function condition(tx: Tx, to: 'running' | 'frozen' | 'halted'): Promise<boolean> {
  return setCondition(tx, { chainId: CHAIN, condition: to, cause: 'a test' })
}

function refusing(code: QuoteRefusal): () => Promise<Quote> {
  return async () => ({ ok: false, code, message: 'as the node says it', details: {} })
}

function later(minutes: number): Promise<void> {
  return desk.door.harness.clock.advance(minutes * MINUTE_MS)
}
