import { readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { build, until } from './program.ts'
import { type Place, type State, makePlace, startSandbox, untilUp } from './sandbox-place.ts'

const CHAIN = 'eip155:11155111'
const BITCOIN = 'bip122:000000000933ea01ad0ee984209779ba'
const XRPL = 'xrpl:testnet'
/** Of EVM chains in the sandbox. */
const CONFIRMATIONS = 3
const TIMEOUT_MS = 300_000

interface Webhook {
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
}

interface Payment {
  id: string
  status: string
  amount: string
  txnHash: string
}

beforeAll(build)

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

function usdtOf({ tokens }: State): string {
  return tokens.find(({ chainId, symbol }) => chainId === CHAIN && symbol === 'USDT')?.id ?? ''
}

async function addressOf(state: State, userId: string): Promise<string> {
  const query = new URLSearchParams({ chainId: CHAIN, tokenId: usdtOf(state), userId }).toString()
  const answer = await ask<{ address: { properties: { address: string } } }>(
    state,
    `/payments/deposit-address?${query}`,
  )
  return answer.address.properties.address
}

/** Pays a user in, as a newcomer would with curl; gives the transaction's hash. */
async function deposit(state: State, userId: string, amount: string): Promise<string> {
  const address = await addressOf(state, userId)
  const payment = { chainId: CHAIN, tokenId: usdtOf(state), address, amount }
  const { txnHash } = await control<{ txnHash: string }>(state, '/deposits', payment)
  return txnHash
}

/** A payment once it is listed, in any status. */
function untilSeen(state: State, txnHash: string): Promise<Payment> {
  return until(`${txnHash} to be seen`, async () => {
    const { payments } = await ask<{ payments: Payment[] }>(state, '/payments')
    return payments.find((one) => one.txnHash === txnHash) ?? null
  })
}

function untilStatus(state: State, txnHash: string, status: string): Promise<Payment> {
  return until(`the deposit to be ${status}`, async () => {
    const { payments } = await ask<{ payments: Payment[] }>(state, '/payments')
    return payments.find((one) => one.txnHash === txnHash && one.status === status) ?? null
  })
}

function typesOf(webhooks: readonly Webhook[]): string[] {
  return webhooks.map(({ body }) => (JSON.parse(body) as { type: string }).type)
}

/** Reasons of the balance changes that the receiver got. */
function reasonsOf(webhooks: readonly Webhook[]): string[] {
  return webhooks.flatMap(({ body }) => {
    const { type, payload } = JSON.parse(body) as { type: string; payload: { reason?: string } }
    return type === 'balance.updated' ? [payload.reason ?? ''] : []
  })
}

interface Portfolio {
  portfolio: { accountType: string; tokenId: string; accountId: string; balance: string }[]
}

/** Waits until the settlement account holds so much of the test dollar; gives its address. */
function untilSwept(state: State, amount: string): Promise<string> {
  return until('the event of the sweep', async () => {
    const webhooks = await control<Webhook[]>(state, '/webhooks')
    const { portfolio } = await ask<Portfolio>(state, `/portfolio?tokenId=${usdtOf(state)}`)
    const entry = portfolio.find(({ accountType }) => accountType === 'settlement')
    const isTold = reasonsOf(webhooks).includes('sweep')
    return entry?.balance === amount && isTold ? entry.accountId : null
  })
}

/** Empties the gas wallet, expects it reported as empty, and fills it again. */
async function expectEmptyGas(state: State): Promise<void> {
  const set = await control<{ balance: string }>(state, '/gas', { chainId: CHAIN, amount: '0' })
  expect(set.balance).toBe('0')
  await until('the gas station to report 0', async () => {
    const { gasWallets } = await ask<{ gasWallets: { chainId: string; balance: string }[] }>(
      state,
      '/gas-station',
    )
    return gasWallets.find(({ chainId }) => chainId === CHAIN)?.balance === '0' ? true : null
  })
  await until('gas.low', async () =>
    typesOf(await control<Webhook[]>(state, '/webhooks')).includes('gas.low') ? true : null,
  )
  await control(state, '/gas', { chainId: CHAIN })
}

test(
  'the sandbox delivers the webhooks of a deposit, resumes after a stop, and starts fresh',
  async () => {
    const place = await makePlace()
    const first = startSandbox(place)
    const state = await untilUp(place, first)
    expectShape(state, place)
    const hash = await deposit(state, 'alice', '25000000')
    await untilStatus(state, hash, 'Confirmed')
    const swept = await untilSwept(state, '25000000')
    const webhooks = await control<Webhook[]>(state, '/webhooks')
    const types = typesOf(webhooks)
    for (const type of ['account.created', 'deposit.confirmed', 'deposit.detected']) {
      expect(types.filter((one) => one === type)).toHaveLength(1)
    }
    expect(reasonsOf(webhooks)).toEqual(expect.arrayContaining(['deposit', 'funding', 'sweep']))
    expect(webhooks.every(({ verified }) => verified)).toBe(true)
    const balances = await control<{ tokenId: string; balance: string }[]>(
      state,
      `/balances?address=${swept}`,
    )
    expect(balances).toContainEqual(
      expect.objectContaining({ tokenId: usdtOf(state), balance: '25000000' }),
    )
    await expectEmptyGas(state)
    await expectReorg(state)
    const before = await control<Webhook[]>(state, '/webhooks')
    expect(await first.end('SIGINT')).toBe(0)

    const second = startSandbox(place)
    expect(await untilUp(place, second)).toEqual(state)
    expect((await control<Webhook[]>(state, '/webhooks')).slice(0, before.length)).toEqual(before)
    await untilStatus(state, hash, 'Confirmed')
    await untilStatus(state, await deposit(state, 'alice', '7'), 'Confirmed')
    expect(await second.end('SIGINT')).toBe(0)

    const third = startSandbox(place, ['--fresh'])
    const fresh = await untilUp(place, third)
    expect(fresh.apiKey).not.toBe(state.apiKey)
    expect(await ask(fresh, '/payments')).toEqual({ payments: [] })
    expect(typesOf(await control<Webhook[]>(fresh, '/webhooks'))).not.toContain('account.created')
    expect(await third.end('SIGINT')).toBe(0)
  },
  TIMEOUT_MS,
)

/** The state is as documented, readable by its owner alone, and what it says works. */
function expectShape(state: State, { folder, env }: Place): void {
  expect(state).toEqual({
    baseUrl: `http://127.0.0.1:${env['SLUICE_PORT']}`,
    controlUrl: `http://127.0.0.1:${env['SANDBOX_CONTROL_PORT']}`,
    apiKey: expect.stringMatching(/^slk_[\w-]{43}$/),
    organization: { id: expect.any(String), name: expect.any(String) },
    users: ['admin', 'approver', 'approver'].map((role) => ({
      id: expect.any(String),
      username: expect.any(String),
      password: expect.any(String),
      totpSecret: expect.stringMatching(/^[A-Z2-7]+$/),
      role,
    })),
    chains: [CHAIN, 'eip155:97', BITCOIN, XRPL, 'tron:shasta'],
    tokens: expect.any(Array),
  })
  for (const one of state.tokens) {
    expect(Object.keys(one)).toEqual(['id', 'chainId', 'symbol', 'decimals'])
  }
  const usdt = state.tokens.filter(({ symbol }) => symbol === 'USDT')
  expect(usdt.map(({ chainId }) => chainId)).toEqual([CHAIN, 'eip155:97', 'tron:shasta'])
  expect(statSync(join(folder, 'sandbox.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'sluice.config.json')).mode & 0o777).toBe(0o600)
}

/** Expects a payment to be reverted, with an event, when a reorg removes its block. */
async function expectReorg(state: State): Promise<void> {
  const hash = await until('a deposit that is not confirmed yet', async () => {
    const paid = await deposit(state, 'bob', '8')
    return (await untilSeen(state, paid)).status === 'Detected' ? paid : null
  })
  // As deep as what is not confirmed yet: blocks may have come since.
  await control(state, '/reorg', { chainId: CHAIN, depth: CONFIRMATIONS })
  await untilStatus(state, hash, 'Orphaned')
  await until('deposit.reverted', async () =>
    typesOf(await control<Webhook[]>(state, '/webhooks')).includes('deposit.reverted')
      ? true
      : null,
  )
}

test(
  'the sandbox recovers after kill -9, and exits after kill -9 of its service',
  async () => {
    const place = await makePlace()
    const first = startSandbox(place)
    const state = await untilUp(place, first)
    expectQuiet(first.output(), state, place)
    await expectAddresses(state)
    const hash = await deposit(state, 'alice', '5')
    await untilStatus(state, hash, 'Confirmed')
    await first.end('SIGKILL')

    const second = startSandbox(place)
    expect(await untilUp(place, second)).toEqual(state)
    await expectAddresses(state)
    await untilStatus(state, hash, 'Confirmed')
    const later = await deposit(state, 'alice', '6')
    await untilSeen(state, later)
    await second.end('SIGKILL')

    const third = startSandbox(place)
    await untilUp(place, third)
    await untilStatus(state, later, 'Confirmed')
    expect((await ask<{ payments: Payment[] }>(state, '/payments')).payments).toHaveLength(2)
    process.kill(servicePid(place), 'SIGKILL')
    expect(await third.exited).toBe(1)
    expect(third.output()).toContain('the service ended unexpectedly')

    rmSync(join(place.folder, 'data', 'service.key'))
    const fourth = startSandbox(place)
    expect(await fourth.exited).toBe(1)
    expect(fourth.output()).toMatch(/could not start: There is no service key at .+\nIts log is /)
    expect(fourth.output()).not.toMatch(/^\{|\n\s+at /m)
  },
  TIMEOUT_MS,
)

/** A newcomer reads the address, the key and three commands, and no line of a log. */
function expectQuiet(output: string, state: State, { folder }: Place): void {
  expect(output).not.toMatch(/^\{/m)
  expect(output.split('\n')[0]).toMatch(/^Starting /)
  expect(output).toContain(`Sluice runs at ${state.baseUrl}\nAPI key        ${state.apiKey}\n`)
  expect(output.match(/^ {2}curl /gm)).toHaveLength(3)
  expect(output).toContain(`Log            ${join(folder, 'service.log')}`)
  expect(readFileSync(join(folder, 'service.log'), 'utf8')).toContain('"level"')
}

/** Ready means ready on every chain, for every token. */
async function expectAddresses(state: State): Promise<void> {
  for (const { id: tokenId, chainId } of state.tokens) {
    const query = new URLSearchParams({ chainId, tokenId, userId: 'carol' }).toString()
    const answer = await fetch(`${state.baseUrl}/payments/deposit-address?${query}`, {
      headers: { 'x-api-key': state.apiKey },
    })
    expect({ tokenId, ok: answer.ok, text: await answer.text() }).toMatchObject({ ok: true })
  }
}

/** The process that the embedded server names as the one that started it. */
function servicePid({ folder }: Place): number {
  const [pid = ''] = readFileSync(join(folder, 'data', 'data', 'postmaster.pid'), 'utf8').split(
    '\n',
  )
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  return Number(/cluster_name=sluice-([0-9]+)/.exec(command)?.[1])
}

test(
  'a sandbox whose folder was removed ends on the first signal and names the missing file',
  async () => {
    const place = await makePlace()
    const sandbox = startSandbox(place)
    await untilUp(place, sandbox)
    const gone = `${place.folder}-gone`
    renameSync(place.folder, gone)
    onTestFinished(() => rmSync(gone, { recursive: true, force: true }))
    expect(await sandbox.end()).toBe(1)
    expect(sandbox.output()).toMatch(/ENOENT: no such file or directory, open '.*\.new'/)
  },
  TIMEOUT_MS,
)

test('every port in use is named, with the variable that changes it', async () => {
  const place = await makePlace()
  const taken = ['SLUICE_PORT', 'SANDBOX_BSC_PORT'].map((name) => [name, place.env[name]] as const)
  for (const [, port] of taken) {
    const squatter = createServer().listen(Number(port), '127.0.0.1')
    onTestFinished(() => void squatter.close())
    await once(squatter, 'listening')
  }
  const sandbox = startSandbox(place)
  expect(await sandbox.exited).toBe(1)
  expect(sandbox.output().trim().split('\n')).toEqual(
    taken.map(([name, port]) => `Port ${port} is in use: set ${name} to another one.`),
  )
})

test.each([
  ['an option that there is not', ['--frehs'], {}, /--frehs is no option/],
  ['an invalid port', [], { SANDBOX_CONTROL_PORT: '70000' }, /SANDBOX_CONTROL_PORT must be/],
])('%s is reported in a sentence', async (_what, args, env, says) => {
  const place = await makePlace()
  const sandbox = startSandbox({ ...place, env: { ...place.env, ...env } }, args)
  expect(await sandbox.exited).toBe(1)
  expect(sandbox.output()).toMatch(says)
  expect(sandbox.output()).not.toMatch(/\n\s+at /)
})
