import type { EventType } from '@sluice/wire'
import { signerWith } from './signer.ts'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import type { ChainEntry } from '../../src/catalogue/chains.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Address, Quote } from '../../src/chains/port.ts'
import type { FeeCaps } from '../../src/chains/spending.ts'
import { openChains } from '../../src/chains/registry.ts'
import { CLAIM, type Claim, place } from '../../src/ledger/account.ts'
import { readBalances } from '../../src/ledger/balance.ts'
import { post } from '../../src/ledger/post.ts'
import type { Posting } from '../../src/ledger/posting.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { Seed } from '../../src/keys/seed.ts'
import type { ServiceKey } from '../../src/keys/service-key.ts'
import { changeThresholds } from '../../src/orgs/thresholds.ts'
import type { Role } from '../../src/orgs/user.ts'
import { selectApiUserId } from '../../src/orgs/user-rows.ts'
import type { Sent } from '../../src/transactions/core/payment-request.ts'
import { readSpendsOf } from '../../src/transactions/core/read.ts'
import type { Database } from '../../src/store/database.ts'
import { withSession } from '../../src/store/connection.ts'
import { type Lease, takeLease } from '../../src/store/lease.ts'
import type { WithdrawalDeps } from '../../src/withdrawals/pay/inspect.ts'
import { processWithdrawals } from '../../src/withdrawals/pay/process.ts'
import { readWithdrawal } from '../../src/withdrawals/list.ts'
import { withdrawalHooks } from '../../src/withdrawals/settle/settle.ts'
import type { Withdrawal } from '../../src/withdrawals/withdrawal.ts'
import { SeededRandom, silentLog } from './clock.ts'
import { countWaiting } from './database.ts'
import {
  type Answered,
  type Asking,
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  toChainId,
  toTokenId,
} from './door.ts'
import { addPerson, officeOf, type Person, signIn } from './sign-in.ts'

export const CHAIN = toChainId(ETHEREUM)
export const TOKEN = toTokenId(ETHER)
/** An address outside the service. */
export const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
export const CAPS: FeeCaps = {
  absolute: 10n ** 18n,
  gasLimit: 100_000n,
  tokenGasLimit: 300_000n,
  relativePercent: null,
}
/** The maximum fee of a plain transfer under the quoted terms. */
export const FEE = 21_000n * 100n
const REQUEST = { chainId: ETHEREUM, tokenId: ETHER, amount: '60', recipient: RECIPIENT }
/** Of the door's own seed: the door is only lent what needs no signature. */
const KEYRING = openKeyring(new Seed(new Uint8Array(32).fill(7)))
const QUOTED: Quote = {
  ok: true,
  terms: {
    family: 'eip155',
    gasLimit: 21_000n,
    maxFeePerGas: 100n,
    maxPriorityFeePerGas: 1n,
  },
}

/** Someone with a session, who can send requests. */
export interface Signer extends Person {
  authorization: string
  ask(path: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', body?: unknown): Promise<Answered>
  /** Approves, with a fresh code. */
  approve(id: string): Promise<Answered>
}

type Booking = Pick<Posting, 'debit' | 'credit' | 'amount'> & Partial<Posting>

/** An event of the outbox. */
export interface ToldOnce {
  type: EventType
  payload: Record<string, unknown>
}

/** An organization with money on a chain whose nodes answer what a test says, and its door. */
export class Desk {
  readonly door: Door
  readonly apiUserId: string
  readonly settlement: Address
  /** The chain's fee quote; a test may set it. */
  readonly chain: { quote: () => Promise<Quote> } = { quote: async () => QUOTED }
  /** Organizations that were reported as short of gas. */
  readonly gasShort: { orgId: string }[] = []
  readonly #lease: Lease
  readonly #adapter: ChainAdapter
  readonly #signer = signerWith(KEYRING)

  constructor(
    door: Door,
    { apiUserId, settlement, lease }: { apiUserId: string; settlement: Address; lease: Lease },
  ) {
    this.door = door
    this.apiUserId = apiUserId
    this.settlement = settlement
    this.#lease = lease
    this.#adapter = standIn(door.harness.clock, this.chain)
  }

  get orgId(): string {
    return this.door.a.orgId
  }

  get serviceKey(): ServiceKey {
    return this.door.deps.serviceKey
  }

  get database(): Database {
    return this.door.harness.database
  }

  /** Available money on the settlement account. */
  fund(amount: bigint, token: string = TOKEN): Promise<void> {
    const debit = place('settlement', this.settlement)
    return this.book({ debit, credit: CLAIM.available, amount, tokenId: toTokenId(token) })
  }

  addGas(amount: bigint): Promise<void> {
    return this.book({ debit: place('settlement', this.settlement), credit: CLAIM.gas, amount })
  }

  /** A posting; of the first token by default. */
  book(booking: Booking): Promise<void> {
    const posting = {
      orgId: this.orgId,
      chainId: CHAIN,
      tokenId: TOKEN,
      reason: 'test',
      reversal: false,
      referenceId: this.door.harness.ids.next(),
      blockHeight: null,
      ...booking,
    }
    return this.database.transaction((tx) => post(tx, [posting]))
  }

  /** Sets `minWithdrawalSigners`, and how many must be people. */
  threshold(signers: number, humans = 0): Promise<void> {
    const thresholds = { minWithdrawalSigners: signers, minHumanApprovals: humans }
    return this.database.transaction((tx) =>
      changeThresholds(tx, this.serviceKey, { id: this.orgId, ...thresholds }),
    )
  }

  async signer(role: Exclude<Role, 'api'> = 'approver'): Promise<Signer> {
    return this.signedIn(await addPerson(officeOf(this.door), { orgId: this.orgId, role }))
  }

  /** Signs a person in, for the first time or again. */
  signedIn(person: Person): Promise<Signer> {
    return signInAt(this.door, person)
  }

  /** Sends a request, with a new reference by default. */
  create(body: Record<string, unknown> = {}, asking: Asking = {}): Promise<Answered> {
    return this.door.ask('/withdrawals', {
      method: 'POST',
      ...asking,
      headers: { 'content-type': 'application/json', ...asking.headers },
      body: JSON.stringify({ ...REQUEST, reference: newReference(), ...body }),
    })
  }

  /** The id of a withdrawal that was created with 201. */
  async created(body: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.create(body)
    expect(answer).toMatchObject({ status: 201 })
    return idIn(answer.json['withdrawal'])
  }

  read(id: string): Promise<Withdrawal> {
    return this.database.transaction((tx) => readWithdrawal(tx, { orgId: this.orgId, id }))
  }

  deps(): WithdrawalDeps {
    const { catalogue, serviceKey, clock, settings } = this.door.deps
    return {
      database: this.database,
      adapter: this.#adapter,
      catalogue,
      entry: entryOf(this.door),
      keys: { signer: this.#signer, serviceKey },
      hooks: openSpendHooks({ catalogue }),
      lease: this.#lease,
      caps: CAPS,
      clock,
      log: silentLog(),
      serviceKey,
      approvalMaxAgeMs: settings.approvalMaxAgeMs,
      gasWaitMs: 3_600_000,
      gasShort: async (_tx, short) => void this.gasShort.push(short),
    }
  }

  /** One round of the loop; `send` replaces the module `transactions` if given. */
  tick(send?: () => Promise<Sent>): Promise<number> {
    return processWithdrawals(this.deps(), send)
  }

  async told(...types: EventType[]): Promise<ToldOnce[]> {
    const rows = await this.rows(`
      select body from events where org_id = '${this.orgId}' order by sequence`)
    const events = rows.map((row): ToldOnce => JSON.parse(String(row['body'])))
    return types.length === 0 ? events : events.filter(({ type }) => types.includes(type))
  }

  available(token: string = TOKEN): Promise<bigint> {
    return this.#standing(token, CLAIM.available)
  }

  reserved(token: string = TOKEN): Promise<bigint> {
    return this.#standing(token, CLAIM.reserved)
  }

  /** Subjects of the open alerts of a code. */
  async alerts(code: string): Promise<string[]> {
    const rows = await this.rows(`
      select subject from alerts where code = '${code}' and resolved_at is null`)
    return rows.map((row) => String(row['subject']))
  }

  /** A block has the transaction of one, and then so many more that no fork replaces it. */
  async settle(id: string, succeeded: boolean): Promise<void> {
    const fate = withdrawalHooks({ catalogue: this.door.deps.catalogue })
    await this.database.transaction(async (tx) => {
      const [spend] = await readSpendsOf(tx, { orgId: this.orgId, subjectId: id })
      if (spend === undefined) throw new Error('no spend was signed')
      const included = { ...spend, succeeded, fee: 21n, block: { height: 1_001, hash: '0xb1' } }
      await fate.onIncluded(tx, {
        ...included,
        transfers: [],
        block: { ...included.block, time: 0 },
      })
      await fate.onSettled(tx, included)
    })
  }

  /** Writes to the database as an intruder. */
  tamper(statement: string): Promise<void> {
    return withSession(this.door.harness.adminUrl, async (session) => {
      await session.script(statement)
    })
  }

  rows(statement: string): Promise<Record<string, unknown>[]> {
    const query = sql<Record<string, unknown>>`${sql.raw(statement)}`
    return this.database.transaction((tx) => tx.many(query))
  }

  /** How many wait for another transaction. */
  waiting(): Promise<number> {
    return countWaiting(this.door.harness)
  }

  close(): Promise<void> {
    return this.door.close()
  }

  async #standing(token: string, account: Claim): Promise<bigint> {
    const key = { orgId: this.orgId, chainId: CHAIN, tokenId: toTokenId(token), account }
    const [row] = await this.database.transaction((tx) => readBalances(tx, key))
    return row?.amount ?? 0n
  }
}

let references = 0

export async function openDesk(): Promise<Desk> {
  const door = await openDoor()
  const { harness, a } = door
  const keys = door.deps.accountKeys
  const { orgId } = a
  const entry = entryOf(door)
  const open = (purpose: 'settlement' | 'gas') =>
    harness.database.transaction((tx) => openOwnAddress(tx, { keys, entry, orgId, purpose }))
  const { address: settlement } = await open('settlement')
  await open('gas')
  const apiUserId = await harness.database.transaction((tx) => selectApiUserId(tx, orgId))
  const wanted = { name: 'spender', holder: 'desk', ttlMs: 3_600_000 }
  const lease = await takeLease(harness.database, wanted)
  if (lease === null) throw new Error('the lease is taken')
  return new Desk(door, { apiUserId, settlement, lease })
}

function entryOf({ deps }: Door): ChainEntry {
  const entry = deps.catalogue.chain(ETHEREUM)
  if (entry === null) throw new Error('no such chain')
  return entry
}

/** An id in an answer. */
export function idIn(withdrawal: unknown): string {
  const { id } = Object(withdrawal) as { id?: unknown }
  if (typeof id !== 'string') throw new Error(`no withdrawal: ${JSON.stringify(withdrawal)}`)
  return id
}

export function newReference(): string {
  references += 1
  return `ref-${references}`
}

async function signInAt(door: Door, person: Person): Promise<Signer> {
  const as = await signIn(door, person)
  const ask: Signer['ask'] = async (path, method, body) =>
    door.ask(path, {
      ...as,
      method,
      headers: {
        ...as.headers,
        // Settings are changed with a code.
        ...(method === 'PATCH' && { 'x-totp-code': await person.code() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    ...person,
    authorization: as.headers.authorization,
    ask,
    approve: async (id) => {
      // No two approvals are given in the same millisecond.
      await door.harness.clock.advance(1)
      return ask(`/withdrawals/${id}/approve`, 'POST', { totpCode: await person.code() })
    },
  }
}

/** The real adapter, which signs and decodes, over nodes that say what the test lets them say. */
function standIn(clock: WithdrawalDeps['clock'], chain: Desk['chain']): ChainAdapter {
  const chains = openChains({
    chains: [
      {
        chainId: CHAIN,
        nodes: [{ url: 'http://127.0.0.1:1' }],
        traces: 'off',
        completeness: 'logs',
        timeoutMs: 1_000,
        finalityTag: true,
      },
    ],
    clock,
    random: new SeededRandom('desk'),
    log: silentLog(),
  })
  const real = chains.get(CHAIN)
  if (real === null) throw new Error('no adapter')
  const said: Partial<ChainAdapter> = {
    quote: () => chain.quote(),
    nonces: async () => ({ latest: 0, pending: 0 }),
    broadcast: async () => ({ answer: 'taken', isUnheard: false }),
  }
  return new Proxy(real, {
    get: (target, name): unknown => {
      const found: unknown = Reflect.get(name in said ? said : target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}
