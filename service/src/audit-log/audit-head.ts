import { createHash } from 'node:crypto'

/** The last seal of the audit log at some time. It identifies all entries up to it. */
export interface AuditHead {
  /** Numbered from 1 without gaps; 0 before the first seal. */
  sequence: number
  /** SHA-256, 64 hex digits. */
  hash: string
}

/** An entry as it is sealed: its columns as PostgreSQL's exact text. */
export interface SealableEntry {
  id: string
  /** Seconds since 1970, with six decimals. */
  at: string
  org_id: string | null
  actor: string
  action: string
  object: string
  /** The text of the `jsonb` value. */
  details: string
}

/** Before the first seal. */
export const NOTHING_SEALED: AuditHead = { sequence: 0, hash: '0'.repeat(64) }

/** Domain separation of the hash. */
const DOMAIN = 'sluice audit 1'

/**
 * Returns the head after one more entry: SHA-256 over the previous hash and all fields of the
 * entry, encoded as a JSON list without spaces in UTF-8.
 */
export function sealEntry(previous: AuditHead, entry: SealableEntry): AuditHead {
  const sequence = previous.sequence + 1
  const { id, at, org_id, actor, action, object, details } = entry
  const fields = [id, at, org_id, actor, action, object, details]
  const text = JSON.stringify([DOMAIN, previous.hash, sequence, ...fields])
  return { sequence, hash: createHash('sha256').update(text).digest('hex') }
}

/** Formats a head as `<sequence>:<hash>`. */
export function formatHead({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hash}`
}

/** Parses `<sequence>:<hash>`; null if it is invalid. */
export function parseHead(text: string): AuditHead | null {
  const [, sequence, hash] = /^(0|[1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return sequence === undefined || hash === undefined ? null : { sequence: Number(sequence), hash }
}
