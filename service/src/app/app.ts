import type { FastifyInstance } from 'fastify'
import { openServer } from '../api/server.ts'
import { openAlertWatch } from '../journal/watch-alerts.ts'
import { type KeyUses, openKeyUses } from '../orgs/key-use.ts'
import { readMigrations } from '../store/migration-files.ts'
import { openResolve } from '../webhooks/resolve.ts'
import { auditLoop } from './audit-loop.ts'
import { scannerLoops } from './chain-loops.ts'
import { type Bell, openBell } from './bell.ts'
import type { ChainWorld } from './chain-world.ts'
import { type LoopRole, SETTINGS } from './config-settings.ts'
import type { Config } from './config.ts'
import { deliveryLoop } from './delivery-loop.ts'
import { type Ground, MIGRATIONS } from './ground.ts'
import { type Keys, openKeys } from './keys.ts'
import { listen, portTaken } from './listen.ts'
import { type Loop, every, runLoops } from './loops.ts'
import { type Metrics, openMetrics, serveMetrics } from './metrics.ts'
import { openChainsOf } from './open-chains.ts'
import { readReadiness } from './readiness.ts'

const ALERT_WATCH_MS = 2_000
const KEY_USES_MS = 10_000
/** Of the answers of today's operations, this one alone comes with an event. */
const CREATED = 201

/** A running service. */
export interface App {
  /** Where requests are answered; null where this process does not run the role `api`. */
  url: string | null
  /** Resolves when everything has ended. */
  stop(): Promise<void>
}

/**
 * Starts the loops of these roles on a ground. Throws a plain sentence where keys are missing or a
 * port is taken.
 */
export async function startApp(
  ground: Ground,
  given: { roles: readonly LoopRole[]; version: string; holder: string },
): Promise<App> {
  const { clock, log, config, database } = ground
  const keys = await openKeys(config, ground.dice)
  const metrics = openMetrics({ database, clock, version: given.version })
  const keyUses = openKeyUses(clock)
  const chains = openChainsOf(ground, metrics)
  const bell = openBell()
  const world: ChainWorld = { ...ground, chains, metrics, bell, holder: given.holder }
  const doors = await openDoors(ground, { ...given, keys, metrics, bell, keyUses })
  const stopping = new AbortController()
  const running = runLoops(
    { clock, log },
    loopsOf(world, { ...given, keys, keyUses }),
    stopping.signal,
  )
  const stop = async () => {
    stopping.abort()
    await doors.close()
    await running
    await keyUses.flush(database).catch((error: unknown) => {
      log.warn({ err: error }, 'the last uses of API keys were not written down')
    })
    await chains.close()
    keys.keyring.destroy()
  }
  return { url: doors.url, stop }
}

interface Doors {
  url: string | null
  close(): Promise<void>
}

interface Inside {
  roles: readonly LoopRole[]
  keys: Keys
  metrics: Metrics
  bell: Bell
  keyUses: KeyUses
}

/** Opens the interface, where this process answers requests, and the metrics. */
async function openDoors(ground: Ground, inside: Inside): Promise<Doors> {
  const { host, metricsPort: port } = ground.config
  const server = inside.roles.includes('api') ? await openApi(ground, inside) : null
  const url = server === null ? null : await listen(server, ground.config)
  try {
    const exposed = port === 0 ? null : await serveMetrics(inside.metrics, { host, port })
    const close = async () => {
      exposed?.close()
      await server?.close()
    }
    return { url, close }
  } catch (error) {
    await server?.close()
    throw portTaken(error, { host, port, variable: SETTINGS.metricsPort.env })
  }
}

async function openApi(
  ground: Ground,
  { keys, metrics, bell, keyUses }: Inside,
): Promise<FastifyInstance> {
  const { config, database, catalogue, clock, ids, dice, log } = ground
  const migrations = await readMigrations(MIGRATIONS)
  return openServer({
    database,
    catalogue,
    clock,
    ids,
    dice,
    log,
    keyring: keys.keyring,
    serviceKey: keys.serviceKey,
    resolve: openResolve(clock),
    settings: {
      apiKeyMayConfigure: config.apiKeyMayConfigure ?? true,
      webhookTargets: targetRules(config),
    },
    readiness: () => readReadiness({ database, catalogue, clock, migrations }),
    onRequest: (seen) => {
      metrics.onHttpRequest(seen)
      if (seen.status === CREATED) bell.ring()
    },
    keyUses,
  })
}

function targetRules(config: Config) {
  return {
    allowHttp: config.webhookAllowHttp,
    allowPrivate: config.webhookAllowPrivate,
    devOrigins: config.webhookDevOrigins,
  }
}

function loopsOf(world: ChainWorld, inside: Omit<Inside, 'metrics' | 'bell'>): Loop[] {
  const { roles, keys, keyUses } = inside
  const loops: Loop[] = [alertLoop(world)]
  if (roles.includes('api')) loops.push(keyUseLoop(world, keyUses))
  if (roles.includes('scanner')) loops.push(...scannerLoops(world))
  if (roles.includes('webhooks')) {
    const { serviceKey } = keys
    loops.push(deliveryLoop(world, { serviceKey, rules: targetRules(world.config) }))
  }
  if (roles.includes('audit')) loops.push(auditLoop(world))
  return loops
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
