import { feeCapsOf } from './fee-caps.ts'
import type { FastifyInstance } from 'fastify'
import { assert } from '../base/assert.ts'
import { openServer } from '../api/http/server.ts'
import type { Chains } from '../chains/registry.ts'
import { openAlertWatch } from '../alerts/watch-alerts.ts'
import { type KeyUses, openKeyUses } from '../orgs/key-use.ts'
import { passkeySiteOf } from '../orgs/passkey.ts'
import { readMigrations } from '../store/migration-files.ts'
import { openResolve } from '../webhooks/resolve.ts'
import { openTester } from '../webhooks/test-endpoint.ts'
import { type FeeBook, openFeeBook } from '../gas/fee-book.ts'
import { auditLoop } from './audit-loop.ts'
import { nodeLoops, scannerLoops } from './chain-loops.ts'
import { type Bell, openBell } from './bell.ts'
import { ClockWatch } from './clock-watch.ts'
import type { ChainWorld } from './chain-world.ts'
import { type LoopRole, SETTINGS } from './config-settings.ts'
import { targetRules } from './config.ts'
import { deliveryLoop, purgeLoop } from './delivery-loop.ts'
import { type Ground, MIGRATIONS } from './ground.ts'
import { type ProcessKeys, openServiceKeyOf, requireServiceKey } from './keys.ts'
import { listen, portTaken } from './listen.ts'
import { type Loop, Unfinished, every, runLoops } from './loops.ts'
import { type Metrics, openMetrics, serveMetrics } from './metrics.ts'
import { openChainsOf } from './open-chains.ts'
import { type Readiness, readReadiness } from './readiness.ts'
import { sealLoop } from './seal-loop.ts'
import { type SignIn, openSignIn, signInLoops } from './sign-in.ts'
import type { OpenSigner } from './open-signer.ts'
import { signerLoop } from './signer-loop.ts'
import { spenderLoops } from './spender-loops.ts'

const ALERT_WATCH_MS = 2_000
const KEY_USES_MS = 10_000
/** How long requests and calls to nodes may take to end by themselves. */
const STOP_GRACE_MS = 5_000
const HOUR_MS = 3_600_000
/** Of the answers to GET, this one alone comes with an event. */
const CREATED = 201

/** A running service. */
export interface App {
  /** The URL of the API; null if this process does not have the role `api`. */
  url: string | null
  /** Names of the loops and requests that still run. */
  unfinished: Unfinished
  /**
   * Resolves when everything has ended. Requests and calls to nodes that take longer than five
   * seconds are cut off, as by a crash.
   */
  stop(): Promise<void>
}

/**
 * Starts the loops of these roles on a ground. Throws a plain sentence where keys are missing, the
 * service key is not the database's own, or a port is taken.
 */
export async function startApp(
  ground: Ground,
  options: AppOptions & {
    /** Opens the signer, if a role needs it. */
    openSigner: () => Promise<OpenSigner>
  },
): Promise<App> {
  const { keys, closeSigner } = await openOwnKeys(ground, options)
  try {
    return await startWith(ground, options, { keys, closeSigner })
  } catch (error) {
    await closeSigner()
    throw error
  }
}

interface AppOptions {
  roles: readonly LoopRole[]
  version: string
  holder: string
}

async function startWith(
  ground: Ground,
  options: AppOptions,
  { keys, closeSigner }: { keys: ProcessKeys; closeSigner: () => Promise<void> },
): Promise<App> {
  const { clock, log, database, catalogue } = ground
  const metrics = openMetrics({ database, clock, catalogue, version: options.version })
  const keyUses = openKeyUses(clock)
  const signIn = openSignIn(ground, keys.serviceKey)
  const chains = openChainsOf(ground, metrics)
  const bell = openBell()
  const world: ChainWorld = { ...ground, chains, metrics, bell, holder: options.holder }
  const fees = openFeeBook(chains, clock)
  const clockWatch = new ClockWatch(ground, options.roles)
  await clockWatch.compare()
  const inside = { ...options, keys, metrics, bell, keyUses, signIn, chains, fees, clockWatch }
  const doors = await openDoors(ground, inside)
  const stopping = new AbortController()
  const unfinished = new Unfinished()
  const running = runLoops(
    { clock, log, unfinished },
    loopsOf(world, { ...options, keys, keyUses, signIn, fees, clockWatch }),
    stopping.signal,
  )
  const stop = async () => {
    stopping.abort()
    const ended = new AbortController()
    const cut = async () => {
      await clock.sleep(STOP_GRACE_MS, ended.signal)
      if (ended.signal.aborted) return
      doors.cut()
      await chains.close()
    }
    void cut()
    await unfinished.track('requests', doors.close())
    await running
    ended.abort()
    const flushing = keyUses.flush(database).catch((error: unknown) => {
      log.warn({ err: error }, 'last uses of API keys were not stored')
    })
    await unfinished.track('last uses of API keys', flushing)
    await unfinished.track('connections to nodes', chains.close())
    await unfinished.track('password checks', signIn.passwords.close())
    await closeSigner()
  }
  return { url: doors.url, unfinished, stop }
}

/** Opens the keys of a process: the signer only for the role `spender`. */
async function openOwnKeys(
  ground: Ground,
  { roles, openSigner }: { roles: readonly LoopRole[]; openSigner: () => Promise<OpenSigner> },
): Promise<{ keys: ProcessKeys; closeSigner: () => Promise<void> }> {
  const serviceKey = openServiceKeyOf(ground.config, ground.random)
  await requireServiceKey(ground, serviceKey)
  if (!roles.includes('spender'))
    return { keys: { serviceKey, signer: null }, closeSigner: async () => undefined }
  const { signer, where, close } = await openSigner()
  ground.log.info({ signer: where }, 'transactions are signed by the signer')
  return { keys: { serviceKey, signer }, closeSigner: close }
}

interface Doors {
  url: string | null
  /** Ends connections whose requests are not answered yet. */
  cut(): void
  close(): Promise<void>
}

interface Inside {
  roles: readonly LoopRole[]
  keys: ProcessKeys
  metrics: Metrics
  bell: Bell
  keyUses: KeyUses
  signIn: SignIn
  chains: Chains
  fees: FeeBook
  clockWatch: ClockWatch
}

/** Opens the interface, if this process has the role `api`, and the port of the metrics. */
async function openDoors(ground: Ground, inside: Inside): Promise<Doors> {
  const { host, metricsPort: port } = ground.config
  const readiness = await readinessOf(ground, inside)
  const server = inside.roles.includes('api') ? openApi(ground, inside, readiness) : null
  const url = server === null ? null : await listen(server, ground.config)
  try {
    const observed = { expose: inside.metrics.expose, readiness, roles: inside.roles }
    const exposed = port === 0 ? null : await serveMetrics(observed, { host, port })
    const close = async () => {
      exposed?.close()
      await server?.close()
    }
    return { url, cut: () => server?.server.closeAllConnections(), close }
  } catch (error) {
    await server?.close()
    throw portTaken(error, { host, port, variable: SETTINGS.metricsPort.env })
  }
}

/** The answer of `/readyz`, on the API and on the port of the metrics. */
async function readinessOf(
  { database, catalogue, clock }: Ground,
  { keys: { serviceKey }, clockWatch }: Inside,
): Promise<() => Promise<Readiness>> {
  const migrations = await readMigrations(MIGRATIONS)
  return () => readReadiness({ database, catalogue, clock, clockWatch, migrations, serviceKey })
}

function openApi(
  ground: Ground,
  { keys, metrics, bell, keyUses, signIn, chains, fees, clockWatch }: Inside,
  readiness: () => Promise<Readiness>,
): FastifyInstance {
  const { config, database, catalogue, clock, ids, random, log } = ground
  const { logInRates, ...guard } = signIn
  const { serviceKey } = keys
  const resolve = openResolve(clock, { servers: config.webhookNameServers })
  const rules = targetRules(config)
  const tester = openTester({ database, serviceKey, clock, ids, log, rules, resolve })
  const server = openServer({
    ...guard,
    database,
    catalogue,
    clock,
    ids,
    random,
    log,
    serviceKey,
    accountKeys: keys,
    chains,
    feeBook: fees,
    capsOf: (entry) =>
      feeCapsOf(
        entry,
        config.chains.find(({ id }) => id === entry.id),
      ),
    resolve,
    tester,
    settings: {
      apiKeyMayConfigure: config.apiKeyMayConfigure ?? true,
      webhookTargets: rules,
      approvalMaxAgeMs: config.approvalMaxAgeHours * HOUR_MS,
      logInRates,
      passkeySite: passkeySiteOf(config.publicUrl),
      testCodesUrl: config.testCodesUrl,
    },
    readiness,
    isClockSkewed: () => clockWatch.isSkewed,
    onRequest: (seen) => {
      metrics.onHttpRequest(seen)
      if (mayHaveTold(seen)) bell.ring()
    },
    keyUses,
  })
  server.addHook('onClose', () => tester.close())
  return server
}

/** Whether an answer may have come with an event. */
function mayHaveTold({ method, status }: { method: string; status: number }): boolean {
  return method === 'GET' ? status === CREATED : status <= CREATED
}

/** The loops of a process with these roles; all but two pause while its clock is skewed. */
export function loopsOf(
  world: ChainWorld,
  inside: Omit<Inside, 'metrics' | 'bell' | 'chains'>,
): Loop[] {
  const { roles, keys, keyUses, signIn, fees, clockWatch } = inside
  const loops = nodeLoops(world, roles)
  if (roles.includes('api'))
    loops.push(keyUseLoop(world, keyUses), ...signInLoops(world, signIn.limits))
  const { serviceKey, signer } = keys
  if (roles.includes('scanner')) loops.push(...scannerLoops(world, serviceKey))
  if (roles.includes('spender')) {
    assert(signer !== null, 'a spender without the signer')
    loops.push(...spenderLoops(world, { serviceKey, signer }, fees), signerLoop(world, signer))
  }
  if (roles.includes('webhooks')) {
    const rules = targetRules(world.config)
    loops.push(deliveryLoop(world, { serviceKey, rules }), purgeLoop(world))
  }
  if (roles.includes('audit')) loops.push(auditLoop(world, serviceKey), sealLoop(world, serviceKey))
  return [alertLoop(world), clockWatch.loop(), ...loops.map((loop) => clockWatch.pausing(loop))]
}

function keyUseLoop(world: ChainWorld, keyUses: KeyUses): Loop {
  const tick = () => keyUses.flush(world.database)
  return every(world, { name: 'key uses', everyMs: KEY_USES_MS, tick })
}

function alertLoop(world: ChainWorld): Loop {
  const { database, log, clock, metrics } = world
  const watch = openAlertWatch({
    database,
    log,
    since: clock.now(),
    onAlert: ({ code }, times) => metrics.onAlert(code, times),
  })
  return every(world, { name: 'alerts', everyMs: ALERT_WATCH_MS, tick: () => watch.tick() })
}
