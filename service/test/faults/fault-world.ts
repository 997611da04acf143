import {
  type EvmChain,
  type EvmNode,
  type FaultProxy,
  type Seeded,
  seeded,
  startFaultProxy,
} from '@sluice/simulator'
import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import type { OperatorToken } from '../../src/catalogue/operator-token.ts'
import { parseToken } from '../adapters/brands.ts'
import { listed } from '../support/anvil-chain.ts'
import { openedWorld, simulatedNode } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA, type WorldChain } from '../support/world-life.ts'

/** Every call that returns the logs of a block, in either way of reading it. */
export const LOG_CALLS = /^eth_getBlockReceipts$|^eth_getLogs$|^eth_getTransactionReceipt$/
/** Consecutive polls without a block below a head that is not reached. */
const POLLS_MAX = 5
const OUTAGES_IN_A_ROW_MAX = 5
const OUTAGE_PAUSE_MS = 15_000
const STEPS_MAX = 20_000
const USERS = ['ann', 'bob', 'cleo', 'dan', 'eve']

export interface FaultyOptions extends Partial<WorldChain> {
  tokens?: readonly OperatorToken[]
  /** The number of the simulated chain; by default that of the first test network. */
  chainNumber?: number
}

/** A world whose only node is behind a proxy that the test makes fail. */
export interface Faulty {
  node: EvmNode
  chain: EvmChain
  proxy: FaultProxy
  world: World
  payer: Payer
}

/** Opens a world on a node that behaves correctly until the test adds rules to its proxy. */
export async function openFaulty(options: FaultyOptions = {}): Promise<Faulty> {
  const { tokens = [], chainNumber = 11_155_111, ...chain } = options
  const node = await simulatedNode({ chainId: chainNumber })
  const proxy = await proxied(node.url)
  const contract = node.chain.deployToken({ name: 'Test Dollar', symbol: 'TUSD', decimals: 6 })
  const id = chain.id ?? SEPOLIA
  const dollar = listed(id, contract)
  const world = await openedWorld([{ id, nodes: [proxy.url], ...chain }], [dollar, ...tokens])
  const random = seeded(testName())
  const payer = new Payer({ world, chain: node.chain, contract, id, random })
  return { node, chain: node.chain, proxy, world, payer }
}

/** A proxy in front of a node, stopped when the test ends. */
export async function proxied(target: string): Promise<FaultProxy> {
  const proxy = await startFaultProxy({ target, seed: testName() })
  onTestFinished(() => proxy.stop())
  return proxy
}

function testName(): string {
  return expect.getState().currentTestName ?? ''
}

interface Paid {
  txnHash: string
  amount: bigint
  tokenId: TokenId
}

/** Pays users of the world, and records the expected deposits. */
export class Payer {
  readonly paid: Paid[] = []
  readonly contract: string
  readonly random: Seeded
  readonly #world: World
  readonly #chain: EvmChain
  readonly #id: ChainId
  readonly #addresses = new Map<string, string>()

  constructor(options: {
    world: World
    chain: EvmChain
    contract: string
    id: ChainId
    random: Seeded
  }) {
    this.#world = options.world
    this.#chain = options.chain
    this.contract = options.contract
    this.#id = options.id
    this.random = options.random
  }

  get coin(): TokenId {
    return parseToken(`${this.#id}/slip44:60`)
  }

  get dollar(): TokenId {
    return parseToken(`${this.#id}/erc20:${this.contract}`)
  }

  /** The deposit address of a user; issued once. */
  async address(user = USERS[this.random.int(USERS.length)] ?? 'ann'): Promise<string> {
    const known = this.#addresses.get(user)
    if (known !== undefined) return known
    const { address } = await this.#world.issue(user, this.#id)
    this.#addresses.set(user, address)
    return address
  }

  /** Issues all addresses, so that later payments need only the chain. */
  async meetAll(): Promise<void> {
    for (const user of USERS) await this.address(user)
  }

  /** A payment of any kind to any user, in the next block. */
  async payAnything(): Promise<void> {
    const to = await this.address()
    const amount = BigInt(1 + this.random.int(1_000_000))
    const kind = this.random.int(4)
    if (kind === 0) this.#note(this.#chain.pay({ to, amount }), amount, this.coin)
    else if (kind === 1) this.#note(this.#chain.payInternal({ to, amount }), amount, this.coin)
    else if (kind === 2) this.payDollars(to, amount)
    else this.payTwice(to, amount)
  }

  payCoins(to: string, amount: bigint): void {
    this.#note(this.#chain.pay({ to, amount }), amount, this.coin)
  }

  payDollars(to: string, amount: bigint): void {
    const token = this.contract
    this.#note(this.#chain.payToken({ to, amount, token }), amount, this.dollar)
  }

  /** Two equal token transfers in one transaction: their bloom filter equals that of one. */
  payTwice(to: string, amount: bigint): void {
    const payment = { to, amount, token: this.contract }
    const txnHash = this.#chain.batch([payment, payment])
    this.#note(txnHash, amount, this.dollar)
    this.#note(txnHash, amount, this.dollar)
  }

  /** Every payment is one credited deposit, emitted once, and the ledger matches the chain. */
  async expectAllCredited(): Promise<void> {
    const deposits = await this.#world.deposits()
    const found = deposits.map(({ txnHash, amount, tokenId }) => ({ txnHash, amount, tokenId }))
    expect(sorted(found)).toEqual(sorted(this.paid))
    expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set(['Confirmed']))
    for (const tokenId of [this.coin, this.dollar]) {
      const paid = this.paid.filter((one) => one.tokenId === tokenId)
      const total = paid.reduce((sum, { amount }) => sum + amount, 0n)
      expect(await this.#world.balance(tokenId)).toBe(total)
    }
    const ids = deposits.map(({ id }) => id).sort()
    for (const type of ['deposit.detected', 'deposit.confirmed', 'balance.updated'] as const) {
      const told = (await this.#world.events(type)).map(({ payload }) => subjectOf(payload))
      expect(told.sort()).toEqual(ids)
    }
    expect((await this.#world.audit(this.#id)).findings).toEqual([])
  }

  #note(txnHash: string, amount: bigint, tokenId: TokenId): void {
    this.paid.push({ txnHash, amount, tokenId })
  }
}

function subjectOf(payload: Record<string, unknown>): string {
  return String(payload['referenceId'] ?? payload['id'])
}

function sorted(paid: readonly Paid[]): string[] {
  return paid.map(({ txnHash, amount, tokenId }) => `${txnHash} ${tokenId} ${amount}`).sort()
}

/**
 * Mines pending transactions and the required confirmations; then scans until the world is up to
 * date.
 */
export async function confirm({ chain, world }: Faulty, chainId: ChainId = SEPOLIA): Promise<void> {
  chain.mine(1 + REQUIRED)
  // If the first block of a step is missing, the step ends as at a head, and the scanner polls
  // again.
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    await world.settle(chainId)
    const { tip, headHeight } = await world.state(chainId)
    if (tip.height === headHeight) return
  }
}

/** The state of each requested rescan, oldest first. */
export async function rescanStates({ database }: World): Promise<string[]> {
  const rows = await database.transaction((tx) =>
    tx.many(sql<{ state: string }>`select state from rescans order by created_at, id`),
  )
  return rows.map(({ state }) => state)
}

/**
 * Steps as far as the faults allow: until there is no work, or only outages for a long span of the
 * world's time. Returns the last outage, if it ended in one.
 */
export async function followWhilePossible(
  world: World,
  chainId: ChainId = SEPOLIA,
): Promise<Outage | null> {
  let outages = 0
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    try {
      if ((await world.step(chainId)) === 'idle') return null
      outages = 0
    } catch (error) {
      if (!(error instanceof Outage)) throw error
      outages += 1
      if (outages === OUTAGES_IN_A_ROW_MAX) return error
      await world.clock.advance(Math.max(error.retryAfterMs ?? 0, OUTAGE_PAUSE_MS))
    }
  }
  throw new Error('the scanner was never done')
}
