import type { ChainId, EventType } from '@sluice/wire'
import type { Signer } from '@sluice/signer'
import { sql } from 'kysely'
import type { Account } from '../../src/accounts/account.ts'
import { openAccount } from '../../src/accounts/open.ts'
import { watchedOn } from '../../src/app/chain-loops.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import type { Auditor } from '../../src/audit/auditor.ts'
import { auditCycle } from '../../src/audit/cycle.ts'
import { auditChain, type ChainReport } from '../../src/audit/run.ts'
import { Outage } from '../../src/base/fault.ts'
import { type ChainState, readChainState } from '../../src/catalogue/chain-state.ts'
import type { ChainEntry } from '../../src/catalogue/chains.ts'
import type { Catalogue } from '../../src/catalogue/find.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Address } from '../../src/chains/port.ts'
import type { Deposit } from '../../src/deposits/deposit.ts'
import { listDeposits } from '../../src/deposits/list.ts'
import type { Alert } from '../../src/alerts/alert.ts'
import { listAlerts } from '../../src/alerts/list-alerts.ts'
import { type Keyring, openKeyring } from '../../src/keys/keyring.ts'
import { Seed } from '../../src/keys/seed.ts'
import { openServiceKey, type ServiceKey } from '../../src/keys/service-key.ts'
import { readBalances } from '../../src/ledger/balance.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import { followChain, type Progress } from '../../src/scanner/follow.ts'
import { continueRescan, requestRescan } from '../../src/scanner/rescan.ts'
import { resumeChain } from '../../src/scanner/resume.ts'
import type { Holder, ScannerNotice } from '../../src/scanner/watcher.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { type ManualClock, SeededRandom, silentLog } from './clock.ts'
import { signerWith } from './signer.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { endLife, type Life, SEPOLIA, startLife, type WorldOptions } from './world-life.ts'

const OUTAGES_MAX = 40
const OUTAGE_PAUSE_MS = 1_000
const STEPS_MAX = 20_000
/** No scanner runs while a test's audit waits. */
const ONCE = { triesMax: 0, pause: async () => undefined }

/** An event of the outbox as it will be sent. */
export interface ToldEvent {
  id: string
  type: EventType
  orgId: string
  sequence: number
  payload: Record<string, unknown>
}

/** Both roots of secrecy. */
export interface WorldKeys {
  /** What only the signer has. */
  keyring: Keyring
  signer: Signer
  serviceKey: ServiceKey
}

/**
 * A whole service in this process, without its doors: what is not committed is lost when it
 * restarts.
 */
export class World {
  readonly orgId: string
  readonly clock: ManualClock
  /** Reports of the scanners to the rest of the program. */
  readonly notices: ScannerNotice[] = []
  readonly #harness: TestDatabase
  readonly #keys: WorldKeys
  #options: WorldOptions
  #life: Life

  constructor(harness: TestDatabase, options: WorldOptions, orgId: string, keys: WorldKeys) {
    this.#harness = harness
    this.#options = options
    this.#keys = keys
    this.orgId = orgId
    this.clock = harness.clock
    this.#life = startLife(harness, options)
  }

  get database(): Database {
    return this.#life.database
  }

  get catalogue(): Catalogue {
    return this.#life.catalogue
  }

  /** URLs of this world's database for each login. */
  get urls(): TestDatabase['urls'] {
    return this.#harness.urls
  }

  get keys(): WorldKeys {
    return this.#keys
  }

  /** Forgets all that is not in the database, and begins again, with other settings where given. */
  async restart(changes: Partial<WorldOptions> = {}): Promise<void> {
    await endLife(this.#life)
    this.#options = { ...this.#options, ...changes }
    this.#life = startLife(this.#harness, this.#options)
  }

  /** Another organization beside the first. */
  found(name: string): Promise<string> {
    return found(this.database, this.#keys, name)
  }

  /** The deposit account of an end user, as the door gives it out. */
  async issue(user: string, chainId = SEPOLIA, orgId = this.orgId): Promise<Account> {
    const given = { keys: this.#keys, entry: this.entry(chainId), orgId, externalUserId: user }
    const { account } = await this.database.forOrg(orgId, (tx) => openAccount(tx, given))
    return account
  }

  /** One step of a chain's scanner, and of its rescans if it is idle. */
  async step(chainId = SEPOLIA): Promise<Progress> {
    const holder = await this.holder(chainId)
    const progress = await followChain(holder, this.#life.ahead(chainId))
    if (progress === 'moved') return progress
    return (await continueRescan(holder)) ? 'moved' : 'idle'
  }

  /** Steps until the scanner is idle; waits for outages to end in the world's time. */
  async settle(...chainIds: ChainId[]): Promise<void> {
    const all = chainIds.length > 0 ? chainIds : this.#options.chains.map(({ id }) => id)
    for (const chainId of all) await this.#settleOne(chainId)
  }

  /** As long as it is asked, a chain's scanner finds nothing but outages. */
  async outage(chainId = SEPOLIA): Promise<Outage> {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      try {
        if ((await this.step(chainId)) === 'idle') throw new Error('the scanner is idle and well')
      } catch (error) {
        if (error instanceof Outage) return error
        throw error
      }
    }
    throw new Error('the scanner never met an outage')
  }

  /** Deposits of an organization, in the order of their blocks and positions. */
  async deposits(orgId = this.orgId): Promise<Deposit[]> {
    const page = { orgId, filter: {}, after: null, limit: 100_000 }
    const deposits = await this.database.forOrg(orgId, (tx) => listDeposits(tx, page))
    return deposits.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  /** Non-zero balances of the ledger: `token account` to base units. */
  async balances(orgId = this.orgId): Promise<Record<string, bigint>> {
    const rows = await this.database.forOrg(orgId, (tx) => readBalances(tx, { orgId }))
    const standing = rows.filter(({ amount }) => amount !== 0n)
    return Object.fromEntries(
      standing.map(({ tokenId, account, amount }) => [`${tokenId} ${account}`, amount]),
    )
  }

  /** One balance, in base units. */
  async balance(tokenId: string, account = 'claim:available', orgId = this.orgId): Promise<bigint> {
    return (await this.balances(orgId))[`${tokenId} ${account}`] ?? 0n
  }

  /** Events of the organization, in order; only the given types if any are given. */
  async events(...types: EventType[]): Promise<ToldEvent[]> {
    const told = await this.eventsOf(this.orgId)
    return types.length === 0 ? told : told.filter(({ type }) => types.includes(type))
  }

  async eventsOf(orgId: string): Promise<ToldEvent[]> {
    const rows = await this.database.transaction((tx) =>
      tx.many(sql<{ body: string }>`
        select body
          from events
         where org_id = ${orgId}
         order by sequence`),
    )
    return rows.map(({ body }): ToldEvent => JSON.parse(body))
  }

  alerts(): Promise<Alert[]> {
    return this.database.transaction((tx) => listAlerts(tx, { open: true }))
  }

  async state(chainId = SEPOLIA): Promise<ChainState> {
    const state = await this.database.transaction((tx) => readChainState(tx, chainId))
    if (state === null) throw new Error(`${chainId} was never reached`)
    return state
  }

  /** Runs `sluice chain resume` on a stopped chain. */
  async resume(chainId = SEPOLIA): Promise<void> {
    if ((await this.state(chainId)).condition === 'running') return
    const given = { entry: this.entry(chainId), actor: 'cli:test', reason: 'it was looked at' }
    await this.database.transaction((tx) => resumeChain(tx, given))
  }

  /** Requests a rescan, as `sluice chain rescan` does. */
  async rescan(from: number, to: number, chainId = SEPOLIA): Promise<void> {
    const given = { chainId, from, to, actor: 'test' }
    await this.database.transaction((tx) => requestRescan(tx, given))
  }

  /** Runs `sluice audit` once. */
  audit(chainId = SEPOLIA, again = ONCE): Promise<ChainReport> {
    return auditChain(this.auditor(chainId), again)
  }

  /** One cycle of the audit's loop. */
  auditCycle(chainId = SEPOLIA, after: Address | null = null): ReturnType<typeof auditCycle> {
    return auditCycle(this.auditor(chainId), { now: this.clock.now(), after, left: [] })
  }

  /** Dependencies of the audit of a chain. */
  auditor(chainId = SEPOLIA): Auditor {
    const { database, catalogue } = this
    return { database, catalogue, adapter: this.adapter(chainId), entry: this.entry(chainId) }
  }

  entry(chainId: ChainId): ChainEntry {
    const entry = this.catalogue.chain(chainId)
    if (entry === null) throw new Error(`${chainId} is no chain of the catalogue`)
    return entry
  }

  adapter(chainId = SEPOLIA): ChainAdapter {
    const adapter = this.#life.chains.get(chainId)
    if (adapter === null) throw new Error(`${chainId} has no nodes`)
    return adapter
  }

  /** A scanner in office. */
  async holder(chainId = SEPOLIA): Promise<Holder> {
    const chain = this.#options.chains.find(({ id }) => id === chainId)
    const { filter } = this.#life
    return {
      ...(filter !== null && { watched: watchedOn(filter, this.entry(chainId)) }),
      database: this.database,
      serviceKey: this.#keys.serviceKey,
      adapter: this.adapter(chainId),
      catalogue: this.catalogue,
      entry: this.entry(chainId),
      clock: this.clock,
      log: silentLog(),
      required: this.catalogue.required(chainId),
      startHeight: chain?.startHeight ?? null,
      runMax: chain?.runMax ?? 50,
      fetchMax: 8,
      hooks: this.#options.hooks ?? openSpendHooks(this),
      notice: (notice) => void this.notices.push(notice),
      lease: await this.#life.lease(chainId),
    }
  }

  async close(): Promise<void> {
    await endLife(this.#life)
    await this.#harness.close()
  }

  async #settleOne(chainId: ChainId): Promise<void> {
    let outages = 0
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      try {
        if ((await this.step(chainId)) === 'idle') return
        outages = 0
      } catch (error) {
        if (!(error instanceof Outage) || outages === OUTAGES_MAX) throw error
        outages += 1
        await this.clock.advance(Math.max(error.retryAfterMs ?? 0, OUTAGE_PAUSE_MS))
      }
    }
    throw new Error(`${chainId} is still busy after ${STEPS_MAX} steps`)
  }
}

/** Opens a world on a new database, with one organization that has a webhook URL. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const harness = await openTestDatabase({ seed: options.seed, poolMax: 5 })
  const random = new SeededRandom(`${options.seed}/keys`)
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  const keyring = openKeyring(new Seed(random.bytes(32)))
  const { blockTime } = options
  const signer = signerWith(keyring, blockTime && { blockTime })
  const keys = { keyring, signer, serviceKey }
  const orgId = await found(harness.database, keys, 'First')
  return new World(harness, options, orgId, keys)
}

async function found(database: Database, keys: WorldKeys, name: string): Promise<string> {
  const random = new SeededRandom(`${name}/${keys.keyring.fingerprint}`)
  const given = { name, actor: 'test', random }
  const { organization } = await foundOrganization(database, keys.serviceKey, given)
  const { id: orgId } = organization
  const change = { orgId, url: 'https://hooks.example.com/sluice', actor: 'test' }
  await database.transaction((tx: Tx) => setWebhookUrl(tx, keys.serviceKey, change))
  return orgId
}

function order({ chainId, block, txnHash, position }: Deposit): string {
  return `${chainId} ${String(block.height).padStart(12, '0')} ${txnHash} ${position.padStart(9)}`
}
