import type { ChainId } from '@sluice/wire'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import { type Spender, attempt, spendRound } from '../../src/app/spend-round.ts'
import { bumpAfterBlocks, feeCapsOf } from '../../src/app/fee-caps.ts'
import { auditCycle, BEGINNING, type Place } from '../../src/audit/cycle.ts'
import { type ChainReport, auditChain } from '../../src/audit/run.ts'
import { nullIfAway, Outage } from '../../src/base/fault.ts'
import { type Log, openLog } from '../../src/base/log.ts'
import type { ChainEntry } from '../../src/catalogue/chains.ts'
import { type Chains, openChains } from '../../src/chains/registry.ts'
import { type FeeBook, openFeeBook } from '../../src/gas/fee-book.ts'
import { noteShortage } from '../../src/gas/level.ts'
import type { AuditHead } from '../../src/audit-log/audit-head.ts'
import { sealAudit } from '../../src/audit-log/seal-audit.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { Rest } from '../../src/scanner/rest.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { continueRescan } from '../../src/scanner/rescan.ts'
import { scannerLease } from '../../src/scanner/run.ts'
import type { Holder } from '../../src/scanner/watcher.ts'
import { compareSenders } from '../../src/transactions/prepare.ts'
import type { Database } from '../../src/store/database.ts'
import { assertLease, type Lease, LeaseLost, renewLease, takeLease } from '../../src/store/lease.ts'
import { newRound } from '../../src/sweeps/gather.ts'
import { type Deliverer, openDeliverer } from '../../src/webhooks/deliver.ts'
import { SeededRandom } from '../support/clock.ts'
import { openDoors } from './doors.ts'
import { Gate, gatedDatabase } from './gate.ts'
import type { SimWorld } from './world.ts'

const HOUR_MS = 3_600_000
const FETCH_MAX = 4
const RUN_MAX = 8

/** A term as lease holder of a chain's scanner, with its cached state. */
interface Scanning {
  lease: Lease
  ahead: BlocksAhead
  rest: Rest
}

/** One process of the service, from start to death, with all of its memory. */
export class Instance {
  readonly name: string
  readonly gate = new Gate()
  readonly database: Database
  readonly chains: Chains
  readonly fees: FeeBook
  /** Errors that it logged while it was alive. */
  readonly failures: string[] = []
  readonly #world: SimWorld
  readonly #log: Log
  readonly #scanning = new Map<ChainId, Scanning>()
  readonly #spending = new Map<ChainId, Spender>()
  readonly #compared = new Set<ChainId>()
  readonly #audited = new Map<ChainId, Place>()
  readonly #deliverer: Deliverer

  constructor(world: SimWorld, name: string) {
    const { clock } = world
    this.name = name
    this.#world = world
    const write = (line: string) => {
      world.logged(name, line)
      if (!this.gate.isDead && /"level":"(error|fatal)"/.test(line)) this.failures.push(line)
    }
    this.#log = openLog({
      level: world.isTraced ? 'info' : 'warn',
      pretty: false,
      destination: { write },
    })
    this.database = gatedDatabase(world.database, this.gate, world.hearing)
    this.chains = openChains({
      chains: world.chains.map(({ id, urls }) => ({
        chainId: id,
        nodes: urls.map((url) => ({ url })),
        traces: 'auto',
        completeness: id.startsWith('eip155:') ? world.completeness : 'receipts',
        timeoutMs: 10_000,
        finalityTag: true,
      })),
      clock,
      random: new SeededRandom(name),
      log: this.#log,
      openHttp: openDoors(world, this.gate),
    })
    this.fees = openFeeBook(this.chains, clock)
    this.#deliverer = openDeliverer({
      database: this.database,
      serviceKey: world.stage.keys.serviceKey,
      clock,
      log: this.#log,
      rules: { allowHttp: false, allowPrivate: false, devOrigins: [] },
      resolve: async () => ['93.184.215.14'],
      openPoster: () => world.poster(this.gate),
      crash: (point) => this.gate.pass(point),
    })
  }

  /** Some steps of the scanner of a chain; returns the result of the last. */
  async scan(chainId: ChainId, stepsMax: number): Promise<string> {
    for (let steps = 0; steps < stepsMax; steps += 1) {
      const holder = await this.#holder(chainId)
      const scanning = this.#scanning.get(chainId)
      if (scanning === undefined) return 'no lease'
      const done = await this.#orOutage(() => followChain(holder, scanning.ahead))
      if (done === 'moved') continue
      if (done === 'resting') return `resting after ${steps}`
      if (done !== 'idle') return this.#lost(chainId, done)
      const reread = await this.#orOutage(() => continueRescan(holder))
      if (reread === true) continue
      return typeof reread === 'string' ? this.#lost(chainId, reread) : `idle after ${steps}`
    }
    return 'more'
  }

  /** One round of the spender of a chain. */
  async spend(chainId: ChainId): Promise<string> {
    const before = this.#spending.get(chainId)
    // As the loop with the lease does: after a lost lease it begins a new term.
    const isKept = before === undefined || (await renewLease(this.database, before.lease, HOUR_MS))
    if (!isKept) this.#endTerm(chainId, 'lease lost')
    const spender = await this.#spender(chainId)
    if (!this.#compared.has(chainId)) {
      const isCompared = await attempt(spender, 'the comparison of nonces', () =>
        compareSenders(spender),
      )
      if (!isCompared) return this.#endTerm(chainId, 'not compared')
      this.#compared.add(chainId)
    }
    return `sent ${await spendRound(spender)}`
  }

  /** Checks the identity of the nodes, as the program does each minute. */
  async watch(chainId: ChainId): Promise<string> {
    const reports = await this.#adapter(chainId).identify()
    return reports.map(({ outcome }) => outcome.state).join(' ')
  }

  /** Seals new entries of the audit log, as the loop of the role `audit` does. */
  async seal(): Promise<{ sealed: number; head: AuditHead }> {
    const lease = await this.#take('audit-log')
    return this.database.transaction(async (tx) => {
      await assertLease(tx, lease)
      return sealAudit(tx)
    })
  }

  /** As `sluice audit` does: the ledger against the chain, address by address. */
  audit(chainId: ChainId): Promise<ChainReport> {
    const { database } = this
    const { catalogue } = this.#world
    const [adapter, entry] = [this.#adapter(chainId), this.#entry(chainId)]
    const once = { triesMax: 0, pause: async () => undefined }
    return auditChain({ database, adapter, catalogue, entry }, once)
  }

  /**
   * One cycle of the loop of the role `audit`, which waits for the next cycle during an outage of
   * nodes.
   */
  async auditCycle(chainId: ChainId): Promise<string> {
    const { database } = this
    const { catalogue, clock } = this.#world
    const [adapter, entry] = [this.#adapter(chainId), this.#entry(chainId)]
    const place = this.#audited.get(chainId) ?? BEGINNING
    const auditor = { database, adapter, catalogue, entry }
    const found = await auditCycle(auditor, { now: clock.now(), ...place }).catch(nullIfAway)
    if (found === null) return 'nodes away'
    const { compared, ...next } = found
    this.#audited.set(chainId, next)
    return `compared ${compared.length}`
  }

  async deliver(): Promise<string> {
    return `attempts ${await this.#deliverer.tick()}`
  }

  /** The current holder of the scanner's lease. */
  async holder(chainId: ChainId): Promise<Holder> {
    return this.#holder(chainId)
  }

  /** Takes both leases of a chain, as a process does after their holder died. */
  async takeOffices(chainId: ChainId): Promise<string> {
    await this.#holder(chainId)
    await this.#spender(chainId)
    return `taken by ${this.name}`
  }

  /** Another process took its lease: its cached state is no longer valid. */
  endTerms(chainId: ChainId): void {
    this.#scanning.delete(chainId)
    this.#endTerm(chainId, '')
  }

  #endTerm(chainId: ChainId, why: string): string {
    this.#spending.delete(chainId)
    this.#compared.delete(chainId)
    return why
  }

  #lost(chainId: ChainId, why: string): string {
    if (why === 'lease lost') this.#scanning.delete(chainId)
    return why
  }

  async #orOutage<T>(work: () => Promise<T>): Promise<T | 'outage' | 'lease lost'> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LeaseLost) return 'lease lost'
      if (error instanceof Outage) return 'outage'
      throw error
    }
  }

  async #holder(chainId: ChainId): Promise<Holder> {
    const { catalogue, clock, stage } = this.#world
    const adapter = this.#adapter(chainId)
    const scanning = this.#scanning.get(chainId) ?? {
      lease: await this.#take(scannerLease(chainId)),
      ahead: new BlocksAhead(adapter, FETCH_MAX, 2 * RUN_MAX),
      rest: new Rest(),
    }
    this.#scanning.set(chainId, scanning)
    return {
      database: this.database,
      serviceKey: stage.keys.serviceKey,
      adapter,
      catalogue,
      entry: this.#entry(chainId),
      clock,
      log: this.#log,
      required: catalogue.required(chainId),
      startHeight: null,
      runMax: RUN_MAX,
      fetchMax: FETCH_MAX,
      hooks: openSpendHooks({ catalogue }),
      notice: (told) => {
        if (told.type === 'disconnected') this.#world.books.undo(told)
      },
      crash: (point) => this.gate.pass(point),
      lease: scanning.lease,
      rest: scanning.rest,
    }
  }

  async #spender(chainId: ChainId): Promise<Spender> {
    const standing = this.#spending.get(chainId)
    if (standing !== undefined) return standing
    const { catalogue, clock, stage } = this.#world
    const entry = this.#entry(chainId)
    const spender: Spender = {
      database: this.database,
      adapter: this.#adapter(chainId),
      catalogue,
      entry,
      keys: { serviceKey: stage.keys.serviceKey, signer: this.#world.signer },
      serviceKey: stage.keys.serviceKey,
      lease: await this.#take(`spender:${chainId}`),
      term: new AbortController().signal,
      caps: feeCapsOf(entry, undefined),
      clock,
      log: this.#log,
      compared: new Set(),
      readied: new Set(),
      told: new Set(),
      hooks: openSpendHooks({ catalogue }),
      bumpAfterBlocks: Math.min(6, bumpAfterBlocks(entry, undefined)),
      approvalMaxAgeMs: 24 * HOUR_MS,
      gasWaitMs: HOUR_MS,
      gasShort: (tx, { orgId, chainId: id }) =>
        noteShortage(tx, { serviceKey: stage.keys.serviceKey, catalogue, orgId, chainId: id }),
      gasLowSweeps: 20,
      feeMultiple: 5n,
      maxAgeMs: 168 * HOUR_MS,
      fees: this.fees,
      round: newRound(),
      crash: (point) => this.gate.pass(point),
    }
    this.#spending.set(chainId, spender)
    return spender
  }

  /** The lease of another process expires at once: its holder is presumed dead. */
  async #take(name: string): Promise<Lease> {
    await this.#world.endLease(name)
    const lease = await takeLease(this.database, { name, holder: this.name, ttlMs: HOUR_MS })
    if (lease === null) throw new Error(`${name} is held`)
    return lease
  }

  #adapter(chainId: ChainId) {
    const adapter = this.chains.get(chainId)
    if (adapter === null) throw new Error(`${chainId} has no nodes`)
    return adapter
  }

  #entry(chainId: ChainId): ChainEntry {
    const entry = this.#world.catalogue.chain(chainId)
    if (entry === null) throw new Error(`${chainId} is no chain of the catalogue`)
    return entry
  }
}
