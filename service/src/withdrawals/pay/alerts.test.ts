import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHAIN, type Desk, openDesk, TOKEN } from '../../../test/support/withdrawal-desk.ts'
import type { Quote } from '../../chains/port.ts'
import { resolveWaiting } from './alerts.ts'

const MINUTE_MS = 60_000

let desk: Desk
let quoted: Desk['chain']['quote']
beforeAll(async () => {
  desk = await openDesk()
  quoted = desk.chain.quote
})
afterAll(() => desk.close())
beforeEach(async () => {
  desk.chain.quote = quoted
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})

test('a withdrawal raises one alert when it waits long for a sweep [W20]', async () => {
  const id = await desk.created()
  desk.chain.quote = async () => UNSWEPT
  await look()
  await later(59)
  expect(await told()).toEqual([])
  await later(1)
  await later(1)
  expect(await told()).toEqual([
    {
      subject: id,
      times: 1,
      message:
        `The withdrawal ${id} of 60 base units of ${TOKEN} (Ether) on Ethereum waits for ` +
        'funds: the settlement account holds less, and no sweep has added the rest.',
      details: { orgId: desk.orgId, chainId: CHAIN, tokenId: TOKEN },
    },
  ])
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  desk.chain.quote = quoted
  expect(await look()).toBe(1)
  expect(await told()).toEqual([])
})

test('the alert is resolved when the withdrawal ends or waits otherwise [W20]', async () => {
  const [cancelled, other] = [await desk.created(), await desk.created()]
  desk.chain.quote = async () => UNSWEPT
  await look()
  await later(60)
  expect((await told()).map(({ subject }) => subject)).toEqual([cancelled, other].toSorted())
  const boss = await desk.signer('admin')
  const answer = await boss.ask(`/withdrawals/${cancelled}`, 'DELETE')
  expect(answer.status).toBe(200)
  desk.chain.quote = async () => ({ ...UNSWEPT, code: 'INSUFFICIENT_GAS' })
  await look()
  expect(await told()).toEqual([])
  expect(await desk.read(other)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
  await boss.ask(`/withdrawals/${other}`, 'DELETE')
})

test('a withdrawal of an organization that owes waits and raises an alert [A20]', async () => {
  const id = await desk.created()
  const available = await desk.available()
  const settlement = `place:settlement:${desk.settlement}` as const
  await desk.book({
    debit: 'claim:available',
    credit: settlement,
    amount: available + 1n,
    reversal: true,
  })
  await look()
  await later(60)
  await later(24 * 60)
  expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  const message = expect.stringContaining('balance of the organization is below zero')
  expect(await told()).toMatchObject([{ subject: id, times: 1, message }])
  await desk.fund(available + 1n)
  expect(await look()).toBe(1)
  expect(await told()).toEqual([])
})

test('the alert is raised again when the organization owes [A20]', async () => {
  const id = await desk.created()
  desk.chain.quote = async () => UNSWEPT
  await look()
  await later(60)
  const unswept = expect.stringContaining('no sweep has added the rest')
  expect(await told()).toMatchObject([{ subject: id, times: 1, message: unswept }])
  const available = await desk.available()
  const settlement = `place:settlement:${desk.settlement}` as const
  const lost = { debit: 'claim:available', credit: settlement, reversal: true } as const
  await desk.book({ ...lost, amount: available + 1n })
  await later(1)
  await later(1)
  const owed = expect.stringContaining('balance of the organization is below zero')
  expect(await told()).toMatchObject([{ subject: id, times: 2, message: owed }])
  await desk.fund(available + 1n)
  desk.chain.quote = quoted
  expect(await look()).toBe(1)
  expect(await told()).toEqual([])
})

const UNSWEPT: Exclude<Quote, { ok: true }> = {
  ok: false,
  code: 'INSUFFICIENT_BALANCE',
  message: 'as the node says it',
  details: {},
}

/** Advances the clock and runs a round. */
async function later(minutes: number): Promise<void> {
  await desk.door.harness.clock.advance(minutes * MINUTE_MS)
  await look()
}

/** A round of withdrawals, as the spender makes it. */
async function look(): Promise<number> {
  const sent = await desk.tick()
  await resolveWaiting(desk.deps())
  return sent
}

/** Open alerts. */
function told(): Promise<Record<string, unknown>[]> {
  return desk.rows(`
    select subject, times, message, details
      from alerts
     where code = 'withdrawal.waiting'
       and resolved_at is null
     order by subject`)
}
