import type { Dice } from '../base/dice.ts'
import { authenticateAccounts } from '../accounts/authenticate.ts'
import { vouchForStanding } from '../orgs/vouch-standing.ts'
import type { MigrateOptions } from '../store/migrate.ts'
import type { Config } from './config.ts'
import { openKeyToVouch } from './keys.ts'

/** What migrations leave to the program, by their names: what takes the service key. */
export function completeMigration(
  config: Config,
  dice: Dice,
): NonNullable<MigrateOptions['complete']> {
  return async (session, name) => {
    const openKey = () => openKeyToVouch(session, { config, dice })
    if (name === '0018-vouched-settings') await vouchForStanding(session, openKey)
    if (name === '0029-authenticated-accounts') await authenticateAccounts(session, openKey)
  }
}
