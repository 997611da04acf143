import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Asked,
  type ScriptedServer,
  patientClient,
  refusal,
  startScript,
} from '../test/scripted-server.ts'
import { SluiceAnswerError } from './errors.ts'

let service: ScriptedServer

beforeEach(async () => {
  service = await startScript()
})
afterEach(() => service.close())

/** A list of so many records, served in pages as the service does. */
function listOf(key: string, total: number) {
  return ({ url }: Asked) => {
    const query = new URL(url, 'http://service').searchParams
    const start = Number(query.get('cursor') ?? 0)
    const end = Math.min(total, start + Number(query.get('limit')))
    const items = Array.from({ length: end - start }, (_, at) => ({ id: String(start + at) }))
    return { status: 200, body: { [key]: items, nextCursor: end === total ? null : String(end) } }
  }
}

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of items) ids.push(id)
  return ids
}

describe('an iterated list', () => {
  test.each([0, 1, 499, 500, 501, 1_250])('returns each of %i records once', async (total) => {
    service.will(listOf('payments', total))
    const { client } = patientClient(service.baseUrl)
    const ids = await idsOf(client.payments.all({ userId: 'u' }))
    expect(ids).toEqual(Array.from({ length: total }, (_, at) => String(at)))
    expect(service.asked).toHaveLength(Math.max(1, Math.ceil(total / 500)))
    for (const { url } of service.asked) expect(url).toMatch(/userId=u&limit=500/)
  })

  test('exists for every list', async () => {
    const { client } = patientClient(service.baseUrl)
    service.will(listOf('withdrawals', 600))
    expect(await idsOf(client.withdrawals.all())).toHaveLength(600)
    service.will(listOf('deposits', 600))
    expect(await idsOf(client.payments.allOfUser('u'))).toHaveLength(600)
    service.will(listOf('events', 600))
    expect(await idsOf(client.events.all({ after: 0 }))).toHaveLength(600)
    service.will(listOf('accounts', 600))
    let count = 0
    for await (const account of client.accounts.all()) count += Number(account !== undefined)
    expect(count).toBe(600)
  })

  test('requests a page when the previous one is used, and no page after a break', async () => {
    service.will(listOf('payments', 5_000))
    const { client } = patientClient(service.baseUrl)
    const all = client.payments.all()
    expect(service.asked).toHaveLength(0)
    let count = 0
    for await (const { id } of all) {
      count += 1
      expect(service.asked).toHaveLength(Math.floor(Number(id) / 500) + 1)
      if (count === 700) break
    }
    expect(service.asked).toHaveLength(2)
    expect((await all.next()).done).toBe(true)
  })

  test('keeps one page in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    const filler = 'x'.repeat(1_000)
    const total = 100_000
    const page = listOf('payments', total)
    service.will((asked) => {
      const answer = page(asked)
      const items = [answer.body.payments].flat().map((item) => ({ ...Object(item), filler }))
      return { ...answer, body: { ...answer.body, payments: items } }
    })
    const { client } = patientClient(service.baseUrl)
    let most = 0
    let count = 0
    const base = heapAfter(collect)
    for await (const { id } of client.payments.all()) {
      count += 1
      if (Number(id) % 25_000 === 24_999) most = Math.max(most, heapAfter(collect) - base)
    }
    expect(count).toBe(total)
    // All of it together is 100 MB.
    expect(most).toBeLessThan(20e6)
  })

  test('throws a failure inside the loop', async () => {
    service.will(listOf('payments', 5_000), refusal(401, 'INVALID_API_KEY'))
    const { client } = patientClient(service.baseUrl)
    let count = 0
    const through = async () => {
      for await (const { id } of client.payments.all()) count += Number(id !== '')
    }
    await expect(through()).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect(count).toBe(500)
  })

  test('throws when a page points to itself', async () => {
    service.will({ status: 200, body: { payments: [{ id: '1' }], nextCursor: 'same' } })
    const { client } = patientClient(service.baseUrl)
    await expect(idsOf(client.payments.all())).rejects.toThrow(SluiceAnswerError)
    expect(service.asked).toHaveLength(2)
  })
})

function heapAfter(collect: unknown): number {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}
