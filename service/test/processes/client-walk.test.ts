import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@sluice/client'
import { freePort } from '@sluice/simulator'
import { transformWithOxc } from 'vite'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ROOT, type Started, build, cleanEnvironment, start, until } from './program.ts'
import { type State, makePlace, startSandbox, untilUp } from './sandbox-place.ts'

const TIMEOUT_MS = 300_000

beforeAll(build)

/** Runs TypeScript that resolves the built client like any program, and nothing else of ours. */
async function run(name: string, source: string, env: Record<string, string> = {}) {
  const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from)
  expect(imported.filter((from) => !from.startsWith('node:'))).toEqual(['@sluice/client'])
  const folder = join(ROOT, 'node_modules', '.cache', 'examples')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}-${process.pid}.mjs`)
  const { code } = await transformWithOxc(source, `${name}.ts`, { sourcemap: false })
  writeFileSync(path, code)
  onTestFinished(() => rmSync(path, { force: true }))
  return start([path], { ...cleanEnvironment(), ...env })
}

const example = (name: string) => readFileSync(join(ROOT, 'docs', 'examples', `${name}.ts`), 'utf8')

/** Output of a program that succeeds, with names, hashes and numbers replaced. */
async function saidBy(program: Started): Promise<string[]> {
  expect({ code: await program.exited, output: program.output() }).toMatchObject({ code: 0 })
  return neutral(program.output())
}

function neutral(output: string): string[] {
  return output
    .trim()
    .replaceAll(/user-\d+/g, 'USER')
    .replaceAll(/payout-\d+/g, 'PAYOUT')
    .replaceAll(/0x[0-9a-fA-F]{64}/g, 'HASH')
    .replaceAll(/0x[0-9a-fA-F]{40}/g, 'ADDRESS')
    .replaceAll(/event \d+/g, 'event N')
    .split('\n')
}

/** All steps of the quickstart, as a newcomer has them in one file at its end. */
function quickstart(folder: string): string {
  const page = readFileSync(join(ROOT, 'docs', 'quickstart.md'), 'utf8')
  const steps = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  return steps.join('\n').replaceAll('.sluice/', `${folder}/`)
}

interface Told {
  headers: Record<string, string>
  body: string
}

/** Deliveries to the sandbox's receiver, byte for byte. */
async function toldBy({ controlUrl }: State): Promise<Told[]> {
  const answer = await fetch(`${controlUrl}/webhooks`)
  return (await answer.json()) as Told[]
}

/** Sends a delivery to a receiver as the service has sent it, and gives the answer's status. */
async function deliver(url: string, { headers, body }: Told): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) => /webhook-|^content-type$/.test(name))
  const answer = await fetch(url, { method: 'POST', headers: Object.fromEntries(kept), body })
  return answer.status
}

async function secretOf({ baseUrl, apiKey }: State): Promise<string> {
  const answer = await fetch(`${baseUrl}/organisation`, { headers: { 'x-api-key': apiKey } })
  const { webhookSigningSecret = '' } = (await answer.json()) as Record<string, string>
  return webhookSigningSecret
}

/** Every way of asking that the programs above have not used, against the service itself. */
async function askAround({ baseUrl, apiKey, organization }: State): Promise<void> {
  const client = createClient({ baseUrl, apiKey })
  const [deposit] = (await client.payments.list({ userId: 'alice', limit: 1 })).items
  expect(deposit).toMatchObject({ externalUserId: 'alice', status: 'Confirmed' })
  const { chainId = '', txnHash = '' } = deposit ?? {}
  const { payments } = await client.payments.trace({ chainId, txnHash })
  expect(payments).toMatchObject([{ externalUserId: 'alice', outcome: 'CREDITED' }])
  expect((await client.accounts.list({ userId: 'alice' })).items).toHaveLength(1)
  for await (const account of client.accounts.all({ userId: 'alice' }))
    expect(account).toMatchObject({ orgId: organization.id, chainId })

  const filter = { type: 'deposit.confirmed', from: new Date(0) } as const
  const page = await client.events.list({ ...filter, limit: 2 })
  expect(page).toMatchObject({ items: [{ type: filter.type }, { type: filter.type }] })
  const { id = '' } = page.items[0] ?? {}
  const event = await client.events.get(id)
  expect(event).toMatchObject({ id, type: filter.type, delivery: { state: 'delivered' } })
  expect(event.attempts).toMatchObject([{ number: 1, error: '' }])
  expect(await client.events.redeliver(id)).toMatchObject({ id, type: filter.type })
  expect(await client.events.redeliverAll({ delivery: 'failed' })).toMatchObject({ count: 0 })
  expect(await client.organisation.sendTestEvent()).toMatchObject({ type: 'webhook.test' })

  expect(await client.organisation.get()).toMatchObject({ id: organization.id })
  expect(await client.chains.get(chainId)).toMatchObject({ id: chainId, enabled: true })
  expect((await client.chains.list()).map((chain) => chain.id)).toContain(chainId)
  const wallets = await client.gasStation.list()
  expect(wallets.map((wallet) => wallet.chainId)).toContain(chainId)
  const [entry] = await client.portfolio.list({ chainId })
  expect(entry).toMatchObject({ orgId: organization.id, chainId })
  expect(await client.health.alive()).toEqual({ status: 'ok' })
  expect(await client.health.ready()).toMatchObject({ status: 'ready' })
  const strange = client.chains.get('eip155:5')
  await expect(strange).rejects.toMatchObject({
    code: 'INVALID_CHAIN',
    docUrl: `${baseUrl}/docs/errors#INVALID_CHAIN`,
  })
}

test(
  'programs that use only the client lead deposits to completed withdrawals; a receiver books once',
  async () => {
    const place = await makePlace()
    const sandbox = startSandbox(place)
    const state = await untilUp(place, sandbox)

    const newcomer = quickstart(place.folder)
    const first = await saidBy(await run('quickstart', newcomer))
    expect(first.slice(0, 2)).toEqual(['USDT has 6 decimals', 'alice pays to ADDRESS'])
    // It is asked once a second, and a block more may have come by then.
    const [, depth] = /^25 USDT: Confirmed, (\d+)$/m.exec(first.join('\n')) ?? []
    expect(Number(depth)).toBeGreaterThanOrEqual(3)
    expect(first.at(-1)).toBe('the payout is Completed')
    const second = await saidBy(await run('quickstart', newcomer))
    expect(second.join('\n')).toMatch(/^25 USDT: Confirmed, \d+$/m)
    expect(second.at(-1)).toBe('the payout is Completed')

    const env = { SANDBOX_STATE: join(place.folder, 'sandbox.json') }
    const walk = await run('deposit-to-withdrawal', example('deposit-to-withdrawal'), env)
    const said = await saidBy(walk)
    const approvals = said.filter((line) => line.includes(' approves, '))
    expect(approvals.at(-1)).toMatch(/^sandbox-\S+ approves, it is Pending$/)
    expect(said.filter((line) => !approvals.includes(line))).toEqual([
      'USER pays to ADDRESS',
      'deposit.confirmed, event N',
      '25 USDT are Confirmed',
      'withdrawal of USER is PendingApproval',
      'requested again: the same withdrawal',
      'withdrawal.completed, event N',
      '12.5 USDT are Completed in HASH',
    ])

    await askAround(state)
    const told = await until('the webhooks of the completions', async () => {
      const all = await toldBy(state)
      const ends = all.filter(({ body }) => body.includes('"withdrawal.completed"'))
      return ends.length === 3 ? all : null
    })
    const port = String(await freePort())
    const secret = await secretOf(state)
    const given = { WEBHOOK_SECRET: secret, PORT: port }
    const receiver = await run('receiver', example('receiver'), given)
    await until('the receiver', () => (receiver.output().includes('listening') ? true : null))
    const url = `http://127.0.0.1:${port}/`
    const deliveries = [...told, ...told.toReversed()]
    for (const delivery of deliveries) expect(await deliver(url, delivery)).toBe(204)
    for (const { headers, body } of told.slice(0, 1))
      expect(await deliver(url, { headers, body: `${body} ` })).toBe(401)
    expect(neutral(receiver.output())).toEqual([
      `listening on ${port}`,
      'alice has 25000000 base units of USDT',
      'PAYOUT: Completed',
      'alice has 50000000 base units of USDT',
      'PAYOUT: Completed',
      'USER has 25000000 base units of USDT',
      'withdrawal of USER: Completed',
      'refused: NO_MATCHING_SIGNATURE',
    ])
    expect(await sandbox.end('SIGINT')).toBe(0)
  },
  TIMEOUT_MS,
)
