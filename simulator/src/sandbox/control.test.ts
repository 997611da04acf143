import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { shut } from '../listen.ts'
import type { SandboxChain } from './chains.ts'
import { serveControl } from './control.ts'
import type { SandboxState } from './state.ts'
import { TotpCodes } from './totp.ts'
import { startTron, TRON_ID } from './tron.ts'
import { startXrpl, XRPL_ID } from './xrpl.ts'

type Ask = (path: string, body: object) => Promise<{ status: number; answer: Answered }>
type Answered = { message?: string; head?: number }

const codes = new TotpCodes()
const STATE: SandboxState = {
  baseUrl: '',
  controlUrl: '',
  apiKey: '',
  organization: { id: '', name: '' },
  users: [],
  chains: [],
  tokens: [],
}
const SUGGESTED = /POST (\/\w+) (\{.*?\})/

test('a reorg of solid TRON blocks is refused without a false suggestion', async () => {
  const { ask, chain } = await opened(await tron())
  const { status, answer } = await ask('/reorg', { chainId: TRON_ID, depth: 10 })
  expect(status).toBe(400)
  expect(answer.message).toContain(`at most 3 on ${TRON_ID}`)
  expect(answer.message).toContain('solid')
  expect(answer.message).not.toMatch(SUGGESTED)
  await ask('/mine', { chainId: TRON_ID, blocks: 20 })
  expect(await ask('/reorg', { chainId: TRON_ID, depth: 4 })).toMatchObject({ status: 400 })
  const head = await chain.head()
  expect(await ask('/reorg', { chainId: TRON_ID, depth: 3 })).toMatchObject({
    status: 200,
    answer: { head },
  })
})

test('a reorg succeeds at the depth that the suggested request made possible', async () => {
  const { ask } = await opened(bounded())
  const reorg = () => ask('/reorg', { chainId: 'eip155:1', depth: 9 })
  const { status, answer } = await reorg()
  expect(status).toBe(400)
  const [, path = '', body = ''] = SUGGESTED.exec(answer.message ?? '') ?? []
  expect(await ask(path, JSON.parse(body))).toMatchObject({ status: 200 })
  expect(await reorg()).toMatchObject({ status: 200 })
})

test('every reorg of the XRP Ledger is refused as final', async () => {
  const { ask } = await opened(await xrpl())
  const { status, answer } = await ask('/reorg', { chainId: XRPL_ID, depth: 1 })
  expect(status).toBe(400)
  expect(answer.message).toBe(`${XRPL_ID} has no reorgs: a validated ledger is final`)
})

async function tron(): Promise<SandboxChain> {
  const sandbox = await startTron({ port: await freePort(), folder: await scratch() })
  onTestFinished(() => sandbox.stop())
  return sandbox.chain
}

async function xrpl(): Promise<SandboxChain> {
  const sandbox = await startXrpl({ port: await freePort(), folder: await scratch() })
  onTestFinished(() => sandbox.stop())
  return sandbox.chain
}

/** A chain whose blocks up to its start stay. */
function bounded(): SandboxChain {
  let head = 5
  return {
    chainId: 'eip155:1',
    tokens: [],
    floor: 3,
    bound: 'start',
    anvil: null,
    payIn: () => Promise.reject(new Error('not asked for')),
    head: async () => head,
    mine: async (blocks) => void (head += blocks),
    reorg: async () => undefined,
    holding: async () => 0n,
    isAddress: () => false,
  }
}

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'control-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function opened(chain: SandboxChain): Promise<{ ask: Ask; chain: SandboxChain }> {
  const port = await freePort()
  const none = { url: '', list: () => [], verifyWith: () => undefined }
  const webhooks = { ...none, stop: async () => undefined }
  const server = await serveControl(
    { chains: [chain], state: STATE, webhooks, gas: null, codes },
    port,
  )
  onTestFinished(() => shut(server))
  const ask: Ask = async (path, body) => {
    const method = { method: 'POST', body: JSON.stringify(body) }
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, method)
    const answer = (await reply.json()) as Answered
    return { status: reply.status, answer }
  }
  return { ask, chain }
}
