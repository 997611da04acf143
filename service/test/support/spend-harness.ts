import type { TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { readChainState, setCondition, startChain } from '../../src/catalogue/chain-state.ts'
import { type Catalogue, openCatalogue } from '../../src/catalogue/find.ts'
import { operatorToken } from '../../src/catalogue/operator-token.ts'
import type { Address, Block, Intent } from '../../src/chains/port.ts'
import { listAlerts } from '../../src/alerts/list-alerts.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { Seed } from '../../src/keys/seed.ts'
import { openServiceKey } from '../../src/keys/service-key.ts'
import { CLAIM, type LedgerAccount } from '../../src/ledger/account.ts'
import { readBalances, sumClaims, sumPlaces } from '../../src/ledger/balance.ts'
import { post } from '../../src/ledger/post.ts'
import { findDrift } from '../../src/ledger/recompute.ts'
import { withdrawalHeld } from '../../src/ledger/spend-postings.ts'
import { fundingConfirmed, fundingDetected } from './funding-postings.ts'
import type { SpendPoint } from '../../src/transactions/core/crash-points.ts'
import type { HooksByPurpose } from '../../src/transactions/core/hooks.ts'
import type {
  PaymentRequest,
  Sent,
  SpendDeps,
} from '../../src/transactions/core/payment-request.ts'
import { type SpendRecord, readSpendsOf } from '../../src/transactions/core/read.ts'
import { resendSpends } from '../../src/transactions/resend.ts'
import { sendSpend } from '../../src/transactions/send.ts'
import { settleSpends } from '../../src/transactions/settle.ts'
import { trackSpends } from '../../src/transactions/track.ts'
import { untrackSpends } from '../../src/transactions/untrack.ts'
import { withSession } from '../../src/store/connection.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { type Lease, takeLease } from '../../src/store/lease.ts'
import { parseChain, parseHolder, parseToken } from '../adapters/brands.ts'
import { SeededRandom, silentLog } from './clock.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { ModelChain, signerOfModel } from './model-chain.ts'
import { askFor, askersHooks } from './spend-asker.ts'

export const CHAIN = parseChain('eip155:11155111')
export const NATIVE = parseToken(`${CHAIN}/slip44:60`)
export const TOKEN = parseToken(`${CHAIN}/erc20:0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238`)
/** Blocks on top after which a spend is settled. */
export const DEEP = 3
const LEASE_MS = 3_600_000

/** The process ended here. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** An organization, and its two addresses on the chain. */
interface Own {
  orgId: string
  settlement: Address
  gas: Address
}

/** An address outside the service. */
export function stranger(number: number): Address {
  return parseHolder(CHAIN, `0x${number.toString(16).padStart(40, '0')}`)
}

/**
 * The module `transactions` with a new database, keys, one organization with money, a model chain,
 * and an asker whose subjects are paid out of the settlement account.
 */
export class SpendHarness {
  readonly harness: TestDatabase
  readonly chain = new ModelChain(CHAIN, NATIVE)
  readonly catalogue: Catalogue
  readonly deps: SpendDeps
  readonly orgId: string
  readonly settlement: Address
  readonly gas: Address
  /** Opens one more organization, with its two addresses. */
  readonly foundAnother: () => Promise<Own>
  /** Calls of the asker's hooks, in order. */
  readonly told: string[] = []
  /** Ends the process at a point, once. */
  killAt: SpendPoint | null = null
  /** The model's blocks that were connected here. */
  readonly connected: Block[] = []

  constructor(
    harness: TestDatabase,
    given: Own & { deps: SpendDeps; foundAnother: () => Promise<Own> },
  ) {
    this.harness = harness
    this.catalogue = given.deps.catalogue
    this.orgId = given.orgId
    this.settlement = given.settlement
    this.gas = given.gas
    this.foundAnother = given.foundAnother
    this.deps = {
      ...given.deps,
      adapter: this.chain.adapter(),
      hooks: this.hooks(),
      crash: (point) => this.#pass(point),
    }
    this.connected.push(this.chain.tip)
  }

  get database(): Database {
    return this.deps.database
  }

  /** Confirmed money from outside, on the chain and in the ledger. */
  async fund(to: 'settlement' | 'gas', tokenId: TokenId, amount: bigint): Promise<void> {
    const address = to === 'gas' ? this.gas : this.settlement
    this.chain.give(address, tokenId, amount)
    const claim = to === 'gas' ? CLAIM.gas : CLAIM.available
    await this.#book({ kind: to, address }, claim, { tokenId, amount })
  }

  /** Native currency of the gas wallet on the settlement account, to pay fees there. */
  async float(amount: bigint): Promise<void> {
    this.chain.give(this.settlement, NATIVE, amount)
    const at = { kind: 'settlement', address: this.settlement } as const
    await this.#book(at, CLAIM.gas, { tokenId: NATIVE, amount })
  }

  /** Confirmed money at a deposit address, in the ledger alone; native currency pays fees there. */
  async put(address: Address, tokenId: TokenId, amount: bigint): Promise<void> {
    const claim = tokenId === NATIVE ? CLAIM.gas : CLAIM.available
    await this.#book({ kind: 'deposits', address }, claim, { tokenId, amount })
  }

  /** Reserves an amount for a new subject, as a withdrawal does, and gives its id. */
  async reserve(tokenId: TokenId, amount: bigint): Promise<string> {
    const referenceId = this.harness.ids.next()
    const moved = { ...this.#moved(tokenId, amount), referenceId }
    await this.database.transaction((tx) => post(tx, [withdrawalHeld(moved)]))
    return referenceId
  }

  /** The request of a subject; it claims unless it has an active spend. */
  mandate(subjectId: string, more: Partial<Intent> = {}): PaymentRequest {
    const intent: Intent = {
      chainId: CHAIN,
      tokenId: NATIVE,
      from: this.settlement,
      to: stranger(7),
      amount: 100n,
      memo: null,
      ...more,
    }
    const { orgId } = this
    return askFor(this.told, { orgId, subjectId, intent, terms: this.chain.terms() })
  }

  /** Reserves and sends in one go. */
  async pay(more: Partial<Intent> = {}): Promise<{ subjectId: string; sent: Sent }> {
    const { tokenId = NATIVE, amount = 100n } = more
    const subjectId = await this.reserve(tokenId, amount)
    return { subjectId, sent: await this.send(this.mandate(subjectId, more)) }
  }

  send(mandate: PaymentRequest, deps: SpendDeps = this.deps): Promise<Sent> {
    return sendSpend(deps, mandate)
  }

  /** A tick of the loop that looks after what is not mined. */
  async tend(bumpAfterBlocks = 5): ReturnType<typeof resendSpends> {
    return resendSpends(this.deps, { bumpAfterBlocks, height: this.tipHeight(), final: null })
  }

  /** Brings the database to the model's chain, block by block, and settles what is deep. */
  async follow(deep = DEEP): Promise<void> {
    while (this.#isGone(this.connected.at(-1))) await this.#disconnect()
    for (const block of this.chain.blocks.slice(this.connected.length)) await this.#connect(block)
    await this.settle(this.tipHeight() - deep)
  }

  async settle(upTo: number): Promise<void> {
    const { entry } = this.deps
    const hooks = this.hooks()
    await this.database.transaction(async (tx) => {
      const state = await readChainState(tx, CHAIN)
      if (state?.condition === 'running')
        await settleSpends(tx, { entry, upTo, hooks, limit: 100, crash: this.deps.crash })
    })
  }

  tipHeight(): number {
    return this.connected.at(-1)?.height ?? 0
  }

  spends(subjectId: string): Promise<SpendRecord[]> {
    return this.database.transaction((tx) => readSpendsOf(tx, { orgId: this.orgId, subjectId }))
  }

  /** The only spend of a subject. */
  async spend(subjectId: string): Promise<SpendRecord> {
    const [spend, ...others] = await this.spends(subjectId)
    if (spend === undefined || others.length > 0) throw new Error('not exactly one spend')
    return spend
  }

  async balance(tokenId: TokenId, account: LedgerAccount): Promise<bigint> {
    const filter = { orgId: this.orgId, chainId: CHAIN, tokenId, account }
    const [row] = await this.database.transaction((tx) => readBalances(tx, filter))
    return row?.amount ?? 0n
  }

  async alerts(): Promise<string[]> {
    const open = await this.database.transaction((tx) => listAlerts(tx, { open: true }))
    return open.map(({ code }) => code).sort()
  }

  async freeze(): Promise<void> {
    const given = { chainId: CHAIN, condition: 'frozen', cause: 'a test' } as const
    await this.database.transaction((tx) => setCondition(tx, given))
  }

  async thaw(): Promise<void> {
    const given = { chainId: CHAIN, condition: 'running', cause: '' } as const
    await this.database.transaction((tx) => setCondition(tx, given))
  }

  /** Faults of the ledger, internal and compared with the chain; empty if it is correct. */
  async wrongs(): Promise<string[]> {
    const wrongs: string[] = []
    await this.database.transaction(async (tx) => {
      if ((await findDrift(tx)).length > 0) wrongs.push('balances differ from postings')
      for (const tokenId of [NATIVE, TOKEN]) {
        const rows = await readBalances(tx, { orgId: this.orgId, chainId: CHAIN, tokenId })
        if (sumPlaces(rows) !== sumClaims(rows)) wrongs.push(`${tokenId}: places are not claims`)
        const held = [this.settlement, this.gas].map((at) => this.chain.balance(at, tokenId))
        const onChain = held.reduce((sum, one) => sum + one, 0n)
        if (sumPlaces(rows) !== onChain)
          wrongs.push(`${tokenId}: ${sumPlaces(rows)} in the ledger, ${onChain} on the chain`)
      }
    })
    return wrongs
  }

  hooks(): HooksByPurpose {
    return askersHooks(this.told)
  }

  /** Writes to the database as an intruder. */
  tamper(statement: string): Promise<void> {
    return withSession(this.harness.adminUrl, async (session) => {
      await session.script(statement)
    })
  }

  close(): Promise<void> {
    return this.harness.close()
  }

  #moved(tokenId: TokenId, amount: bigint) {
    return { orgId: this.orgId, chainId: CHAIN, tokenId, amount, blockHeight: null }
  }

  async #book(
    at: Parameters<typeof fundingDetected>[1],
    claim: Parameters<typeof fundingConfirmed>[1],
    { tokenId, amount }: { tokenId: TokenId; amount: bigint },
  ): Promise<void> {
    const moved = { ...this.#moved(tokenId, amount), referenceId: this.harness.ids.next() }
    await this.database.transaction((tx) =>
      post(tx, [fundingDetected(moved, at), fundingConfirmed(moved, claim)]),
    )
  }

  #isGone(block: Block | undefined): boolean {
    return block !== undefined && this.chain.blocks[block.height]?.hash !== block.hash
  }

  async #connect(block: Block): Promise<void> {
    const { entry } = this.deps
    const hooks = this.hooks()
    await this.database.transaction(async (tx) => {
      await trackSpends(tx, { entry, blocks: [block], hooks, crash: this.deps.crash })
      await setTip(tx, block)
    })
    this.connected.push(block)
  }

  async #disconnect(): Promise<void> {
    const { entry } = this.deps
    const hooks = this.hooks()
    const block = this.connected.at(-1)
    const below = this.connected.at(-2)
    if (block === undefined || below === undefined) throw new Error('nothing to disconnect')
    await this.database.transaction(async (tx) => {
      const { settled } = await untrackSpends(tx, {
        entry,
        block,
        hooks,
        crash: this.deps.crash,
      })
      if (settled.length > 0)
        await setCondition(tx, { chainId: CHAIN, condition: 'frozen', cause: 'a reorg' })
      await setTip(tx, below)
    })
    this.connected.pop()
  }

  #pass(point: SpendPoint): void {
    if (this.killAt !== point) return
    this.killAt = null
    throw new Killed(point)
  }
}

/** Opens one with nothing but its addresses. */
export async function openSpendHarness(seed: string): Promise<SpendHarness> {
  const harness = await openTestDatabase({ seed, poolMax: 6 })
  const { database, clock } = harness
  const random = new SeededRandom(seed)
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const keyring = openKeyring(new Seed(random.bytes(32)))
  const keys = { signer: signerOfModel(keyring), serviceKey }
  const catalogue = catalogueWithToken()
  const entry = catalogue.chain(CHAIN)
  if (entry === null) throw new Error('no such chain')
  const found = async (name: string): Promise<Own> => {
    const given = { name, actor: 'test', random }
    const { id: orgId } = (await foundOrganization(database, serviceKey, given)).organization
    return database.transaction(async (tx) => {
      const settlement = await openOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' })
      const gas = await openOwnAddress(tx, { keys, entry, orgId, purpose: 'gas' })
      return { orgId, settlement: settlement.address, gas: gas.address }
    })
  }
  await database.transaction(async (tx) => {
    const tip = { height: 0, hash: 'genesis' }
    const state = { chainId: CHAIN, genesis: '0x', tip, tipTime: 0, headHeight: 0, final: null }
    await startChain(tx, state)
  })
  const own = await found('First')
  const lease = await mustTake(database, 'first')
  const caps = { absolute: 10n ** 15n, gasLimit: 100_000n, tokenGasLimit: 300_000n }
  const log = silentLog()
  const adapter = new ModelChain(CHAIN, NATIVE).adapter()
  const base = { database, adapter, catalogue, entry, keys, lease, clock, log }
  const hooks = askersHooks([])
  const deps: SpendDeps = { ...base, hooks, caps: { ...caps, relativePercent: null } }
  return new SpendHarness(harness, { deps, ...own, foundAnother: () => found('Second') })
}

/** Takes the spender's lease from any holder, as after a crash. */
export async function mustTake(database: Database, holder: string): Promise<Lease> {
  const name = `spender:${CHAIN}`
  await database.transaction((tx) =>
    tx.run(sql`
      update leases
         set expires_at = '-infinity'
       where name = ${name}`),
  )
  const lease = await takeLease(database, { name, holder, ttlMs: LEASE_MS })
  if (lease === null) throw new Error('the lease is held')
  return lease
}

function catalogueWithToken(): Catalogue {
  const token = operatorToken({ id: TOKEN, name: 'Test', symbol: 'TST', decimals: 6 })
  if ('problem' in token) throw new Error(token.problem)
  return openCatalogue({ chains: [{ id: CHAIN, confirmations: DEEP }], tokens: [token] })
}

async function setTip(tx: Tx, { height, hash }: Block): Promise<void> {
  await tx.run(sql`
    update chain_states
       set tip_height = ${height},
           tip_hash = ${hash}
     where chain_id = ${CHAIN}`)
}
