import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type ScriptedServer,
  patientClient,
  refusal,
  startScript,
} from '../test/scripted-server.ts'
import type { Client } from './client.ts'
import { SluiceAnswerError, SluiceError, SluiceNetworkError } from './errors.ts'

let service: ScriptedServer
beforeEach(async () => {
  service = await startScript()
})
afterEach(() => service.close())

const CSV = { 'content-type': 'text/csv; charset=utf-8' }

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}

test.each<[string, (client: Client) => Promise<ReadableStream<Uint8Array>>]>([
  ['/payments?userId=u', ({ payments }) => payments.export('csv', { userId: 'u' })],
  ['/accounts', ({ accounts }) => accounts.export('csv')],
  ['/withdrawals?reference=r', ({ withdrawals }) => withdrawals.export('csv', { reference: 'r' })],
  ['/events', ({ events }) => events.export('csv')],
  ['/stats?tokenId=t', ({ reports }) => reports.exportStats('csv', { tokenId: 't' })],
])('an export of %s returns the bytes of the service', async (url, call) => {
  service.will({ status: 200, text: 'a,b\r\n1,2\r\n', headers: CSV })
  expect(await textOf(await call(patientClient(service.baseUrl).client))).toBe('a,b\r\n1,2\r\n')
  expect(service.asked).toMatchObject([
    { url, headers: { accept: 'text/csv', 'x-api-key': 'slk_test' } },
  ])
})

test('an export as JSON Lines asks for that type', async () => {
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' }
  service.will({ status: 200, text: '{}\n', headers })
  const { client } = patientClient(service.baseUrl)
  expect(await textOf(await client.payments.export('ndjson', { from: new Date(0) }))).toBe('{}\n')
  expect(service.asked).toMatchObject([
    {
      url: '/payments?from=1970-01-01T00%3A00%3A00.000Z',
      headers: { accept: headers['content-type'].split(';')[0] },
    },
  ])
})

test('an export that breaks off fails while it is read', async () => {
  service.will({ status: 200, text: 'a,b', headers: { ...CSV, 'content-length': '1000' } })
  const { client } = patientClient(service.baseUrl)
  const stream = await client.payments.export('csv')
  const reading = textOf(stream)
  await service.close()
  await expect(reading).rejects.toThrow()
})

test('a refused export throws the refusal and is not repeated', async () => {
  service.will(refusal(429, 'RATE_LIMIT_EXCEEDED'))
  const { client } = patientClient(service.baseUrl)
  await expect(client.payments.export('csv')).rejects.toThrow(SluiceError)
  expect(service.asked).toHaveLength(1)
})

test('an answer of another type is refused', async () => {
  service.will({ status: 200, body: { payments: [] } })
  const { client } = patientClient(service.baseUrl)
  await expect(client.payments.export('csv')).rejects.toThrow(SluiceAnswerError)
})

test('an export without an answer throws a network error', async () => {
  const { client } = patientClient(service.baseUrl)
  service.will('cut')
  await expect(client.payments.export('csv')).rejects.toThrow(SluiceNetworkError)
  service.will('hang')
  const late = client.payments.export('csv', {}, { timeoutMs: 50 })
  await expect(late).rejects.toMatchObject({ reason: 'timeout' })
})

test('an aborted export throws the reason of its signal', async () => {
  service.will('hang')
  const { client } = patientClient(service.baseUrl)
  const abort = new AbortController()
  const call = client.payments.export('csv', {}, { signal: abort.signal })
  abort.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
})
