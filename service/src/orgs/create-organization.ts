import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { openEndpoint } from './add-endpoint.ts'
import { DEFAULT_TERMS, addApiKey } from './create-api-key.ts'
import { addApiUser } from './create-user.ts'
import { organizationFromRow } from './organization.ts'
import type { Organization } from './organization.ts'
import { insertOrganization } from './rows.ts'
import { macOfThresholds } from './thresholds.ts'

/** The default; the initiator counts as the first approval. */
const SIGNERS = 1
const HUMANS = null
const NAME_SHAPE = /^[^\p{Cc}\p{Cs}]{1,100}$/u

/**
 * Creates an organization with the user of its API key, the key (shown once) and the secret that
 * signs its webhooks. The caller opens its outbox in the same transaction. Refuses with BAD_REQUEST
 * (name).
 */
export async function createOrganization(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { name: string; actor: string; random: Random },
): Promise<{ organization: Organization; apiKey: Secret }> {
  const { actor, random } = params
  const name = parseName(params.name)
  const orgId = tx.ids.next()
  const mac = macOfThresholds(serviceKey, {
    id: orgId,
    minWithdrawalSigners: SIGNERS,
    minHumanApprovals: HUMANS,
    version: null,
  })
  const thresholds = { signers: SIGNERS, humans: HUMANS, mac }
  const organization = organizationFromRow(
    await insertOrganization(tx, { id: orgId, name, ...thresholds }),
  )
  const details = { name }
  await writeAudit(tx, { orgId, actor, action: 'organization.create', object: orgId, details })
  const { id: userId } = await addApiUser(tx, serviceKey, orgId)
  const { key: apiKey } = await addApiKey(tx, serviceKey, {
    orgId,
    userId,
    terms: DEFAULT_TERMS,
    isDefault: true,
    actor,
    random,
    action: 'api-key.create',
  })
  await openEndpoint(tx, serviceKey, { orgId, id: orgId, url: '', eventTypes: [], random })
  return { organization, apiKey }
}

function parseName(text: string): string {
  const name = text.trim()
  if (NAME_SHAPE.test(name)) return name
  throw new Refusal(
    'BAD_REQUEST',
    { field: 'name', provided: text.slice(0, 100) },
    'The organization name must have 1 to 100 characters, without control characters.',
  )
}
