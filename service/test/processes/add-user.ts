import { loadConfig } from '../../src/app/config.ts'
import { openGround } from '../../src/app/ground.ts'
import { openServiceKeyOf } from '../../src/app/keys.ts'
import type { HumanRole } from '../../src/orgs/user.ts'
import { silentLog } from '../support/clock.ts'
import { createUser } from '../support/create-user.ts'
import type { Installation } from './installation.ts'

/** A user who accepted an invitation. */
export interface AddedUser {
  id: string
  username: string
  password: string
  totpSecret: string
}

/** Adds a user with credentials to an installation, as an accepted invitation does. */
export async function addUser(
  { config: file, orgId }: Pick<Installation, 'config' | 'orgId'>,
  username: string,
  role: HumanRole,
): Promise<AddedUser> {
  const ground = await openGround(loadConfig({ SLUICE_CONFIG: file }), silentLog(), 'command')
  try {
    const { config, random, database } = ground
    const serviceKey = openServiceKeyOf(config, random)
    const made = await database.transaction((tx) =>
      createUser(tx, serviceKey, { orgId, username, role, actor: 'cli:test', random }),
    )
    return {
      id: made.user.id,
      username,
      password: made.password.reveal(),
      totpSecret: made.totpSecret.reveal(),
    }
  } finally {
    await ground.close()
  }
}
