import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import type { Movement, OwnAddresses, SoakChain } from '../soak/chains/chain.ts'
import { startChain } from '../soak/chains/start.ts'
import type { Family } from '../soak/options.ts'
import { plain } from '../soak/judge.ts'
import { bitcoind } from '../support/bitcoind.ts'
import { type Installation, install, makeDatabaseUrl } from './installation.ts'
import { until } from './program.ts'

const BLOCK_MS = 1_000

/** An answer of the interface that was waited for. */
export interface Answer {
  status: number
  body: Record<string, unknown>
}

export interface PaidTo {
  address: string
  tag: number | null
}

export interface DepositSeen {
  chainId: string
  externalUserId: string
  status: string
}

/** One installation on chains of every family, and the hands that pay on them. */
export interface RestoreHarness extends Installation {
  chains: readonly SoakChain[]
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  addressOf(chain: SoakChain, userId: string): Promise<PaidTo>
  /** Pays a user on every chain, so many times the smallest sensible amount. */
  payAll(userId: string, times: number): Promise<void>
  /** One withdrawal on every chain; their ids by chain. */
  withdrawAll(number: number): Promise<Map<string, string>>
  statuses(ids: ReadonlyMap<string, string>): Promise<string[]>
  deposits(): Promise<DepositSeen[]>
  /** Payments to the n-th recipient on a chain. */
  paidTo(chain: SoakChain, number: number): Promise<Movement[]>
  fundAll(): Promise<void>
}

/** Starts the chains and makes the installation; both are removed after the test. */
export async function makeRestoreHarness(families: readonly Family[]): Promise<RestoreHarness> {
  const chains: SoakChain[] = []
  const program = existsSync(bitcoind) ? bitcoind : null
  for (const family of families) {
    const chain = await startChain(family, {
      seed: 'restore',
      bitcoind: program,
      blockMs: BLOCK_MS,
    })
    onTestFinished(() => chain.stop())
    chain.run()
    chains.push(chain)
  }
  const harness = await install({
    chains: Object.fromEntries(
      chains.map((chain) => {
        const port = Number(new URL(chain.nodeUrl).port)
        return [chain.id, { nodes: [chain.urlOf(port)], ...chain.config }]
      }),
    ),
    tokens: chains.flatMap(({ listed }) => listed),
    limitDepositAddresses: 0,
    limitWrites: 0,
  })
  return new Hands(harness, chains).door()
}

/** The same installation with another database, as on a new machine. */
export async function withNewDatabase({ config }: Installation): Promise<string> {
  const path = join(dirname(config), 'restored.config.json')
  const settings: unknown = JSON.parse(readFileSync(config, 'utf8'))
  const databaseUrl = await makeDatabaseUrl()
  writeFileSync(path, JSON.stringify({ ...Object(settings), databaseUrl }))
  return path
}

class Hands {
  readonly #harness: Installation
  readonly #chains: readonly SoakChain[]

  constructor(harness: Installation, chains: readonly SoakChain[]) {
    this.#harness = harness
    this.#chains = chains
  }

  door(): RestoreHarness {
    return {
      ...this.#harness,
      chains: this.#chains,
      ask: (method, path, body) => this.#ask(method, path, body),
      addressOf: (chain, userId) => this.#addressOf(chain, userId),
      payAll: (userId, times) => this.#payAll(userId, times),
      withdrawAll: (number) => this.#withdrawAll(number),
      statuses: (ids) => this.#statuses(ids),
      deposits: async () => {
        const { body } = await this.#ask('GET', '/payments')
        return body['payments'] as DepositSeen[]
      },
      paidTo: (chain, number) => this.#paidTo(chain, number),
      fundAll: () => this.#fundAll(),
    }
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const { baseUrl, apiKey } = this.#harness
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  /** The token of the chain that no other payment uses. */
  #tokenOf(chain: SoakChain): string {
    return chain.tokens.at(-1) ?? ''
  }

  #addressOf(chain: SoakChain, userId: string): Promise<PaidTo> {
    const tokenId = this.#tokenOf(chain)
    const query = new URLSearchParams({ chainId: chain.id, tokenId, userId }).toString()
    return until(`an address on ${chain.id}`, async () => {
      const { status, body } = await this.#ask('GET', `/payments/deposit-address?${query}`)
      if (status >= 300) return null
      const { address, destinationTag } = Object(Object(body['address'])['properties'])
      return { address, tag: destinationTag === undefined ? null : Number(destinationTag) }
    })
  }

  async #payAll(userId: string, times: number): Promise<void> {
    for (const chain of this.#chains) {
      const { address: to, tag } = await this.#addressOf(chain, userId)
      const amount = 100_000n * BigInt(times)
      await chain.pay([{ to, tag, tokenId: this.#tokenOf(chain), amount }])
    }
  }

  async #withdrawAll(number: number): Promise<Map<string, string>> {
    const ids = new Map<string, string>()
    for (const chain of this.#chains) {
      const { recipient, memo } = chain.recipientOf(number)
      const asked = {
        chainId: chain.id,
        tokenId: this.#tokenOf(chain),
        amount: '20000',
        reference: `${chain.id} ${number}`,
        recipient,
        ...(memo === null ? {} : { memo }),
      }
      const { status, body } = await this.#ask('POST', '/withdrawals', asked)
      expect({ status, body }).toMatchObject({ status: 201 })
      ids.set(chain.id, String(Object(body['withdrawal'])['id']))
    }
    return ids
  }

  async #statuses(ids: ReadonlyMap<string, string>): Promise<string[]> {
    const found = [...ids.values()].map(async (id) => {
      const { body } = await this.#ask('GET', `/withdrawals/${id}`)
      return String(Object(body['withdrawal'] ?? body)['status'])
    })
    return Promise.all(found)
  }

  async #paidTo(chain: SoakChain, number: number): Promise<Movement[]> {
    const { recipient, memo } = chain.recipientOf(number)
    return (await chain.movements()).filter(
      ({ to, tag, from }) => plain(to) === plain(recipient) && tag === memo && from !== '',
    )
  }

  async #fundAll(): Promise<void> {
    for (const chain of this.#chains) {
      const own = await until(`own addresses on ${chain.id}`, () => this.#ownAddresses(chain))
      await chain.fund(own)
    }
  }

  async #ownAddresses(chain: SoakChain): Promise<OwnAddresses | null> {
    const rows = await withSession(this.#harness.databaseUrl, (session) =>
      session.many(sql<{ address: string; purpose: string }>`
        select address, purpose
          from watched_addresses
         where chain_id = ${chain.id}`),
    )
    const of = (purpose: string) => rows.find((one) => one.purpose === purpose)?.address ?? ''
    const own = { settlement: of('settlement'), gas: of('gas') }
    const needsGas = chain.family === 'evm' || chain.family === 'tron'
    return own.settlement !== '' && (own.gas !== '' || !needsGas) ? own : null
  }
}
