import { createHash } from 'node:crypto'

/** Which seal of the audit log was the last at some time: enough to know all entries up to it. */
export interface AuditHead {
  /** Counts seals from 1 on without gaps; 0 while there is none. */
  sequence: number
  /** SHA-256, 64 hex digits. */
  hash: string
}

/** An entry as it is sealed: what PostgreSQL writes for its columns, to the last digit. */
export interface SealableEntry {
  id: string
  /** Seconds since 1970, with six decimals. */
  at: string
  org_id: string | null
  actor: string
  action: string
  object: string
  /** As `jsonb` writes itself. */
  details: string
}

/** Before the first seal. */
export const NOTHING_SEALED: AuditHead = { sequence: 0, hash: '0'.repeat(64) }

/** Says of the hashed bytes what they are, so that they are nothing else. */
const DOMAIN = 'sluice audit 1'

/**
 * The head after one entry more: SHA-256 over the hash before and all that the entry says, as the
 * UTF-8 of a JSON list without spaces, which no other list gives.
 */
export function sealEntry(previous: AuditHead, entry: SealableEntry): AuditHead {
  const sequence = previous.sequence + 1
  const { id, at, org_id, actor, action, object, details } = entry
  const said = [id, at, org_id, actor, action, object, details]
  const text = JSON.stringify([DOMAIN, previous.hash, sequence, ...said])
  return { sequence, hash: createHash('sha256').update(text).digest('hex') }
}

/** A head as operators keep it: `<sequence>:<hash>`. */
export function formatHead({ sequence, hash }: AuditHead): string {
  return `${sequence}:${hash}`
}

/** The reverse; null where the text is none. */
export function parseHead(text: string): AuditHead | null {
  const [, sequence, hash] = /^(0|[1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return sequence === undefined || hash === undefined ? null : { sequence: Number(sequence), hash }
}
