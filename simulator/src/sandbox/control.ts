import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { holding } from '../evm-send.ts'
import { listen } from '../listen.ts'
import { type SandboxChain, payIn } from './chains.ts'
import type { SandboxState } from './state.ts'
import { TotpCodes } from './totp.ts'
import type { WebhookLog } from './webhook-log.ts'

const BODY_MAX = 65_536
const BLOCKS_MAX = 1_000

/** What the control endpoint acts on. */
export interface ControlWorld {
  chains: readonly SandboxChain[]
  webhooks: WebhookLog
  state: SandboxState
}

/** The caller's mistake, told in a sentence with status 400. */
class Mistake extends Error {}

type Answer = Record<string, unknown> | readonly unknown[]
type Act = (world: ControlWorld, given: Record<string, unknown>) => Promise<Answer>

const codes = new TotpCodes()

const ACTS: Record<string, Act> = {
  'POST /deposits': postDeposit,
  'POST /mine': postMine,
  'POST /reorg': postReorg,
  'GET /webhooks': async ({ webhooks }) => webhooks.list(),
  'GET /balances': getBalances,
  'GET /totp': getTotp,
}

/** Answers on 127.0.0.1: the hand with which a developer moves the sandbox's chains. */
export async function serveControl(world: ControlWorld, port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(world, request, response))
  await listen(server, port)
  return server
}

async function answer(
  world: ControlWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const act = ACTS[`${request.method} ${url.pathname}`]
  try {
    if (act === undefined) {
      const known = Object.keys(ACTS).join(', ')
      return reply(response, 404, { message: `There is ${known}.` })
    }
    const body = request.method === 'POST' ? await readBody(request) : {}
    reply(response, 200, await act(world, { ...Object.fromEntries(url.searchParams), ...body }))
  } catch (error) {
    const status = error instanceof Mistake ? 400 : 500
    reply(response, status, { message: error instanceof Error ? error.message : String(error) })
  }
}

function reply(response: ServerResponse, status: number, body: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${JSON.stringify(body)}\n`)
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_MAX) throw new Mistake('the body is too large')
  }
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed }
  } catch {
    // Told below, as any other body that is no object.
  }
  throw new Mistake('the body must be a JSON object')
}

async function postDeposit(world: ControlWorld, given: Record<string, unknown>): Promise<Answer> {
  const chain = chainOf(world, given['chainId'])
  const { tokenId, address, amount } = given
  const ids = [chain.native.id, chain.token.id]
  const id = ids.find((one) => one.toLowerCase() === String(tokenId).toLowerCase())
  if (id === undefined) throw new Mistake(`tokenId must be one of ${ids.join(', ')}`)
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new Mistake('address must be an address of the chain, 0x and 40 hexadecimal digits')
  }
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,36}$/.test(amount)) {
    throw new Mistake('amount must be a string of base units above zero, such as "1000000"')
  }
  return payIn(chain, { tokenId: id, address, amount: BigInt(amount) }).then((paid) => ({
    ...paid,
  }))
}

async function postMine(world: ControlWorld, given: Record<string, unknown>): Promise<Answer> {
  const { anvil } = chainOf(world, given['chainId'])
  await anvil.mine(countOf(given['blocks'], 'blocks'))
  return { head: Number(await anvil.rpc<string>('eth_blockNumber')) }
}

/** Replaces the top blocks by as many empty ones; their transactions vanish. */
async function postReorg(world: ControlWorld, given: Record<string, unknown>): Promise<Answer> {
  const { anvil } = chainOf(world, given['chainId'])
  const depth = countOf(given['depth'], 'depth')
  const head = Number(await anvil.rpc<string>('eth_blockNumber'))
  if (depth > head) throw new Mistake(`depth must be at most ${head}, the height of the chain`)
  await anvil.reorg(depth)
  return { head: Number(await anvil.rpc<string>('eth_blockNumber')) }
}

async function getBalances(world: ControlWorld, given: Record<string, unknown>): Promise<Answer> {
  const { address } = given
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new Mistake('address must be given, 0x and 40 hexadecimal digits')
  }
  const rows = world.chains.flatMap(({ anvil, native, token }) => [
    { tokenId: native.id, amount: holding(anvil, address) },
    { tokenId: token.id, amount: holding(anvil, address, token.address) },
  ])
  return Promise.all(
    rows.map(async ({ tokenId, amount }) => ({ tokenId, balance: (await amount).toString() })),
  )
}

async function getTotp(world: ControlWorld, given: Record<string, unknown>): Promise<Answer> {
  const user = world.state.users.find(({ username }) => username === given['username'])
  if (user === undefined) {
    const names = world.state.users.map(({ username }) => username).join(', ')
    throw new Mistake(`username must be one of ${names}`)
  }
  const code = codes.next(user.username, user.totpSecret, Date.now())
  if (code === null) throw new Mistake('every code so far was handed out; the next comes in 30 s')
  return { username: user.username, totpCode: code }
}

function chainOf({ chains }: ControlWorld, id: unknown): SandboxChain {
  const chain = chains.find(({ chainId }) => chainId === id)
  if (chain !== undefined) return chain
  throw new Mistake(`chainId must be one of ${chains.map(({ chainId }) => chainId).join(', ')}`)
}

function countOf(given: unknown, name: string): number {
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= BLOCKS_MAX) return count
  throw new Mistake(`${name} must be a whole number from 1 to ${BLOCKS_MAX}`)
}
