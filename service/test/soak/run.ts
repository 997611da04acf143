import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { seeded, type Seeded } from '@sluice/simulator'
import type { OwnAddresses, SoakChain } from './chains/chain.ts'
import { startChain } from './chains/start.ts'
import { Client } from './client.ts'
import { SoakDatabase, startKilled } from './database.ts'
import { startReplicated } from './standby.ts'
import { conclude } from './conclude.ts'
import { readAddresses, readAlerts, readTips, readWaiting } from './ledger.ts'
import { Load } from './load.ts'
import { FaultyNode } from './nodes.ts'
import { Operator } from './operator.ts'
import type { SoakOptions } from './options.ts'
import { DATABASE, found, makeFolder, makeServices, reached, writeConfig } from './place.ts'
import { Receivers } from './receivers.ts'
import type { Report } from './report.ts'
import type { ServiceProcess } from './service.ts'
import { pause, Trouble } from './trouble.ts'

const LOOK_MS = 500
const READY_MS = 120_000
const TREASURY = 200
const WITHDRAWALS_SHARE = 0.2
/** Blocks that may come between the query of a chain and that of the database. */
const BEHIND_MAX = 3

/** The service under load, and its surroundings. */
export interface Soak {
  options: SoakOptions
  folder: string
  random: Seeded
  chains: readonly SoakChain[]
  nodes: ReadonlyMap<string, FaultyNode>
  database: SoakDatabase
  receivers: Receivers
  config: string
  services: readonly ServiceProcess[]
  client: Client
  loads: readonly Load[]
  trouble: Trouble
  operator: Operator
  tell: (line: string) => void
}

/**
 * Runs the soak and reports; throws if the signal comes before the end. Always stops what it
 * started.
 */
export async function soak(
  options: SoakOptions,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<Report> {
  const closers: Closers = []
  try {
    const stopped = once(signal, 'abort').then(() => {
      throw new Error('stopped before its end')
    })
    return await Promise.race([play(options, tell, closers), stopped])
  } finally {
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => tell(String(error)))
    }
  }
}

async function play(
  options: SoakOptions,
  tell: (line: string) => void,
  closers: Closers,
): Promise<Report> {
  const harness = await open(options, tell, closers)
  await prepare(harness)
  tell(`the load begins, seed ${options.seed}`)
  await suffer(harness)
  tell('faults ended')
  const settledSeconds = await settle(harness)
  return conclude(harness, settledSeconds)
}

type World = Pick<Soak, 'folder' | 'chains' | 'nodes' | 'database' | 'receivers'>
type Closers = (() => Promise<void>)[]

async function open(
  options: SoakOptions,
  tell: (line: string) => void,
  closers: Closers,
): Promise<Soak> {
  const random = seeded(options.seed)
  const world = await openWorld(options, random, closers)
  if (options.keep) tell(`the folder is left: ${world.folder}`)
  const { folder, chains, nodes, database, receivers } = world
  const reachable = reached(chains, nodes)
  const placed = { folder, database, name: DATABASE, nodes: reachable, receivers }
  const config = await writeConfig(placed)
  const { apiKey } = await found(config)
  const services = await makeServices({ folder, config, count: options.processes })
  closers.push(async () => void (await Promise.all(services.map((one) => one.stop()))))
  const client = new Client(services, apiKey)
  const loads = chains.map((chain) => {
    const share = options.depositsOnly.includes(chain.family) ? 0 : WITHDRAWALS_SHARE
    const rates = { deposits: options.rate, withdrawals: options.rate * share }
    return new Load({ chain, client, random: random.fork(`load ${chain.id}`), ...rates })
  })
  const around = { chains, nodes, services, database, random: random.fork('trouble') }
  const half = options.failover ? (options.minutes * 60_000) / 2 : null
  const trouble = new Trouble(around, half)
  const operator = new Operator(database, config)
  const parts = { config, services, client, loads, trouble, operator }
  return { options, random, tell, ...world, ...parts }
}

/** All but the service. */
async function openWorld(options: SoakOptions, random: Seeded, closers: Closers): Promise<World> {
  const folder = await makeFolder()
  if (!options.keep) closers.push(() => rm(folder, { recursive: true, force: true }))
  const chains: SoakChain[] = []
  const nodes = new Map<string, FaultyNode>()
  for (const family of options.families) {
    const chain = await startChain(family, options)
    closers.push(() => chain.stop())
    chains.push(chain)
    const node = await FaultyNode.open(chain, random.fork(`node ${family}`))
    closers.push(() => node.kill())
    nodes.set(chain.id, node)
  }
  const receivers = await Receivers.open(random.fork('receivers'))
  closers.push(() => receivers.stop())
  const startServer = options.failover ? startReplicated : startKilled
  const database = new SoakDatabase(await startServer(folder))
  closers.push(() => database.stop())
  return { folder, chains, nodes, database, receivers }
}

/** Starts and funds everything, with the first users, before the faults begin. */
async function prepare(harness: Soak): Promise<void> {
  const { chains, services, client, receivers, loads, database, tell } = harness
  for (const chain of chains) chain.run()
  await Promise.all(services.map((one) => one.start()))
  const [url = ''] = receivers.urls
  await client.ask('PATCH', '/organisation/webhook', { body: { webhookUrl: url } })
  const organisation = await client.ask('GET', '/organisation')
  receivers.secret = String(organisation?.body['webhookSigningSecret'])
  for (const [at, chain] of chains.entries()) {
    const own = await ownAddresses(harness, chain)
    await chain.fund(own)
    await loads[at]?.begin()
    tell(`${chain.id} is ready: ${JSON.stringify(own)}`)
  }
  // Withdrawals of the start are paid from these deposits.
  for (const [at, chain] of chains.entries()) {
    const [first] = loads[at]?.done.addresses ?? []
    if (first === undefined) continue
    const tag = first.tag === null ? null : Number(first.tag)
    for (const tokenId of chain.tokens) {
      const amount = chain.depositOf(harness.random, tokenId) * BigInt(TREASURY)
      await chain.pay([{ to: first.address, tag, tokenId, amount }])
    }
  }
  // Requests before the base accounts were ready were refused with 503.
  client.broken.length = 0
  await until(harness, READY_MS, async () => {
    const waiting = await readWaiting(database, DATABASE)
    return (waiting['deposits'] ?? 0) + (waiting['fundings'] ?? 0) === 0 && isAtHead(harness)
  })
}

/** Wallets open by themselves, soon after a chain was reached. */
async function ownAddresses({ database, options }: Soak, chain: SoakChain): Promise<OwnAddresses> {
  if (chain.family === 'bitcoin' && options.depositsOnly.includes(chain.family))
    return { settlement: '', gas: '' }
  for (const end = Date.now() + READY_MS; ; ) {
    const all = await readAddresses(database, DATABASE)
    const of = (purpose: string) =>
      all.find((one) => one.chainId === chain.id && one.purpose === purpose)?.address ?? ''
    const own = { settlement: of('settlement'), gas: of('gas') }
    const hasGas = chain.family === 'evm' || chain.family === 'tron'
    if (own.settlement !== '' && (own.gas !== '' || !hasGas)) return own
    if (Date.now() > end) throw new Error(`${chain.id} has no platform addresses`)
    await pause(LOOK_MS, new AbortController().signal)
  }
}

async function suffer({ options, loads, trouble, operator, nodes }: Soak): Promise<void> {
  const signal = AbortSignal.timeout(options.minutes * 60_000)
  for (const node of nodes.values()) node.setFaulty(true)
  const working = loads.map((load) => load.run(signal))
  await Promise.all([...working, trouble.run(signal), operator.run(signal)])
}

/** The faults stop; returns the seconds until all work and all deliveries are done. */
async function settle(harness: Soak): Promise<number> {
  const { nodes, receivers, operator, database, options, chains, tell } = harness
  const tokens = chains.flatMap((chain) => chain.tokens)
  for (const node of nodes.values()) {
    await node.start()
    node.setFaulty(false)
  }
  receivers.isFaulty = false
  const began = performance.now()
  const isSettled = await until(harness, options.settle * 1_000, async () => {
    await operator.look()
    const waiting = Object.values(await readWaiting(database, DATABASE))
    if (waiting.some((count) => count > 0) || !(await isAtHead(harness))) return false
    return (await readAlerts(database, DATABASE, tokens)).length === 0
  })
  if (!isSettled) tell(`not settled: ${JSON.stringify(await readWaiting(database, DATABASE))}`)
  return (performance.now() - began) / 1_000
}

/** Whether every chain is running and processed to its head. */
async function isAtHead({ chains, database }: Soak): Promise<boolean> {
  const tips = new Map((await readTips(database, DATABASE)).map((one) => [one.chainId, one]))
  for (const chain of chains) {
    const tip = tips.get(chain.id)
    const { height } = await chain.head()
    if (tip?.condition !== 'running' || Number(tip.height) < height - BEHIND_MAX) return false
  }
  return true
}

async function until(
  { services }: Soak,
  limit: number,
  holds: () => Promise<boolean>,
): Promise<boolean> {
  const end = Date.now() + limit
  while (Date.now() < end) {
    for (const service of services) await service.start()
    if (await holds()) return true
    await pause(LOOK_MS, new AbortController().signal)
  }
  return false
}
