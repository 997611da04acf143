import { connect } from 'node:net'
import { freePort } from '@sluice/simulator'
import type { ChainId, ErrorBody, TokenId } from '@sluice/wire'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import type { ServerDeps } from '../../src/api/http/deps.ts'
import { openPeers } from '../../src/api/http/peer.ts'
import { openServer } from '../../src/api/http/server.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { Outage } from '../../src/base/fault.ts'
import { openLog } from '../../src/base/log.ts'
import { startChain } from '../../src/catalogue/chain-state.ts'
import { ALL_CHAINS, type ChainEntry } from '../../src/catalogue/chains.ts'
import { openCatalogue } from '../../src/catalogue/find.ts'
import { recordTokenCheck } from '../../src/catalogue/token-check.ts'
import { parseAddress } from '../../src/chains/format-address.ts'
import type { Block, Transfer } from '../../src/chains/port.ts'
import { detectTransfers } from '../../src/deposits/detect.ts'
import { publicKeysOf } from './signer.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { Seed } from '../../src/keys/seed.ts'
import { openServiceKey } from '../../src/keys/service-key.ts'
import { openKeyUses } from '../../src/orgs/key-use.ts'
import { openLimits } from '../../src/orgs/limits.ts'
import { openPasswordChecks } from '../../src/orgs/password-checks.ts'
import { openSessions } from '../../src/orgs/sessions.ts'
import { openTester } from '../../src/webhooks/test-endpoint.ts'
import { SeededRandom } from './clock.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

/** Of the addresses that a door gives out. */
const SEED = new Uint8Array(32).fill(7)

export const ETHEREUM = 'eip155:1'
export const SEPOLIA = 'eip155:11155111'
/** Has nodes that were never reached. */
export const UNREACHED = 'eip155:56'
/** Null unless the test has named its nodes. */
export const REGTEST = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
/** Has no nodes. */
export const WITHOUT_NODES = 'eip155:137'
export const ETHER = 'eip155:1/slip44:60'
export const SEPOLIA_ETHER = 'eip155:11155111/slip44:60'
export const REGTEST_COIN = `${REGTEST}/slip44:0`
export const USDT = 'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** Height of the tip on every chain that was reached. */
export const TIP = 1_000

export interface Tenant {
  orgId: string
  key: string
}

export interface Asking {
  key?: string | null
  method?: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'
  headers?: Record<string, string>
  body?: unknown
}

/** An answer as a client reads it. */
export interface Answered {
  status: number
  headers: LightMyRequestResponse['headers']
  text: string
  json: Record<string, unknown>
}

/** The API over a new database, with two unrelated organizations. */
export interface Door {
  harness: TestDatabase
  server: FastifyInstance
  deps: ServerDeps
  a: Tenant
  b: Tenant
  /** Every line that was logged. */
  lines: string[]
  seen: { route: string; method: string; status: number; ms: number }[]
  ask(path: string, asking?: Asking): Promise<Answered>
  found(name: string): Promise<Tenant>
  /** Detects transfers to an address in a separate block. */
  pay(address: string, amounts: readonly bigint[], at?: Partial<Payment>): Promise<void>
  /** Asks the same harness after a restart with another configuration. */
  askWith(changes: Partial<ServerDeps>, path: string, asking?: Asking): Promise<Answered>
  /** Statements past row-level security. */
  count(table: string): Promise<number>
  close(): Promise<void>
}

export interface Payment {
  chainId: ChainId
  tokenId: TokenId
  height: number
}

/** Opens the door. Two chains are reached, one is not, and all others have no nodes. */
export async function openDoor(changes: Partial<ServerDeps> = {}): Promise<Door> {
  const harness = await openTestDatabase({ poolMax: 20 })
  const lines: string[] = []
  const seen: Door['seen'] = []
  const deps: ServerDeps = {
    ...depsOf(harness, lines),
    onRequest: (one) => void seen.push(one),
    ...changes,
  }
  const server = openServer(deps)
  const reached = [ETHEREUM, SEPOLIA, REGTEST].filter((id) => deps.catalogue.chain(id) !== null)
  for (const chainId of reached) await reach(harness, entryOf(chainId))
  const found = (name: string) => foundTenant(harness, deps, name)
  const a = await found('Alpha')
  const b = await found('Beta')
  return {
    harness,
    server,
    deps,
    a,
    b,
    lines,
    seen,
    found,
    ask: (path, asking = {}) => ask(server, path, { key: a.key, ...asking }),
    pay: (address, amounts, at = {}) => pay(harness, deps, { address, amounts, at }),
    askWith: async (other, path, asking = {}) => {
      const restarted = openServer({ ...deps, ...other })
      const answer = await ask(restarted, path, { key: a.key, ...asking })
      await restarted.close()
      return answer
    },
    count: (table) => countRows(harness, table),
    close: async () => {
      await server.close()
      await deps.passwords.close()
      await harness.close()
    },
  }
}

/** Defaults. */
export const SETTINGS: ServerDeps['settings'] = {
  apiKeyMayConfigure: true,
  approvalMaxAgeMs: 86_400_000,
  webhookTargets: { allowHttp: false, allowPrivate: false, devOrigins: [] },
  logInRates: { perUser: 0, perAddress: 0 },
  passkeySite: { origin: 'https://sluice.example.com', rpId: 'sluice.example.com' },
}

function depsOf(harness: TestDatabase, lines: string[]): Omit<ServerDeps, 'onRequest'> {
  const { database, clock } = harness
  const random = new SeededRandom('door')
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const write = (line: string) => void lines.push(line)
  const log = openLog({ level: 'debug', pretty: false, stream: 1, destination: { write } })
  const tester = openTester({
    database,
    serviceKey,
    clock,
    ids: harness.ids,
    log,
    rules: SETTINGS.webhookTargets,
    resolve: async () => {
      throw new Outage('name service', 'the test has no network')
    },
  })
  const chains = [ETHEREUM, SEPOLIA, UNREACHED].map((id) => ({ id: toChainId(id) }))
  return {
    database,
    catalogue: openCatalogue({ chains, tokens: [] }),
    clock,
    ids: harness.ids,
    random,
    log,
    tester,
    accountKeys: { signer: publicKeysOf(openKeyring(new Seed(SEED))), serviceKey },
    serviceKey,
    sessions: openSessions({ database, serviceKey, clock, ttlSeconds: 3600 }),
    // A test of rate limits sets them: time does not pass here, so a minute would never end.
    limits: openLimits({ clock, serviceKey, rates: { reads: 0, writes: 0, depositAddresses: 0 } }),
    peerOf: openPeers([]),
    passwords: openPasswordChecks(),
    chains: { get: () => null },
    feeBook: { feeOf: async () => 0n },
    resolve: async () => ['93.184.215.14'],
    settings: SETTINGS,
    readiness: async () => ({ status: 'ready', checks: { database: 'ok' } }),
    isClockSkewed: () => false,
    keyUses: openKeyUses(clock),
  }
}

async function foundTenant(
  { database }: TestDatabase,
  { serviceKey, random }: ServerDeps,
  name: string,
): Promise<Tenant> {
  const given = { name, actor: 'cli:test', random }
  const { organization, apiKey } = await foundOrganization(database, serviceKey, given)
  return { orgId: organization.id, key: apiKey.reveal() }
}

async function countRows({ database }: TestDatabase, table: string): Promise<number> {
  const { n } = await database.transaction((tx) =>
    tx.one(sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`),
  )
  return n
}

/** The body of a refusal, after its shape was looked at (section 7.1). */
export function refusalIn({ status, headers, json, text }: Answered): ErrorBody {
  const { error, message, statusCode, details, ...more } = parseError(text)
  const isComplete =
    typeof error === 'string' &&
    typeof message === 'string' &&
    message.length > 10 &&
    statusCode === status &&
    details?.['requestId'] === headers['x-request-id'] &&
    Object.keys(more).length === 0
  if (!isComplete) throw new Error(`not an error body: ${status} ${JSON.stringify(json)}`)
  return { error, message, statusCode, details: details ?? {} }
}

function parseError(text: string): ErrorBody {
  return JSON.parse(text) as ErrorBody
}

async function ask(server: FastifyInstance, path: string, asking: Asking): Promise<Answered> {
  const { key, method = 'GET', headers = {}, body } = asking
  const response = await server.inject({
    method,
    url: path,
    headers: { ...(key === null || key === undefined ? {} : { 'x-api-key': key }), ...headers },
    ...(body === undefined ? {} : { payload: toPayload(body) }),
  })
  const { statusCode: status, payload: text } = response
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return { status, headers: response.headers, text, json: isJson ? parseJson(text) : {} }
}

function toPayload(body: unknown): string | Buffer | object {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : Object(body)
}

function parseJson(text: string): Record<string, unknown> {
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}

async function reach({ database, clock }: TestDatabase, { id: chainId }: ChainEntry) {
  const tip = { height: TIP, hash: hash(`${chainId} tip`) }
  const start = {
    chainId,
    genesis: '0x00',
    tip,
    tipTime: clock.now(),
    headHeight: TIP,
    final: null,
  }
  await database.transaction(async (tx) => {
    await startChain(tx, start)
    const checks = [USDT].filter((tokenId) => tokenId.startsWith(`${chainId}/`))
    for (const tokenId of checks) {
      const check = { chainId, state: 'verified', found: '6 USDT' } as const
      await recordTokenCheck(tx, { tokenId: toTokenId(tokenId), ...check })
    }
  })
}

/**
 * Listens on a port below 32768, which the system never assigns to outgoing connections, and
 * returns the origin.
 */
export async function listenLow({ server }: Door): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const port = await freePort()
    try {
      return await server.listen({ host: '127.0.0.1', port })
    } catch (error) {
      if (tries > 20) throw error
    }
  }
}

/**
 * Sends a request as it is written, which no client would do, and reads until the other side is
 * done or cuts the connection.
 */
export function sendRaw(origin: string, head: string, body = ''): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (isWhole(text)) socket.end()
    })
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
    socket.on('close', () => resolve(text))
    socket.write(`${head}\r\n\r\n${body}`)
  })
}

function isWhole(text: string): boolean {
  const at = text.indexOf('\r\n\r\n')
  if (at === -1) return false
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  return length === undefined
    ? text.endsWith('\r\n0\r\n\r\n')
    : text.length >= at + 4 + Number(length)
}

let payments = 0

async function pay(
  { database }: TestDatabase,
  { catalogue, serviceKey }: ServerDeps,
  given: { address: string; amounts: readonly bigint[]; at: Partial<Payment> },
): Promise<void> {
  const { chainId = toChainId(ETHEREUM), tokenId = toTokenId(ETHER), height = TIP } = given.at
  const to = parseAddress(chainId, given.address)
  if (to === null) throw new Error(`no address: ${given.address}`)
  const from = parseAddress(chainId, '0x00000000000000000000000000000000000000aa') ?? ''
  const transfers: Transfer[] = given.amounts.map((amount) => {
    payments += 1
    return {
      txnHash: hash(`payment ${payments}`),
      position: 'tx',
      tokenId,
      from,
      to,
      amount,
      tag: null,
    }
  })
  const block: Block = {
    height,
    hash: hash(`block ${height}`),
    parentHash: hash(`block ${height - 1}`),
    time: 0,
    transfers,
    transactions: [],
  }
  const entry = entryOf(chainId)
  const reading = { serviceKey, catalogue, entry, blocks: [block] }
  await database.transaction((tx) => detectTransfers(tx, reading))
}

function hash(of: string): string {
  return `0x${Buffer.from(new SeededRandom(of).bytes(32)).toString('hex')}`
}

export function entryOf(chainId: string): ChainEntry {
  const entry = ALL_CHAINS.find(({ id }) => id === chainId)
  if (entry === undefined) throw new Error(`no chain: ${chainId}`)
  return entry
}

export function toChainId(text: string): ChainId {
  return text as ChainId
}

export function toTokenId(text: string): TokenId {
  return text as TokenId
}
