import type { ApiKey as ApiKeyView } from '@sluice/wire'
import { type Millis, iso } from '../../base/clock.ts'
import type { ApiKey } from '../../orgs/api-key.ts'

const PERSON = 'user:'

/** An API key as it is at a time; the key itself is not stored. */
export function viewApiKey(key: ApiKey, now: Millis): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    allowedCidrs: [...key.networks],
    isDefault: key.isDefault,
    status: statusOf(key, now),
    lastFour: key.lastFour,
    createdBy: key.createdBy.startsWith(PERSON) ? key.createdBy.slice(PERSON.length) : null,
    createdAt: iso(key.createdAt),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    expiresAt: isoOrNull(key.expiresAt),
    revokedAt: isoOrNull(key.revokedAt),
  }
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Millis): ApiKeyView['status'] {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

function isoOrNull(at: Millis | null): string | null {
  return at === null ? null : iso(at)
}
