import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../test/support/withdrawal-desk.ts'
import { sendSpend } from '../transactions/send.ts'
import { processWithdrawals } from './pay/process.ts'

const MINUTE_MS = 60_000
/** To whom this is paid a payment takes more gas than there is. */
const DEAR = 70n

let desk: Desk
let last: Set<string>

beforeEach(async () => {
  desk = await openDesk()
  last = new Set()
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})
afterEach(() => desk.close())

test('W20 one that lacks gas keeps none behind it from going that is cheaper', async () => {
  const dear = [await createdLater(DEAR), await createdLater(DEAR), await createdLater(DEAR)]
  const plain = await createdLater()
  for (let rounds = 0; rounds <= dear.length; rounds += 1) await tick()
  for (const id of dear)
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'gas' })
  expect(await desk.read(plain)).toMatchObject({ status: 'Processing' })
})

test('a withdrawal fails for missing gas only after its own quote [W20]', async () => {
  const [dear, next, plain] = [
    await createdLater(DEAR),
    await createdLater(DEAR),
    await createdLater(),
  ]
  await tick()
  await desk.door.harness.clock.advance(60 * MINUTE_MS)
  await tick()
  const failed = { status: 'Failed', failureCode: 'INSUFFICIENT_GAS' }
  expect(await desk.read(dear)).toMatchObject(failed)
  expect(await desk.read(next)).toMatchObject(failed)
  expect(await desk.read(plain)).toMatchObject({ status: 'Processing' })
})

/** One round, in which the gas there is suffices for what is not dear. */
function tick(): Promise<number> {
  const deps = { ...desk.deps(), last }
  return processWithdrawals(deps, async (mandate) =>
    mandate.intent.amount === DEAR
      ? { outcome: 'short-of-gas', available: 10n ** 9n, needed: 10n ** 10n }
      : sendSpend(deps, mandate),
  )
}

async function createdLater(amount = 60n): Promise<string> {
  await desk.door.harness.clock.advance(1_000)
  return desk.created({ amount: amount.toString() })
}
