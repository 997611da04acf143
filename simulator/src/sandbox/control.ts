import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { listen } from '../listen.ts'
import type { SandboxChain } from './chains.ts'
import { type CoinControl, parseRate, parseTxid } from './coin-control.ts'
import { XRPL_ID } from './xrpl.ts'
import { type GasKeeper, sellsGas } from './gas.ts'
import { Mistake } from './mistake.ts'
import type { SandboxState } from './state.ts'
import { SYSTEM_TIME, type TotpCodes } from './totp.ts'
import type { WebhookLog } from './webhook-log.ts'

const BODY_MAX = 65_536
const BLOCKS_MAX = 1_000
const TAG_MAX = 0xff_ff_ff_ff

/** The parts that the control endpoint acts on. */
export interface ControlWorld {
  chains: readonly SandboxChain[]
  webhooks: WebhookLog
  state: SandboxState
  /** Null if the service did not return its gas wallets. */
  gas: GasKeeper | null
  /** The codes that were handed out. */
  codes: TotpCodes
}

type Answer = Record<string, unknown> | readonly unknown[]
type Act = (world: ControlWorld, body: Record<string, unknown>) => Promise<Answer>

const ACTS: Record<string, Act> = {
  'POST /deposits': postDeposit,
  'POST /gas': postGas,
  'POST /mine': postMine,
  'POST /reorg': postReorg,
  'POST /fees': postFees,
  'POST /stuck': postStuck,
  'POST /lose': postLose,
  'POST /double-spend': postDoubleSpend,
  'GET /mempool': getMempool,
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
  if (isOwnPage(world, request.headers.origin))
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '')
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

/** Whether a page of the service asks, under one of the two names of this machine. */
function isOwnPage({ state }: ControlWorld, origin: string | undefined): boolean {
  const { baseUrl } = state
  return (
    origin !== undefined && [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')].includes(origin)
  )
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
    // Reported below, like any other body that is not an object.
  }
  throw new Mistake('the body must be a JSON object')
}

async function postDeposit(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const chain = chainOf(world, body['chainId'])
  const { tokenId, address, amount } = body
  const ids = chain.tokens.map(({ id }) => id)
  const token = chain.tokens.find(({ id }) => id.toLowerCase() === String(tokenId).toLowerCase())
  if (token === undefined) throw new Mistake(`tokenId must be one of ${ids.join(', ')}`)
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,36}$/.test(amount)) {
    throw new Mistake('amount must be a string of base units above zero, such as "1000000"')
  }
  const to = parseAddress([chain], address)
  const tag = parseTag(chain, body['destinationTag'])
  const promised = parsePromised(chain, body['promisedAmount'])
  const paid = await chain.payIn({
    token,
    address: to,
    amount: BigInt(amount),
    ...tag,
    ...promised,
  })
  return { ...paid }
}

/** Sets what the gas wallet of a chain holds; without an amount it is kept filled again. */
async function postGas(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const chain = chainOf(world, body['chainId'])
  const { gas } = world
  if (!sellsGas(chain)) throw new Mistake('the chain has no gas wallets')
  if (gas === null) throw new Mistake('the API key of sandbox.json no longer opens the service')
  const { amount } = body
  const address = gas.walletOn(chain.chainId)
  if (amount === undefined) {
    gas.fillAgain(chain.chainId)
    return { address, filled: true }
  }
  if (typeof amount !== 'string' || !/^(0|[1-9][0-9]{0,36})$/.test(amount)) {
    throw new Mistake('amount must be a string of base units, such as "0"')
  }
  const balance = await gas.set(chain, BigInt(amount))
  return { address, balance: balance.toString() }
}

async function postMine(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const chain = chainOf(world, body['chainId'])
  await chain.mine(parseCount(body['blocks'], 'blocks'))
  return { head: await chain.head() }
}

interface Bound {
  chainId: string
  most: number
  /** Blocks that the wanted depth is too deep by. */
  missing: number
}

/** Limits in the message of a refused reorg. */
const BOUNDS: Record<'start' | 'solid', (bound: Bound) => string> = {
  start: ({ chainId, missing }) =>
    'blocks from before this start of the sandbox stay. ' +
    `POST /mine {"chainId": "${chainId}", "blocks": ${missing}} makes room`,
  solid: ({ most }) =>
    `all blocks but the newest ${most} are solid, and a solid block is never replaced. ` +
    'Mining does not change that',
}

/** Replaces the top blocks by as many empty ones; their transactions vanish. */
async function postReorg(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const chain = chainOf(world, body['chainId'])
  const { floor, bound, chainId } = chain
  if (bound === null) throw new Mistake(`${chainId} has no reorgs: a validated ledger is final`)
  const depth = parseCount(body['depth'], 'depth')
  const most = (await chain.head()) - floor
  if (depth > most) {
    const why = BOUNDS[bound]({ chainId, most, missing: depth - most })
    throw new Mistake(`depth must be at most ${most} on ${chainId}: ${why}`)
  }
  await chain.reorg(depth)
  return { head: await chain.head() }
}

/** The price of block space that the node reports, used by payments from now on. */
async function postFees(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const perKvb = parseRate(body['perKvb'])
  coinsOf(world, body).setFeeRate(perKvb)
  return { perKvb: perKvb?.toString() ?? null }
}

/** Sets the lowest fee rate that is mined. */
async function postStuck(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const perKvb = parseRate(body['perKvb'])
  coinsOf(world, body).mineFrom(perKvb)
  return { perKvb: perKvb?.toString() ?? null }
}

async function postLose(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const { payments } = body
  const chain = chainOf(world, body['chainId'])
  if (chain.lose === undefined) throw new Mistake('only the XRP Ledger loses payments')
  const isCount = typeof payments === 'number' && Number.isInteger(payments) && payments >= 0
  if (!isCount) throw new Mistake('payments must be a whole number, 0 or more')
  chain.lose(payments)
  return { payments }
}

async function postDoubleSpend(
  world: ControlWorld,
  body: Record<string, unknown>,
): Promise<Answer> {
  const txnHash = await coinsOf(world, body).doubleSpend(parseTxid(body['txnHash']))
  return { txnHash, head: await chainOf(world, body['chainId']).head() }
}

async function getMempool(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  return coinsOf(world, body).waiting()
}

function coinsOf(world: ControlWorld, body: Record<string, unknown>): CoinControl {
  const { coins } = chainOf(world, body['chainId'])
  if (coins !== undefined) return coins
  throw new Mistake('only Bitcoin chains (bip122) support this')
}

async function getBalances(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const address = parseAddress(world.chains, body['address'])
  const rows = world.chains
    .filter((chain) => chain.isAddress(address))
    .flatMap((chain) =>
      chain.tokens.map(async (token) => {
        const balance = await chain.holding(address, token)
        return { chainId: token.chainId, tokenId: token.id, balance: balance.toString() }
      }),
    )
  return Promise.all(rows)
}

/** Of a partial payment, which says more than it delivers. */
function parsePromised({ chainId }: SandboxChain, value: unknown): { promised?: bigint } {
  if (value === undefined) return {}
  if (chainId !== XRPL_ID) throw new Mistake(`promisedAmount is for ${XRPL_ID} alone`)
  if (typeof value === 'string' && /^[1-9][0-9]{0,16}$/.test(value)) {
    return { promised: BigInt(value) }
  }
  throw new Mistake('promisedAmount must be a string of base units above zero')
}

/** A number, or its digits; left out for none, which is not the tag 0. */
function parseTag({ chainId }: SandboxChain, value: unknown): { tag?: number } {
  if (value === undefined || value === null) return {}
  if (chainId !== XRPL_ID) throw new Mistake(`destinationTag is for ${XRPL_ID} alone`)
  const tag = typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value
  if (typeof tag === 'number' && Number.isInteger(tag) && tag >= 0 && tag <= TAG_MAX) return { tag }
  throw new Mistake(`destinationTag must be a whole number from 0 to ${TAG_MAX}`)
}

function parseAddress(chains: readonly SandboxChain[], value: unknown): string {
  const isAddress = chains.some((chain) => chain.isAddress(String(value)))
  if (typeof value === 'string' && isAddress) return value
  throw new Mistake('address must be an address of the chain')
}

async function getTotp(world: ControlWorld, body: Record<string, unknown>): Promise<Answer> {
  const user = world.state.users.find(({ username }) => username === body['username'])
  if (user === undefined) {
    const names = world.state.users.map(({ username }) => username).join(', ')
    throw new Mistake(`username must be one of ${names}`)
  }
  const { username, totpSecret } = user
  return { username, totpCode: await world.codes.take(username, totpSecret, SYSTEM_TIME) }
}

function chainOf({ chains }: ControlWorld, id: unknown): SandboxChain {
  const chain = chains.find(({ chainId }) => chainId === id)
  if (chain !== undefined) return chain
  throw new Mistake(`chainId must be one of ${chains.map(({ chainId }) => chainId).join(', ')}`)
}

function parseCount(value: unknown, name: string): number {
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1 && count <= BLOCKS_MAX) return count
  throw new Mistake(`${name} must be a whole number from 1 to ${BLOCKS_MAX}`)
}
