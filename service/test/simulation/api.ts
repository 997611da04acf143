import type { FastifyInstance } from 'fastify'
import type { XpubSource } from '../../src/accounts/wallet.ts'
import type { ServerDeps } from '../../src/api/http/deps.ts'
import { openPeers } from '../../src/api/http/peer.ts'
import { openServer } from '../../src/api/http/server.ts'
import type { Clock } from '../../src/base/clock.ts'
import { openLog } from '../../src/base/log.ts'
import { openLimits } from '../../src/orgs/limits.ts'
import { openPasswordChecks } from '../../src/orgs/password-checks.ts'
import { openSessions, type Sessions } from '../../src/orgs/sessions.ts'
import { readUsers } from '../../src/orgs/signers.ts'
import type { Database } from '../../src/store/database.ts'
import { ManualClock, SeededRandom } from '../support/clock.ts'
import type { Person, Stage, Tenant } from './stage.ts'
import { CATALOGUE } from './tokens.ts'
import type { SimWorld } from './world.ts'

/** The answer of a request; null if the process died before it. */
export interface Answered {
  status: number
  json: Record<string, unknown>
}

const SESSION_SECONDS = 30 * 86_400

/**
 * The HTTP handler of the service, opened once for all seeds; it serves the world of the current
 * seed.
 */
export class Api {
  /** Two, one for each of two processes: each has its own batches. */
  readonly #servers: readonly [FastifyInstance, FastifyInstance]
  readonly #stage: Stage
  #world: SimWorld | null = null
  #tokens = new Map<string, string>()
  #sessions: Sessions | null = null

  constructor(stage: Stage) {
    this.#stage = stage
    this.#servers = [openServer(this.#deps()), openServer(this.#deps())]
  }

  /** From now on it is the door of this world. */
  bind(world: SimWorld): void {
    this.#world = world
    this.#tokens = new Map()
  }

  byKey({ apiKey }: Tenant, method: Method, path: string, body?: object): Promise<Answered> {
    return this.#ask({ 'x-api-key': apiKey }, { method, path, body })
  }

  /** As `byKey`, by the door of another process. */
  byKeyElsewhere(
    { apiKey }: Tenant,
    method: Method,
    path: string,
    body?: object,
  ): Promise<Answered> {
    return this.#ask({ 'x-api-key': apiKey }, { method, path, body, at: 1 })
  }

  /** Signed in: without password and code, which are other tests' matter. */
  async byPerson(person: Person, method: Method, path: string, body?: object): Promise<Answered> {
    const token = this.#tokens.get(person.userId) ?? (await this.#signIn(person))
    const authorization = `Bearer ${token}`
    const answer = await this.#ask({ authorization }, { method, path, body })
    if (answer.status === 401) this.#tokens.delete(person.userId)
    return answer
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.close()
  }

  get #here(): SimWorld {
    if (this.#world === null) throw new Error('the door leads nowhere')
    return this.#world
  }

  async #signIn({ orgId, userId }: Person): Promise<string> {
    const { database, stage } = this.#here
    const { serviceKey } = stage.keys
    const { accessToken } = await database.transaction(async (tx) => {
      const user = (await readUsers(tx, serviceKey, { orgId, ids: [userId] })).get(userId)
      if (user === undefined || this.#sessions === null) throw new Error('unknown user')
      return this.#sessions.begin(tx, user, { address: '' })
    })
    this.#tokens.set(userId, accessToken)
    return accessToken
  }

  async #ask(
    headers: Record<string, string>,
    request: { method: Method; path: string; body: object | undefined; at?: 0 | 1 },
  ): Promise<Answered> {
    const { method, path: url, body, at = 0 } = request
    const response = await this.#servers[at].inject({
      method,
      url,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: response.statusCode, json: parseJson(response.payload) }
  }

  #clock(): Clock {
    return {
      now: () => this.#world?.clock.now() ?? new ManualClock().now(),
      sleep: (ms, signal) => this.#here.clock.sleep(ms, signal),
    }
  }

  #signer(): XpubSource {
    return {
      accountXpub: (...asked) => this.#here.signer.accountXpub(...asked),
      publicKey: (...asked) => this.#here.signer.publicKey(...asked),
    }
  }

  #deps(): ServerDeps {
    const { keys } = this.#stage
    const { serviceKey } = keys
    const here = () => this.#here
    const database = () => here().door.database
    const behind: Database = {
      transaction: (work) => database().transaction(work),
      forOrg: (orgId, work) => database().forOrg(orgId, work),
      asApi: (work) => database().asApi(work),
      snapshot: (work) => database().snapshot(work),
      witness: async () => '',
      close: async () => undefined,
    }
    const clock = this.#clock()
    this.#sessions = openSessions({
      database: behind,
      serviceKey,
      clock,
      ttlSeconds: SESSION_SECONDS,
    })
    const chains: ServerDeps['chains'] = { get: (id) => here().door.chains.get(id) }
    const catalogue = { ...CATALOGUE, chain: (id: string) => here().catalogue.chain(id) }
    const write = (line: string) => {
      const { door } = here()
      here().logged('door', line)
      if (!door.gate.isDead && /"level":"(error|fatal)"/.test(line)) door.failures.push(line)
    }
    return {
      serviceKey,
      accountKeys: { serviceKey, signer: this.#signer() },
      database: behind,
      clock,
      chains,
      catalogue,
      ids: { next: () => '00000000-0000-7000-8000-000000000000' },
      random: new SeededRandom('the door'),
      log: openLog({ level: 'warn', pretty: false, destination: { write } }),
      sessions: this.#sessions,
      limits: openLimits({
        clock,
        serviceKey,
        rates: { reads: 0, writes: 0, depositAddresses: 0 },
      }),
      peerOf: openPeers([]),
      passwords: openPasswordChecks(),
      feeBook: { feeOf: (chainId, tokenId) => here().door.fees.feeOf(chainId, tokenId) },
      resolve: async () => ['93.184.215.14'],
      tester: { test: () => Promise.reject(new Error('the simulation sends no tests')) },
      settings: {
        apiKeyMayConfigure: true,
        approvalMaxAgeMs: 86_400_000,
        webhookTargets: { allowHttp: false, allowPrivate: false, devOrigins: [] },
        logInRates: { perUser: 0, perAddress: 0 },
        passkeySite: null,
      },
      readiness: async () => ({ status: 'ready', checks: {} }),
      isClockSkewed: () => false,
      onRequest: () => undefined,
    }
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

function parseJson(text: string): Record<string, unknown> {
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}
