import type { PaymentTrace } from '@sluice/wire'
import { beforeAll, expect, test } from 'vitest'
import { CHAIN, CONFIRMATIONS, makePaidHarness } from './paid-harness.ts'
import { build, serve, sluice, sluiceJson, until, untilReady } from './program.ts'

beforeAll(build)

const NOWHERE = `0x${'00'.repeat(32)}`

test('sluice trace explains why a transaction is credited or not', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  const address = await harness.addressOf('alice')
  await harness.pay(address, 0)
  const trace = ['deposit', 'trace', await until('the payment', () => hashOf(harness.get))]
  const [waiting] = await sluiceJson<PaymentTrace[]>(harness.config, trace)
  expect(waiting).toMatchObject({
    chainId: CHAIN,
    outcome: 'WAITING_FOR_CONFIRMATIONS',
    payments: [{ recipient: address, externalUserId: 'alice' }],
  })
  await harness.anvil.mine(CONFIRMATIONS)
  await harness.confirmed(1)
  const told = await sluice(harness.config, ['deposits', ...trace.slice(1), '--chain', CHAIN])
  expect(told).toMatchObject({ code: 0 })
  expect(told.stdout).toMatch(/^ {2}TRANSACTION_FOUND: Included in block \d+\.$/m)
  expect(told.stdout).toMatch(/^ {4}CREDITED: Credited at /m)
  const unknown = await sluiceJson<PaymentTrace[]>(harness.config, ['deposit', 'trace', NOWHERE])
  expect(unknown.map(({ outcome }) => outcome)).toEqual(['TRANSACTION_NOT_FOUND'])
  const asked = new URLSearchParams({ chainId: CHAIN, txnHash: trace[2] ?? '' })
  expect(await harness.get(`/payments/trace?${asked.toString()}`)).toMatchObject({
    status: 200,
    body: { trace: { outcome: 'CREDITED' } },
  })
  expect(await service.end()).toBe(0)
  // The command works from the database alone, without a running service.
  const later = await sluiceJson<PaymentTrace[]>(harness.config, trace)
  expect(later).toMatchObject([{ outcome: 'CREDITED' }])
  expect(await sluice(harness.config, ['deposit', 'trace', '0x12'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('64 hexadecimal digits'),
  })
  expect(await sluice(harness.config, [...trace, '--chain', 'eip155:2'])).toMatchObject({ code: 4 })
})

async function hashOf(
  get: (path: string) => Promise<{ body: Record<string, unknown> }>,
): Promise<string | null> {
  const { body } = await get('/payments')
  const [payment] = parsePayments(body['payments'])
  return payment?.txnHash ?? null
}

function parsePayments(value: unknown): { txnHash: string }[] {
  return value as { txnHash: string }[]
}
