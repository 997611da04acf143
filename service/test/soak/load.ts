import { setTimeout as wait } from 'node:timers/promises'
import type { Seeded } from '@sluice/simulator'
import type { Payment, SoakChain } from './chains/chain.ts'
import type { Client } from './client.ts'

const USERS_AT_FIRST = 12
const USERS_MAX = 150
const NEW_USER = 0.02
const SECOND_MS = 1_000

/** A requested withdrawal, repeated until answered. */
export interface Wanted {
  reference: string
  chainId: string
  tokenId: string
  amount: bigint
  recipient: string
  memo: string | null
  /** The status of the answer; null without an answer. */
  heard: number | null
  refusal: string
}

/** A user's deposit address. */
export interface Address {
  chainId: string
  userId: string
  address: string
  tag: string | null
}

/** The work of the load on one chain. */
export interface Done {
  paid: number
  refused: number
  addresses: Address[]
  wanted: Wanted[]
}

export interface LoadOptions {
  chain: SoakChain
  client: Client
  random: Seeded
  /** A second. */
  deposits: number
  withdrawals: number
}

/** Users of one chain who deposit and withdraw, with the requests and their answers. */
export class Load {
  readonly done: Done = { paid: 0, refused: 0, addresses: [], wanted: [] }
  /** Errors of the test's own payments, not of the service. */
  readonly mishaps: string[] = []
  readonly #options: LoadOptions
  readonly #asking = new Set<Promise<void>>()
  #numbers = 0

  constructor(options: LoadOptions) {
    this.#options = options
  }

  /** The first users get their addresses. */
  async begin(): Promise<void> {
    for (let at = 0; at < USERS_AT_FIRST; at += 1) await this.#newUser()
  }

  /** Runs until the signal, then waits for the answers to all requests. */
  async run(signal: AbortSignal): Promise<void> {
    let next = Date.now()
    const { deposits, withdrawals, random } = this.#options
    let due = { deposits: 0, withdrawals: 0 }
    while (!signal.aborted) {
      due = { deposits: due.deposits + deposits, withdrawals: due.withdrawals + withdrawals }
      const now = { deposits: Math.floor(due.deposits), withdrawals: Math.floor(due.withdrawals) }
      due = {
        deposits: due.deposits - now.deposits,
        withdrawals: due.withdrawals - now.withdrawals,
      }
      await this.#payIn(now.deposits)
      for (let at = 0; at < now.withdrawals; at += 1) this.#withdraw()
      if (this.done.addresses.length < USERS_MAX && random.chance(NEW_USER * deposits)) {
        this.#go(this.#newUser())
      }
      // Seconds lost on a busy machine are not made up for, and blocks come in between.
      next = Math.max(next + SECOND_MS, Date.now())
      await wait(next - Date.now(), undefined, { signal }).catch(() => undefined)
    }
    while (this.#asking.size > 0) await Promise.all(this.#asking)
  }

  #go(work: Promise<void>): void {
    const told = work
      .catch((error: unknown) => void this.mishaps.push(String(error)))
      .finally(() => this.#asking.delete(told))
    this.#asking.add(told)
  }

  async #payIn(count: number): Promise<void> {
    const { chain, random } = this.#options
    const payments: Payment[] = []
    for (let at = 0; at < count; at += 1) {
      const { address: to, tag } = random.pick(this.done.addresses)
      const tokenId = random.pick(chain.tokens)
      const amount = chain.depositOf(random, tokenId)
      payments.push({ to, tag: tag === null ? null : Number(tag), tokenId, amount })
    }
    try {
      await chain.pay(payments)
      this.done.paid += payments.length
    } catch (error) {
      // A reorg may have removed its funds; the next payment uses other inputs.
      this.done.refused += payments.length
      this.mishaps.push(`${chain.id}: ${String(error)}`)
    }
  }

  #withdraw(): void {
    const { chain, random } = this.#options
    const number = this.done.wanted.length
    const tokenId = random.pick(chain.tokens)
    const wanted: Wanted = {
      reference: `${chain.family} ${number}`,
      chainId: chain.id,
      tokenId,
      amount: chain.withdrawalOf(random, tokenId),
      ...chain.recipientOf(number),
      heard: null,
      refusal: '',
    }
    this.done.wanted.push(wanted)
    this.#go(this.#request(wanted))
  }

  /** Unanswered requests are repeated under the same reference. */
  async #request(wanted: Wanted): Promise<void> {
    const { reference, chainId, tokenId, amount, recipient, memo } = wanted
    const body = {
      reference,
      chainId,
      tokenId,
      recipient,
      amount: String(amount),
      ...(memo === null ? {} : { memo }),
    }
    const answer = await this.#options.client.ask('POST', '/withdrawals', { body })
    if (answer === null) return
    const { details } = answer.body
    const isTwice = Object(details)['sameParameters'] === true
    wanted.heard = isTwice ? 201 : answer.status
    if (wanted.heard !== 201) wanted.refusal = JSON.stringify(answer.body)
  }

  async #newUser(): Promise<void> {
    const { chain, client } = this.#options
    const userId = `${chain.family}-${(this.#numbers += 1)}`
    const [tokenId = ''] = chain.tokens
    const query = new URLSearchParams({ chainId: chain.id, tokenId, userId }).toString()
    const answer = await client.ask('GET', `/payments/deposit-address?${query}`)
    const properties = Object(Object(answer?.body['address'])['properties'])
    const { address, destinationTag: tag = null } = properties
    if (typeof address !== 'string') throw new Error(`no address: ${JSON.stringify(answer)}`)
    this.done.addresses.push({ chainId: chain.id, userId, address, tag })
  }
}
