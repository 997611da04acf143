import { existsSync } from 'node:fs'
import type { Signer } from '@sluice/signer'
import type { Random } from '../base/random.ts'
import { Misconfigured } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import type { Keyring } from '../keys/keyring.ts'
import { type ServiceKey, loadServiceKey } from '../keys/service-key.ts'
import { type SeedWrapper, wrapByKeyFile, wrapByPassphrase } from '../keys/wrap-seed.ts'
import { proveServiceKey } from '../orgs/prove-service-key.ts'
import type { Database } from '../store/database.ts'
import { SETTINGS } from './config-settings.ts'
import { type Config, ConfigProblems } from './config.ts'

/** Both roots of secrecy, for commands that prove the seed. */
export interface Keys {
  serviceKey: ServiceKey
  keyring: Keyring
}

/** The keys of a process that spends. */
export interface SpenderKeys {
  serviceKey: ServiceKey
  signer: Signer
}

/** The keys of a process. */
export interface ProcessKeys {
  serviceKey: ServiceKey
  /** Null in a process without the role `spender`. */
  signer: Signer | null
}

/** The error for a service key that does not match the database. */
export const OTHER_SERVICE_KEY = 'this service key is not the one this database was written with'

const ADVICE = 'run `sluice keys init` first, with --import-file if you have the words of a seed'
/** If a seed exists, `sluice keys init` refuses. */
const ADVICE_BESIDE_SEED = 'put it back from its copy (docs/operations.md)'

/**
 * Opens the seed and the service key. Throws a readable error if one is missing or cannot be
 * opened.
 */
export async function openKeys(config: Config, random: Random): Promise<Keys> {
  const serviceKey = openServiceKeyOf(config, random)
  return { serviceKey, keyring: await openSeed(config, random) }
}

/**
 * Opens only the seed, for programs without a database. Throws a readable error if it is missing or
 * cannot be opened.
 */
export async function openSeed(config: Config, random: Random): Promise<Keyring> {
  requireSeed(config)
  const { unlockKeyring } = await import('../keys/keyring.ts')
  return unlockKeyring(config.seedFile, seedWrapper(config, random))
}

/** Throws a readable error if there is no seed. */
export function requireSeed({ seedFile }: Config): void {
  if (!existsSync(seedFile)) throw new Misconfigured(`There is no seed at ${seedFile}: ${ADVICE}.`)
}

/** Opens only the service key, for programs without addresses. */
export function openServiceKeyOf(config: Config, random: Random): ServiceKey {
  if (!existsSync(config.serviceKeyFile)) {
    const advice = existsSync(config.seedFile) ? ADVICE_BESIDE_SEED : ADVICE
    throw new Misconfigured(`There is no service key at ${config.serviceKeyFile}: ${advice}.`)
  }
  return loadServiceKey(config.serviceKeyFile, random)
}

/** Opens the service key for a command that writes with it, and checks it against the database. */
export async function openOwnServiceKey(ground: {
  config: Config
  random: Random
  database: Database
}): Promise<ServiceKey> {
  const serviceKey = openServiceKeyOf(ground.config, ground.random)
  await requireServiceKey(ground, serviceKey)
  return serviceKey
}

/**
 * Throws ConfigProblems if the database was written with another service key: all rows would count
 * as tampered, and secrets could not be opened.
 */
export async function requireServiceKey(
  { config, database }: { config: Config; database: Database },
  serviceKey: ServiceKey,
): Promise<void> {
  const proof = await database.transaction((tx) => proveServiceKey(tx, serviceKey))
  if (proof !== 'other') return
  const { env } = SETTINGS.serviceKeyFile
  const where = `${env}, ${config.serviceKeyFile}`
  throw new ConfigProblems([`${where}: ${OTHER_SERVICE_KEY}; ${ADVICE_BESIDE_SEED}`])
}

/** The configured protection of the seed: a key file, else a passphrase. */
export function seedWrapper(config: Config, random: Random): SeedWrapper {
  if (config.seedKeyFile !== '') return wrapByKeyFile({ path: config.seedKeyFile, random })
  if (config.seedPassphrase === '') {
    throw new Misconfigured(
      'Set SLUICE_SEED_PASSPHRASE (or its _FILE) or SLUICE_SEED_KEY_FILE to open the seed.',
    )
  }
  return wrapByPassphrase({ passphrase: new Secret(config.seedPassphrase), random })
}
