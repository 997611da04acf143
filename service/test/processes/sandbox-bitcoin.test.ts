import { beforeAll, describe, expect, test } from 'vitest'
import { whyNoBitcoind } from '../support/bitcoind.ts'
import { build, until } from './program.ts'
import { type State, makePlace, startSandbox, untilUp } from './sandbox-place.ts'

const TIMEOUT_MS = 300_000

beforeAll(build)

describe('Bitcoin in the sandbox', () => {
  test(
    'a deposit is paid by hand, confirmed, kept over a restart, and taken back by a reorg',
    () => playAround([]),
    TIMEOUT_MS,
  )
})

describe.skipIf(whyNoBitcoind !== null)(`with a real node ${whyNoBitcoind ?? ''}`, () => {
  test(
    'a deposit is paid by hand, confirmed, kept over a restart, and taken back by a reorg',
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
  await second.end('SIGTERM')
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
