import type { Ground } from '../app/ground.ts'
import { type LoginFlaw, inspectLogins } from '../store/logins.ts'

const LOGINS = 'SLUICE_DATABASE_ENGINE_URL and SLUICE_DATABASE_API_URL'

/** How to fix each flaw of a login. */
const ADVICE: Record<LoginFlaw['flaw'], (login: string) => string> = {
  superuser: (login) =>
    `login ${login} is a superuser: run \`alter role ${login} nosuperuser\`, or use another login`,
  bypassrls: (login) =>
    `login ${login} bypasses row-level security: run \`alter role ${login} nobypassrls\``,
  'owner-at-run-time': (login) =>
    `loops or requests use login ${login}, which can change the schema: set ${LOGINS}`,
  'same-login': (login) => `loops and requests share login ${login}: set ${LOGINS}`,
  'no-password': (login) =>
    `the server admits login ${login} without its password: use scram-sha-256 in pg_hba.conf`,
}

/**
 * Checks the database logins: a superuser is refused, loops and requests use separate logins
 * without the owner's rights, and each needs a password. Outside production a flaw is shown without
 * failing the check.
 */
export async function checkLogins({
  urls,
  config,
}: Pick<Ground, 'urls' | 'config'>): Promise<{ name: string; ok: boolean; says: string }> {
  const flaws = await inspectLogins(urls)
  const says = flaws.map(({ flaw, login }) => ADVICE[flaw](login)).join('; ')
  return {
    name: 'database logins',
    ok: flaws.length === 0 || config.environment !== 'production',
    says: says === '' ? 'separate logins without superuser rights, each with a password' : says,
  }
}
