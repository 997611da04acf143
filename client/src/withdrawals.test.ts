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
    ['the service was unavailable', refusal(503, 'SERVICE_UNAVAILABLE')],
    ["a proxy's page came", { status: 504, text: 'Gateway Timeout' }],
  ])('is found by its reference when it was created although %s', async (_what, lost) => {
    service.will(lost, taken(true), found)
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.create(wanted)).toEqual(made)
    expect(service.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /withdrawals',
      'POST /withdrawals',
      'GET /withdrawals?reference=payout%207%2F%C5%BE&limit=1',
    ])
  })

  test('is created by the retry when the first attempt did not create it', async () => {
    service.will('cut', created)
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.create(wanted)).toEqual(made)
    expect(service.asked[0]?.body).toBe(service.asked[1]?.body)
  })

  test('is refused after a lost answer when another payment has its reference', async () => {
    service.will('cut', taken(false))
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.create(wanted).catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE', details: { sameParameters: false } })
    expect(service.asked).toHaveLength(2)
  })

  test('is refused when its reference was used before the call', async () => {
    service.will(taken(true), found)
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.create(wanted).catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE' })
    expect(service.asked).toHaveLength(1)
  })

  test('is refused as a duplicate when the first attempt failed with a rate limit', async () => {
    service.will(refusal(429, 'RATE_LIMIT_EXCEEDED'), taken(true), found)
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.create(wanted).catch(caught)
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE' })
    expect(service.asked).toHaveLength(2)
  })

  test('is returned by a second call with ifDuplicate: return', async () => {
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

  test('is not returned when the refusal names another withdrawal', async () => {
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

  test('is returned when its answer was lost', async () => {
    service.will('cut', late, { status: 200, body: { ...cancelled, amount: '5' } })
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.cancel('w1')).toEqual(cancelled)
  })

  test('is refused after a lost answer when it was too late', async () => {
    service.will('cut', late, { status: 200, body: { ...cancelled, status: 'Processing' } })
    const { client } = patientClient(service.baseUrl)
    const error = await client.withdrawals.cancel('w1').catch(caught)
    expect(error).toMatchObject({ code: 'WITHDRAWAL_NOT_PENDING' })
  })

  test('is refused when the withdrawal was cancelled before the call', async () => {
    service.will(late)
    const error = await patientClient(service.baseUrl).client.withdrawals.cancel('w1').catch(caught)
    expect(error).toMatchObject({ code: 'WITHDRAWAL_NOT_PENDING' })
    expect(service.asked).toHaveLength(1)
  })
})

describe('an approval', () => {
  test('sends either a code or the assertion of a passkey', async () => {
    const response = { clientDataJSON: 'b', authenticatorData: 'c', signature: 'd' }
    const assertion = { id: 'a', response }
    const answer = { status: 200, body: { withdrawal: made } }
    service.will(answer, answer)
    const { client } = patientClient(service.baseUrl)
    expect(await client.withdrawals.approve('w1', '123456')).toEqual(made)
    expect(await client.withdrawals.approve('w1', assertion)).toEqual(made)
    const sent = service.asked.map(({ body }): unknown => JSON.parse(body))
    expect(sent).toEqual([{ totpCode: '123456' }, { assertion }])
  })
})
