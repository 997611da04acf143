import { existsSync } from 'node:fs'
import type { Dice } from '../base/dice.ts'
import { Secret } from '../base/secret.ts'
import { type Keyring, unlockKeyring } from '../keys/keyring.ts'
import { type ServiceKey, loadServiceKey } from '../keys/service-key.ts'
import { type SeedWrapper, wrapByKeyFile, wrapByPassphrase } from '../keys/wrap-seed.ts'
import type { Config } from './config.ts'

export interface Keys {
  serviceKey: ServiceKey
  keyring: Keyring
}

const ADVICE = 'run `sluice keys init` first'

/**
 * Opens the seed and the service key. Throws a plain sentence where one is missing or does not
 * open.
 */
export async function openKeys(config: Config, dice: Dice): Promise<Keys> {
  const serviceKey = openServiceKeyOf(config, dice)
  if (!existsSync(config.seedFile))
    throw new Error(`There is no seed at ${config.seedFile}: ${ADVICE}.`)
  return { serviceKey, keyring: await unlockKeyring(config.seedFile, seedWrapper(config, dice)) }
}

/** Opens the service key alone, for programs that touch no addresses. */
export function openServiceKeyOf(config: Config, dice: Dice): ServiceKey {
  if (!existsSync(config.serviceKeyFile)) {
    throw new Error(`There is no service key at ${config.serviceKeyFile}: ${ADVICE}.`)
  }
  return loadServiceKey(config.serviceKeyFile, dice)
}

/** How the configuration says that the seed is sealed: with a key file, else with a passphrase. */
export function seedWrapper(config: Config, dice: Dice): SeedWrapper {
  if (config.seedKeyFile !== '') return wrapByKeyFile({ path: config.seedKeyFile, dice })
  if (config.seedPassphrase === '') {
    throw new Error(
      'Set SLUICE_SEED_PASSPHRASE (or its _FILE) or SLUICE_SEED_KEY_FILE to open the seed.',
    )
  }
  return wrapByPassphrase({ passphrase: new Secret(config.seedPassphrase), dice })
}
