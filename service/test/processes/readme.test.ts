import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ROOT, build, cleanEnvironment, until } from './program.ts'
import { type Place, type State, makePlace, startSandbox, untilUp } from './sandbox-place.ts'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const SANDBOX = readFileSync(join(ROOT, 'docs', 'sandbox.md'), 'utf8')
const TIMEOUT_MS = 400_000
const STEP_MS = 120_000

beforeAll(build)

/** The commands of the README's walk, in its order; empty lines separate the steps. */
function stepsOfWalk(): string[] {
  const blocks = [...README.matchAll(/```bash\n([^`]*)```/g)].map(([, text = '']) => text)
  const walk = blocks.filter((text) => text.includes('curl'))
  return walk.flatMap((text) => text.trim().split('\n\n'))
}

/** Runs a step as typed into a shell that has done the earlier ones of definition. */
function typist({ folder }: Place, state: State) {
  const typed: string[] = []
  return (step: string, fill: Record<string, string> = {}): string => {
    const script = Object.entries(fill)
      .reduce((text, [blank, value]) => text.replaceAll(`<${blank}>`, value), step)
      .replaceAll('http://127.0.0.1:8080', state.baseUrl)
      .replaceAll('http://127.0.0.1:8090', state.controlUrl)
      .replaceAll('./.sluice/', `${folder}/`)
    const isDefinition = !/^(curl|for|api) /m.test(script)
    if (isDefinition) typed.push(script)
    const where = { env: cleanEnvironment(), cwd: ROOT, timeout: STEP_MS }
    const options = { encoding: 'utf8', ...where } as const
    const ran = spawnSync('bash', ['-euc', [...typed, script].join('\n')], options)
    expect({ script, ...ran }).toMatchObject({ status: 0 })
    return ran.stdout
  }
}

/** The only step of the walk that matches. */
function find(steps: readonly string[], what: RegExp): string {
  const found = steps.filter((step) => what.test(step))
  expect({ what, found }).toMatchObject({ found: { length: 1 } })
  return found[0] ?? ''
}

function firstIn(text: string, pattern: RegExp): string {
  expect(text).toMatch(pattern)
  return pattern.exec(text)?.[1] ?? ''
}

async function ask<T>({ baseUrl, apiKey }: State, path: string): Promise<T> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } })
  return (await answer.json()) as T
}

test(
  'the commands of the README, then those of Bitcoin by hand, pay everything as described',
  async () => {
    const place = await makePlace()
    const sandbox = startSandbox(place)
    const state = await untilUp(place, sandbox)
    const steps = stepsOfWalk()
    const type = typist(place, state)
    type(find(steps, /^KEY=/))
    const issued = type(find(steps, /deposit-address/))
    const address = firstIn(issued, /"address":"(0x[0-9a-fA-F]{40})"/)
    type(find(steps, /8090\/deposits/), { address })
    await until('the sweep', async () => {
      const path = '/portfolio?chainId=eip155:11155111'
      const { portfolio } = await ask<{ portfolio: Entry[] }>(state, path)
      return portfolio.some(isSwept) ? true : null
    })
    expect(type(find(steps, /\/payments$/m))).toContain('"status":"Confirmed"')

    type(find(steps, /^API=/))
    const created = type(find(steps, /min-withdrawal-signers/))
    const id = firstIn(created, /"withdrawal":\{"id":"([0-9a-f-]{36})"/)
    expect(created).toContain('"status":"PendingApproval"')
    const [approvals = '', ...looks] = find(steps, /^for PERSON /).split('\n')
    const approved = type(approvals, { 'withdrawal id': id })
    expect(approved).toContain('"status":"PendingApproval"')
    expect(approved).toContain('"status":"Pending"')
    for (const look of looks) expect(type(look, { 'withdrawal id': id })).not.toBe('')
    await until('the payment', async () => {
      const { status } = await ask<{ status: string }>(state, `/withdrawals/${id}`)
      return status === 'Completed' ? true : null
    })
    await until('its webhook', async () => {
      const told = await (await fetch(`${state.controlUrl}/webhooks`)).text()
      return told.includes('withdrawal.completed') ? true : null
    })
    payBitcoinByHand(type)
    expect(await sandbox.end('SIGINT')).toBe(0)
  },
  TIMEOUT_MS,
)

/** The page goes on where the walk ended: three must sign, and its references are used. */
function payBitcoinByHand(type: ReturnType<typeof typist>): void {
  if (spawnSync('jq', ['--version']).status !== 0) return
  const [, script = ''] = /## Bitcoin by hand[^]*?```bash\n([^`]*)```/.exec(SANDBOX) ?? []
  const shown = type(script)
  expect(shown).not.toMatch(/"error"/)
  const ended = /"reference": "(\w+)-\d+",\s+"status": "Completed",\s+"amount": "(\d+)"/g
  const paid = [...shown.matchAll(ended)].map(([, name, amount]) => `${name} ${amount}`)
  const byHand = ['first 60000', 'second 20000', 'third 30000']
  expect(paid.toSorted()).toEqual([...byHand, 'payout 10000000'].toSorted())
}

interface Entry {
  accountType: string
  balance: string
}

function isSwept({ accountType, balance }: Entry): boolean {
  return accountType === 'settlement' && balance === '25000000'
}
