import { existsSync } from 'node:fs'
import type { Dice } from '../base/dice.ts'
import { Misconfigured } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { type Keyring, unlockKeyring } from '../keys/keyring.ts'
import { type ServiceKey, loadServiceKey } from '../keys/service-key.ts'
import { type SeedWrapper, wrapByKeyFile, wrapByPassphrase } from '../keys/wrap-seed.ts'
import { proveServiceKey } from '../orgs/prove-service-key.ts'
import type { Database } from '../store/database.ts'
import { type LoopRole, SETTINGS } from './config-settings.ts'
import { type Config, ConfigProblems } from './config.ts'

export interface Keys {
  serviceKey: ServiceKey
  keyring: Keyring
}

/** The keys of a process; only one that signs opens the seed. */
export interface ProcessKeys {
  serviceKey: ServiceKey
  /** Null in a process without the role `spender`. */
  keyring: Keyring | null
}

/** What is said of a service key that the database does not know. */
export const OTHER_SERVICE_KEY = 'this service key is not the one this database was written with'

const ADVICE = 'run `sluice keys init` first, with --import-file where there are words of a seed'
/** Then `sluice keys init` would only say that there is a seed. */
const ADVICE_BESIDE_SEED = 'put it back from its copy (docs/operations.md)'

/**
 * Opens the seed and the service key. Throws a plain sentence where one is missing or does not
 * open.
 */
export async function openKeys(config: Config, dice: Dice): Promise<Keys> {
  const serviceKey = openServiceKeyOf(config, dice)
  return { serviceKey, keyring: await openSeed(config, dice) }
}

/**
 * Opens the keys of a process with these roles: the seed for the role `spender` alone, which signs
 * and makes wallets. Throws as `openKeys` does.
 */
export async function openKeysFor(
  roles: readonly LoopRole[],
  { config, dice }: { config: Config; dice: Dice },
): Promise<ProcessKeys> {
  if (roles.includes('spender')) return openKeys(config, dice)
  return { serviceKey: openServiceKeyOf(config, dice), keyring: null }
}

/**
 * Opens the seed alone, for programs that read no database. Throws a plain sentence where it is
 * missing or does not open.
 */
export async function openSeed(config: Config, dice: Dice): Promise<Keyring> {
  if (!existsSync(config.seedFile))
    throw new Misconfigured(`There is no seed at ${config.seedFile}: ${ADVICE}.`)
  return unlockKeyring(config.seedFile, seedWrapper(config, dice))
}

/** Opens the service key alone, for programs that touch no addresses. */
export function openServiceKeyOf(config: Config, dice: Dice): ServiceKey {
  if (!existsSync(config.serviceKeyFile)) {
    const advice = existsSync(config.seedFile) ? ADVICE_BESIDE_SEED : ADVICE
    throw new Misconfigured(`There is no service key at ${config.serviceKeyFile}: ${advice}.`)
  }
  return loadServiceKey(config.serviceKeyFile, dice)
}

/** Opens the service key for a command that writes with it, and proves it first. */
export async function openOwnServiceKey(ground: {
  config: Config
  dice: Dice
  database: Database
}): Promise<ServiceKey> {
  const serviceKey = openServiceKeyOf(ground.config, ground.dice)
  await requireServiceKey(ground, serviceKey)
  return serviceKey
}

/**
 * Throws ConfigProblems where the database was written with another service key: everything in it
 * would count as forged, and its secrets would not open.
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

/** How the configuration says that the seed is sealed: with a key file, else with a passphrase. */
export function seedWrapper(config: Config, dice: Dice): SeedWrapper {
  if (config.seedKeyFile !== '') return wrapByKeyFile({ path: config.seedKeyFile, dice })
  if (config.seedPassphrase === '') {
    throw new Misconfigured(
      'Set SLUICE_SEED_PASSPHRASE (or its _FILE) or SLUICE_SEED_KEY_FILE to open the seed.',
    )
  }
  return wrapByPassphrase({ passphrase: new Secret(config.seedPassphrase), dice })
}
