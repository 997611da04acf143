import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ScriptedServer,
  type Step,
  patientClient,
  refusal,
  startScript,
} from '../test/scripted-server.ts'
import type { NewWithdrawal } from './withdrawals.ts'

let service: ScriptedServer

beforeEach(async () => {
  service = await startScript()
})
afterEach(() => service.close())

const wanted: NewWithdrawal = {
  chainId: 'eip155:1',
  tokenId: 'eip155:1/slip44:60',
  amount: '5',
  recipient: '0xabc',
  reference: 'payout 7/ž',
}
const made = { id: 'w1', reference: wanted.reference, status: 'Pending' }
const created: Step = { status: 201, body: { withdrawal: made } }
const found: Step = { status: 200, body: { withdrawals: [made], nextCursor: null } }
const taken = (sameParameters: boolean) =>
  refusal(422, 'DUPLICATE_REFERENCE', { existingWithdrawalId: 'w1', sameParameters })
const caught = (error: unknown) => error

describe('a withdrawal', () => {
  test.each<[string, Step]>([
    ['the connection broke', 'cut'],
    ['the service failed', refusal(500, 'INTERNAL_ERROR')],
    ['the service was away', refusal(503, 'SERVICE_UNAVAILABLE')],
    ["a proxy's page came", { status: 504, text: 'Gateway Timeout' }],
  ])('that was created although %s is found by its reference', async (_what, lost) => {
    service.will(lost, taken(true), found)
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.create(wanted)).toEqual(made)
    expect(service.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /withdrawals',
      'POST /withdrawals',
      'GET /withdrawals?reference=payout%207%2F%C5%BE&limit=1',
    ])
  })

  test('that was not created after all is created by the second request', async () => {
    service.will('cut', created)
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.create(wanted)).toEqual(made)
    expect(service.asked[0]?.body).toBe(service.asked[1]?.body)
  })

  test('whose reference another payment has is refused, also after a lost answer', async () => {
    service.will('cut', taken(false))
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.create(wanted).catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE', details: { sameParameters: false } })
    expect(service.asked).toHaveLength(2)
  })

  test('whose reference was used before this call is refused', async () => {
    service.will(taken(true), found)
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.create(wanted).catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE' })
    expect(service.asked).toHaveLength(1)
  })

  test('that a limit turned away was not created: its duplicate is another’s', async () => {
    service.will(refusal(429, 'RATE_LIMIT_EXCEEDED'), taken(true), found)
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.create(wanted).catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE' })
    expect(service.asked).toHaveLength(2)
  })

  test('is given back the second time to whoever says that this is wanted', async () => {
    service.will(taken(true), found)
    const { client } = patientClient(service.baseUrl)
    const again = await client.withdrawals.create(wanted, { ifDuplicate: 'return' })
    expect(again).toEqual(made)
    service.will(taken(false))
    const error = await client.withdrawals
      .create({ ...wanted, amount: '6' }, { ifDuplicate: 'return' })
      .catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE' })
  })

  test('is not given back where what has the reference is not what the refusal names', async () => {
    const other = { status: 200, body: { withdrawals: [{ ...made, id: 'w2' }], nextCursor: null } }
    for (const answer of [other, { status: 200, body: { withdrawals: [] } }]) {
      service.will('cut', taken(true), answer)
      const { client } = patientClient(service.baseUrl)
      const error = await client.withdrawals.create(wanted).catch(caught)
      expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE' })
    }
  })
})

describe('a cancellation', () => {
  const late = refusal(422, 'WITHDRAWAL_NOT_PENDING', { id: 'w1', status: 'Cancelled' })
  const cancelled = {
    id: 'w1',
    status: 'Cancelled',
    txnError: 'CANCELLED BY u',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }

  test('that was done although its answer was lost is told as done', async () => {
    service.will('cut', late, { status: 200, body: { ...cancelled, amount: '5' } })
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.cancel('w1')).toEqual(cancelled)
  })

  test('that comes too late is refused, also after a lost answer', async () => {
    service.will('cut', late, { status: 200, body: { ...cancelled, status: 'Processing' } })
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.cancel('w1').catch(caught)
    expect(error).toMatchObject({ code: 'WITHDRAWAL_NOT_PENDING' })
  })

  test('of what was cancelled before this call is refused', async () => {
    service.will(late)
    const error = await patientClient(service.baseUrl).client.withdrawals.cancel('w1').catch(caught)
    expect(error).toMatchObject({ code: 'WITHDRAWAL_NOT_PENDING' })
    expect(service.asked).toHaveLength(1)
  })
})
