import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../../test/support/withdrawal-desk.ts'
import { Outage } from '../../base/fault.ts'
import type { Quote } from '../../chains/port.ts'
import type { SpendPoint } from '../../transactions/core/crash-points.ts'
import { resolveWaiting } from './alerts.ts'
import { processWithdrawals } from './process.ts'

let desk: Desk
let quoted: Desk['chain']['quote']
beforeAll(async () => {
  desk = await openDesk()
  quoted = desk.chain.quote
})
afterAll(() => desk.close())
beforeEach(async () => {
  desk.chain.quote = quoted
  await desk.threshold(1)
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.tamper("update spends set state = 'Settled'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})

describe('while the signer is away', () => {
  test('withdrawals wait for it, and are paid once when it is back', async () => {
    const ids = [await desk.created(), await desk.created()]
    const away = async () => {
      throw new Outage('signer', 'no answer within 2000 ms')
    }
    await expect(desk.tick(away)).rejects.toThrow(Outage)
    for (const id of ids)
      expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'signer' })
    expect(await desk.tick()).toBe(2)
    expect(await desk.tick()).toBe(0)
    for (const id of ids) expect(await spendsOf(id)).toBe(1)
  })

  test('no other withdrawal of the round is tried', async () => {
    await desk.created()
    await desk.created()
    let asked = 0
    const away = async () => {
      asked += 1
      throw new Outage('signer', 'no answer within 2000 ms')
    }
    await expect(desk.tick(away)).rejects.toThrow(Outage)
    expect(asked).toBe(1)
  })
})

describe('a refusal of the signer', () => {
  const refused = { outcome: 'refused', code: 'fee-too-high', says: 'The fee exceeds 5.' } as const

  test('lets the withdrawal wait for the operator, with an alert until it is paid', async () => {
    const id = await desk.created()
    expect(await desk.tick(async () => refused)).toBe(0)
    const first = await desk.read(id)
    expect(first).toMatchObject({ status: 'Pending', waitingFor: 'operator' })
    expect(await desk.alerts('signer.refused')).toEqual([id])
    const [alert] = await desk.rows("select message from alerts where code = 'signer.refused'")
    expect(alert?.['message']).toContain('fee-too-high')
    await desk.door.harness.clock.advance(60_000)
    expect(await desk.tick(async () => refused)).toBe(0)
    expect((await desk.read(id)).waitingSince).toBe(first.waitingSince)
    expect(await desk.tick()).toBe(1)
    await resolveWaiting({ database: desk.database })
    expect(await desk.alerts('signer.refused')).toEqual([])
  })

  test('of a window that is still open is no alert', async () => {
    const id = await desk.created()
    await desk.tick(async () => ({ ...refused, code: 'not-expired' }))
    expect(await desk.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'confirmations' })
    expect(await desk.alerts('signer.refused')).toEqual([])
  })
})

describe('a withdrawal that was signed and not stored', () => {
  test('is signed again under its nonce, before all others of its sender', async () => {
    const [first, second] = [await createdLater(), await createdLater()]
    const crash = (point: SpendPoint) => {
      if (point === 'send.signed') throw new Error('the process ends')
    }
    await expect(processWithdrawals({ ...desk.deps(), crash })).rejects.toThrow('the process ends')
    expect(await spendsOf(first)).toBe(0)
    // Something else keeps the first from being paid.
    desk.chain.quote = async () => {
      desk.chain.quote = quoted
      return SHORT
    }
    expect(await desk.tick()).toBe(0)
    expect(await desk.read(second)).toMatchObject({ status: 'Pending' })
    expect(await desk.tick()).toBe(2)
    const [nonceOfFirst, nonceOfSecond] = [await nonceOf(first), await nonceOf(second)]
    expect(nonceOfSecond).toBe(nonceOfFirst + 1)
  })

  test('holds back no other one once it is cancelled', async () => {
    const [first, second] = [await createdLater(), await createdLater()]
    let isFirst = true
    const crash = (point: SpendPoint) => {
      if (point !== 'send.signed' || !isFirst) return
      isFirst = false
      throw new Error('the process ends')
    }
    await expect(processWithdrawals({ ...desk.deps(), crash })).rejects.toThrow('the process ends')
    expect(await spendsOf(second)).toBe(0)
    const boss = await desk.signer('admin')
    expect((await boss.ask(`/withdrawals/${first}`, 'DELETE')).status).toBe(200)
    expect(await desk.tick()).toBe(1)
    expect(await spendsOf(second)).toBe(1)
  })
})

const SHORT: Quote = {
  ok: false,
  code: 'INSUFFICIENT_GAS',
  message: 'too little',
  details: {},
}

/** In the order of their creation. */
async function createdLater(): Promise<string> {
  await desk.door.harness.clock.advance(1)
  return desk.created()
}

async function spendsOf(id: string): Promise<number> {
  return (await desk.rows(`select 1 from spends where subject_id = '${id}'`)).length
}

async function nonceOf(id: string): Promise<number> {
  const [row] = await desk.rows(`select nonce from spends where subject_id = '${id}'`)
  return Number(row?.['nonce'])
}
