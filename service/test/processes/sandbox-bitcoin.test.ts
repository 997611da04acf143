import { beforeAll, describe, expect, test } from 'vitest'
import { whyNoBitcoind } from '../support/bitcoind.ts'
import { build, until } from './program.ts'
import { type State, makePlace, startSandbox, untilUp } from './sandbox-place.ts'

const TIMEOUT_MS = 300_000

beforeAll(build)

describe('Bitcoin in the sandbox', () => {
  test(
    'deposits are paid and reorged by hand; withdrawals are batched and replaced',
    () => playAround([]),
    TIMEOUT_MS,
  )
})

describe.skipIf(whyNoBitcoind !== null)(`with a real node ${whyNoBitcoind ?? ''}`, () => {
  test(
    'deposits are paid and reorged by hand; withdrawals are batched and replaced',
    () => playAround(['--bitcoind']),
    TIMEOUT_MS,
  )
})

async function playAround(args: readonly string[]): Promise<void> {
  const place = await makePlace()
  const env = {
    ...place.env,
    ...('SLUICE_BITCOIND' in process.env
      ? { SLUICE_BITCOIND: String(process.env['SLUICE_BITCOIND']) }
      : { HOME: String(process.env['HOME']) }),
  }
  const first = startSandbox({ ...place, env }, args)
  const state = await untilUp(place, first)
  const chainId = state.chains.find((id) => id.startsWith('bip122:')) ?? ''
  const tokenId = `${chainId}/slip44:0`
  expect(state.tokens.map(({ id }) => id)).toContain(tokenId)
  const address = await addressOf(state, { chainId, tokenId, userId: 'alice' })
  const pay = (amount: string) =>
    control<{ txnHash: string }>(state, '/deposits', { chainId, tokenId, address, amount })
  const { txnHash } = await pay('150000')
  await untilStatus(state, txnHash, 'Detected')
  await control(state, '/mine', { chainId, blocks: 3 })
  await untilStatus(state, txnHash, 'Confirmed')
  const [held] = await control<{ balance: string }[]>(state, `/balances?address=${address}`)
  expect(held).toEqual({ chainId, tokenId, balance: '150000' })
  await first.end('SIGTERM')

  const second = startSandbox({ ...place, env }, args)
  expect(await untilUp(place, second)).toEqual(state)
  await untilStatus(state, txnHash, 'Confirmed')
  // A reorg reaches no further back than this start.
  await control(state, '/mine', { chainId, blocks: 2 })
  const { txnHash: lost } = await pay('70000')
  await untilStatus(state, lost, 'Detected')
  await control(state, '/reorg', { chainId, depth: 2 })
  await untilStatus(state, lost, 'Orphaned')
  await control(state, '/mine', { chainId, blocks: 4 })
  const { txnHash: last } = await pay('80000')
  await control(state, '/mine', { chainId, blocks: 3 })
  await untilStatus(state, last, 'Confirmed')
  await untilStatus(state, lost, 'Orphaned')
  await payOut(state, { chainId, tokenId })
  await second.end('SIGTERM')
}

/** Replaces a stuck transaction with a higher fee, then batches those that wait for its change. */
async function payOut(state: State, on: { chainId: string; tokenId: string }): Promise<void> {
  const { chainId } = on
  const pay = (amount: string, reference: string) =>
    send(state, '/withdrawals', { ...on, amount, reference, recipient: recipientOn(chainId) })
  await control(state, '/stuck', { chainId, perKvb: '2000' })
  // Takes both coins, so any later payment can only use its change.
  await pay('160000', 'first')
  await until('a payment to wait', async () => (await waiting(state, chainId))[0] ?? null)
  await pay('15000', 'second')
  await pay('20000', 'third')
  await until('the payment to be mined', async () => {
    await control(state, '/mine', { chainId, blocks: 1 })
    const [first] = await paidOut(state, 'first')
    return first?.status === 'Completed' ? true : null
  })
  await control(state, '/stuck', { chainId, perKvb: null })
  const together = await until('both others to be paid', async () => {
    await control(state, '/mine', { chainId, blocks: 1 })
    const both = [...(await paidOut(state, 'second')), ...(await paidOut(state, 'third'))]
    return both.every(({ status }) => status === 'Completed') ? both : null
  })
  expect(new Set(together.map(({ txnHash }) => txnHash)).size).toBe(1)
}

interface PaidOut {
  reference: string
  status: string
  txnHash: string
}

async function paidOut(state: State, reference: string): Promise<PaidOut[]> {
  const { withdrawals } = await ask<{ withdrawals: PaidOut[] }>(state, '/withdrawals')
  return withdrawals.filter((one) => one.reference === reference)
}

function waiting(state: State, chainId: string): Promise<unknown[]> {
  return control(state, `/mempool?chainId=${chainId}`)
}

/** An address on the test network, or on regtest. */
function recipientOn(chainId: string): string {
  return chainId.includes('0f9188f13cb7b2c71f2a335e3a4fc328')
    ? 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c'
    : 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
}

async function send({ baseUrl, apiKey }: State, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([answer.status, await answer.text()]).toMatchObject([201, expect.any(String)])
}

async function ask<T>({ baseUrl, apiKey }: State, path: string): Promise<T> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } })
  return (await answer.json()) as T
}

async function control<T>({ controlUrl }: State, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${controlUrl}${path}`, init)
  const text = await answer.text()
  expect({ path, status: answer.status, text }).toMatchObject({ status: 200 })
  return JSON.parse(text) as T
}

async function addressOf(state: State, query: Record<string, string>): Promise<string> {
  const { address } = await ask<{ address: { properties: { address: string } } }>(
    state,
    `/payments/deposit-address?${new URLSearchParams(query).toString()}`,
  )
  return address.properties.address
}

async function untilStatus(state: State, txnHash: string, status: string): Promise<void> {
  await until(`${txnHash} to be ${status}`, async () => {
    const { payments } = await ask<{ payments: { txnHash: string; status: string }[] }>(
      state,
      '/payments',
    )
    return payments.some((one) => one.txnHash === txnHash && one.status === status) ? true : null
  })
}
