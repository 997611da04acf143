import type { PaymentTrace } from '@sluice/wire'
import { beforeAll, expect, test } from 'vitest'
import { CHAIN, CONFIRMATIONS, makePaidHouse } from './paid-house.ts'
import { build, serve, sluice, sluiceJson, until, untilReady } from './program.ts'

beforeAll(build)

const NOWHERE = `0x${'00'.repeat(32)}`

test('sluice trace explains why a transaction is credited or not', async () => {
  const house = await makePaidHouse()
  const service = serve(house.config)
  await untilReady(house.port, service)
  const address = await house.addressOf('alice')
  await house.pay(address, 0)
  const trace = ['deposit', 'trace', await until('the payment', () => hashOf(house.get))]
  const [waiting] = await sluiceJson<PaymentTrace[]>(house.config, trace)
  expect(waiting).toMatchObject({
    chainId: CHAIN,
    outcome: 'WAITING_FOR_CONFIRMATIONS',
    payments: [{ recipient: address, externalUserId: 'alice' }],
  })
  await house.anvil.mine(CONFIRMATIONS)
  await house.confirmed(1)
  const told = await sluice(house.config, ['deposits', ...trace.slice(1), '--chain', CHAIN])
  expect(told).toMatchObject({ code: 0 })
  expect(told.stdout).toMatch(/^ {2}TRANSACTION_FOUND: Included in block \d+\.$/m)
  expect(told.stdout).toMatch(/^ {4}CREDITED: Credited at /m)
  const unknown = await sluiceJson<PaymentTrace[]>(house.config, ['deposit', 'trace', NOWHERE])
  expect(unknown.map(({ outcome }) => outcome)).toEqual(['TRANSACTION_NOT_FOUND'])
  const asked = new URLSearchParams({ chainId: CHAIN, txnHash: trace[2] ?? '' })
  expect(await house.get(`/payments/trace?${asked.toString()}`)).toMatchObject({
    status: 200,
    body: { trace: { outcome: 'CREDITED' } },
  })
  expect(await service.end()).toBe(0)
  // The command works from the database alone, without a running service.
  const later = await sluiceJson<PaymentTrace[]>(house.config, trace)
  expect(later).toMatchObject([{ outcome: 'CREDITED' }])
  expect(await sluice(house.config, ['deposit', 'trace', '0x12'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('64 hexadecimal digits'),
  })
  expect(await sluice(house.config, [...trace, '--chain', 'eip155:2'])).toMatchObject({ code: 4 })
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
