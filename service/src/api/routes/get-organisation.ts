import { assert } from '../../base/assert.ts'
import type { Secret } from '../../base/secret.ts'
import { guardGuesses } from '../../orgs/guess.ts'
import { readMinHumans } from '../../orgs/signers.ts'
import { readOrganization } from '../../orgs/settings.ts'
import { readSigningSecrets } from '../../orgs/signing-secret.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import { type Asked, route } from '../http/route.ts'
import { viewOrganization } from '../views/views.ts'

/** Characters of the signing secret by which a person can tell which one it is. */
const SHOWN_LENGTH = 4

/**
 * Section 4.2: the organization, not wrapped. The API key is shown the whole secret that signs its
 * deliveries, and so is an admin for a fresh two-factor code in the header, which is used up.
 * Others see its last four characters. Refuses with INVALID_TOTP and RATE_LIMIT_EXCEEDED.
 */
export const getOrganisation = route('getOrganisation', async (asked) => {
  const { database, serviceKey, caller } = asked
  const { orgId } = caller
  const isWhole = caller.credential === 'apiKey' || (await hasProvenCode(asked))
  const { organization, secrets, humans } = await database.forOrg(orgId, async (tx) => {
    const read = await readOrganization(tx, orgId)
    return {
      organization: read,
      secrets: await readSigningSecrets(tx, serviceKey, orgId),
      humans: await readMinHumans(tx, serviceKey, read),
    }
  })
  const current = secrets.find((one) => one.current)
  assert(current !== undefined, 'an organization without a signing secret', { orgId })
  return viewOrganization(organization, { humans, secret: shown(current.secret, isWhole) })
})

function shown(secret: Secret, isWhole: boolean): string {
  return isWhole ? secret.reveal() : secret.reveal().slice(-SHOWN_LENGTH)
}

async function hasProvenCode(asked: Asked<'getOrganisation'>): Promise<boolean> {
  const { database, serviceKey, clock, caller, peer, totpCode: code } = asked
  const { orgId, userId, role } = caller
  if (role !== 'admin' || code === null) return false
  await guardGuesses(database, serviceKey, { userId, peer }, () =>
    database.forOrg(orgId, (tx) => consumeTotp(tx, serviceKey, { orgId, userId, code, clock })),
  )
  return true
}
