import { existsSync } from 'node:fs'
import type { ChainId } from '@sluice/wire'
import { Command } from 'commander'
import type { Config } from '../app/config.ts'
import { type Ground, MIGRATIONS, catalogueOf, openGround } from '../app/ground.ts'
import { OTHER_SERVICE_KEY, openSeed, openServiceKeyOf } from '../app/keys.ts'
import { openCommandSigner } from '../app/open-signer.ts'
import { readWantedTokens } from '../app/token-watch.ts'
import { openHolders } from '../app/watch-duplicates.ts'
import { systemClock } from '../base/clock.ts'
import { systemRandom } from '../base/random.ts'
import type { Log } from '../base/log.ts'
import { type ChainState, readChainState } from '../catalogue/chain-state.ts'
import { describeDuplicate, findDuplicates } from '../catalogue/find-duplicates.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readChecksInForce } from '../catalogue/token-check.ts'
import { judgeChain } from '../catalogue/verify-chains.ts'
import { type TokenFinding, inspectTokens } from '../catalogue/verify-tokens.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { ChainPin } from '../chains/options.ts'
import type { Chains } from '../chains/registry.ts'
import { countAlerts } from '../alerts/count-alerts.ts'
import { type KeyProof, proveServiceKey } from '../orgs/prove-service-key.ts'
import { readPin } from '../scanner/look.ts'
import { readMigrations } from '../store/migration-files.ts'
import { migrationsOf } from '../store/migrate.ts'
import { commandLog, print, readConfig } from './context.ts'
import { checkLogins } from './doctor-logins.ts'
import { EXIT } from './exit.ts'

/** One line of the report. */
interface Check {
  name: string
  ok: boolean
  says: string
}

/** Input of the sections. `ground` is null if the database cannot be opened. */
interface World {
  config: Config
  log: Log
  catalogue: Catalogue
  chains: Chains
  ground: Ground | null
  /** Why the database cannot be opened; '' if it is open. */
  closedBecause: string
}

/** Checks one part of the installation; an error becomes a bad line with the section's name. */
type Section = [name: string, check: (world: World) => Promise<readonly Check[]>]

const SECTIONS: readonly Section[] = [
  ['database', checkDatabase],
  ['database logins', checkDatabaseLogins],
  ['keys', checkSeed],
  ['service key', checkServiceKey],
  ['chains', checkChains],
  ['tokens', checkTokens],
  ['alerts', checkAlerts],
]

/** `sluice doctor`: checks every part of the installation, even if one of them fails. */
export function doctorCommand(): Command {
  return new Command('doctor').action(async (_options, command: Command) => {
    const checks = await examine(readConfig())
    print(command, checks, () =>
      checks.map(({ name, ok, says }) => `${ok ? 'ok  ' : 'BAD '} ${name}: ${says}`),
    )
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.unhealthy
  })
}

async function examine(config: Config): Promise<Check[]> {
  const world = await openWorld(config)
  const checks: Check[] = []
  try {
    for (const [name, check] of SECTIONS) {
      const found = await check(world).catch((error: unknown) => [bad(name, textOf(error))])
      checks.push(...found)
    }
  } finally {
    await world.chains.close()
    await world.ground?.close()
  }
  return checks
}

async function openWorld(config: Config): Promise<World> {
  const { openChainsOf } = await import('../app/open-chains.ts')
  const log = commandLog(config)
  const catalogue = catalogueOf(config)
  const deps = { config, log, catalogue, clock: systemClock, random: systemRandom }
  const world = { config, log, catalogue, chains: openChainsOf(deps, null) }
  try {
    return { ...world, ground: await openGround(config, log, 'command'), closedBecause: '' }
  } catch (error) {
    return { ...world, ground: null, closedBecause: textOf(error) }
  }
}

function bad(name: string, says: string): Check {
  return { name, ok: false, says }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function checkDatabase({ config, ground, closedBecause }: World): Promise<readonly Check[]> {
  const name = 'database'
  if (ground === null) return [bad(name, closedBecause)]
  const { database } = ground
  const files = await readMigrations(MIGRATIONS)
  const status = await database.transaction((tx) => migrationsOf(tx, files))
  const ok = status.pending.length === 0 && status.unknown.length === 0
  // Checks that each login can assume its role.
  await database.transaction(async () => undefined)
  await database.asApi(async () => undefined)
  const kind = config.databaseUrl + config.databaseEngineUrl === '' ? 'embedded' : 'external'
  return [{ name, ok, says: `${kind}, schema ${status.applied.at(-1) ?? 'empty'}` }]
}

async function checkDatabaseLogins({ config, ground }: World): Promise<readonly Check[]> {
  const name = 'database logins'
  if (ground === null) return [bad(name, 'not checked, because the database is not open')]
  return [await checkLogins({ urls: ground.urls, config })]
}

async function checkSeed({ config }: World): Promise<readonly Check[]> {
  const name = 'keys'
  if (!config.roles.includes('spender')) {
    return [
      { name, ok: true, says: 'the seed is not needed: no role `spender` is configured here' },
    ]
  }
  if (config.signerSocket !== '') {
    const catalogue = catalogueOf(config)
    const opening = { config, catalogue, random: systemRandom, clock: systemClock }
    const { signer, close } = await openCommandSigner(opening)
    try {
      const fingerprint = await signer.fingerprint()
      return [{ name, ok: true, says: `the signer answers, with the seed ${fingerprint}` }]
    } finally {
      await close()
    }
  }
  if (!existsSync(config.seedFile)) {
    return [bad(name, `no seed at ${config.seedFile}: run sluice keys init`)]
  }
  const keyring = await openSeed(config, systemRandom)
  const { fingerprint } = keyring
  keyring.destroy()
  return [{ name, ok: true, says: `the seed ${fingerprint} opens` }]
}

const KEY_SAYS: Record<KeyProof, string> = {
  proved: 'matches this database',
  other: OTHER_SERVICE_KEY,
  nothing: 'not used by this database yet',
}

async function checkServiceKey({ config, ground }: World): Promise<readonly Check[]> {
  const name = 'service key'
  const serviceKey = openServiceKeyOf(config, systemRandom)
  if (ground === null) {
    return [bad(name, 'the file is readable; not compared, because the database is not open')]
  }
  const proof = await ground.database.transaction((tx) => proveServiceKey(tx, serviceKey))
  return [{ name, ok: proof !== 'other', says: KEY_SAYS[proof] }]
}

async function checkChains({ chains, ground, catalogue }: World): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const adapter of chains.all()) {
    checks.push(
      await checkChain(adapter, { ground, catalogue }).catch((error: unknown) =>
        bad(adapter.chainId, textOf(error)),
      ),
    )
  }
  if (checks.length > 0) return checks
  return [bad('chains', 'no chain has nodes in the configuration: add chains.<id>.nodes')]
}

async function checkChain(
  adapter: ChainAdapter,
  { ground, catalogue }: Pick<World, 'ground' | 'catalogue'>,
): Promise<Check> {
  const { chainId } = adapter
  const entry = catalogue.chain(chainId)
  if (entry === null) return bad(chainId, 'not a chain of the catalogue')
  const pin = ground === null ? undefined : await readPinOf(ground, chainId)
  const reports = await adapter.identify(pin)
  const state = ground === null ? null : await readState(ground, chainId)
  const verdict = judgeChain(entry, state, reports)
  const isRunning = state === null || state.condition === 'running'
  const ok = verdict.verdict === 'fine' && verdict.strangers.length === 0 && isRunning
  const cause = verdict.verdict === 'fine' ? verdict.strangers.join('; ') : verdict.cause
  const says = [describeState(state), cause].filter(Boolean).join('; ')
  return { name: chainId, ok, says }
}

function readState({ database }: Ground, chainId: string): Promise<ChainState | null> {
  return database.transaction((tx) => readChainState(tx, chainId))
}

function readPinOf({ database }: Ground, chainId: ChainId): Promise<ChainPin | undefined> {
  return database.transaction((tx) => readPin(tx, chainId))
}

function describeState(state: ChainState | null): string {
  if (state === null) return 'not contacted by the service yet'
  return `${state.condition}, block ${state.tip.height} of ${state.headHeight}`
}

/** Queries the contracts now, because the service may not have run yet. */
async function checkTokens({ ground, catalogue, chains }: World): Promise<readonly Check[]> {
  const found = await inspectTokens({ chains }, catalogue)
  const { wanted, suspended } = await readWanted(ground, catalogue)
  const due = found.filter(({ tokenId }) => wanted.has(tokenId) || suspended.has(tokenId))
  const isBad = ({ tokenId, state }: TokenFinding) => state === 'mismatch' || suspended.has(tokenId)
  const wrong = due.filter(isBad)
  const silent = due.filter((one) => one.state === 'unreachable' && !isBad(one))
  const others = found.filter((one) => one.state === 'mismatch' && !due.includes(one))
  const holdersOf = ground === null ? async () => [] : openHolders(ground.database)
  const { found: duplicates } = await findDuplicates({ chains, holdersOf }, catalogue)
  const says = [
    `${due.length - wrong.length - silent.length} of ${due.length} verified on their chains`,
    listed('different from the catalogue, or suspended', wrong),
    listed('no node answers for', silent),
    listed('in the catalogue but not on their chains, therefore disabled', others),
    ...duplicates.map(describeDuplicate),
  ]
  const ok = wrong.length + silent.length + duplicates.length === 0
  return [{ name: 'tokens', ok, says: says.filter(Boolean).join('; ') }]
}

function listed(what: string, tokens: readonly TokenFinding[]): string {
  if (tokens.length === 0) return ''
  return `${what}: ${tokens.map(({ tokenId }) => tokenId).join(', ')}`
}

/** Without the database, the tokens of the configuration are the ones in use. */
async function readWanted(
  ground: Ground | null,
  catalogue: Catalogue,
): Promise<{ wanted: ReadonlySet<string>; suspended: ReadonlySet<string> }> {
  if (ground === null) {
    const configured = catalogue.tokens.filter(({ source }) => source === 'operator')
    return { wanted: new Set(configured.map(({ id }) => id)), suspended: new Set() }
  }
  return ground.database.transaction(async (tx) => {
    const checks = await readChecksInForce(tx, catalogue)
    const suspended = checks.filter(({ suspendedAt }) => suspendedAt !== null)
    return {
      wanted: await readWantedTokens(tx, catalogue),
      suspended: new Set(suspended.map(({ tokenId }) => tokenId)),
    }
  })
}

async function checkAlerts({ ground }: World): Promise<readonly Check[]> {
  const name = 'alerts'
  if (ground === null) return [bad(name, 'not read, because the database is not open')]
  const alerts = await ground.database.transaction(countAlerts)
  const open = alerts.reduce((sum, { count }) => sum + count, 0)
  const says = open === 0 ? 'none open' : `${open} open: run sluice alert list`
  return [{ name, ok: open === 0, says }]
}
