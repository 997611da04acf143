/** The first place at which the audit log was changed. */
export type AuditBreak =
  /** The entry was changed after it was sealed, or the previous entry with its seal was. */
  | { reason: 'changed'; sequence: number; entryId: string }
  /** The entry was deleted (or its seal, if `entryId` is null). */
  | { reason: 'missing'; sequence: number; entryId: string | null }
  /** The chain is consistent but does not contain a kept head. Kept heads agree up to `since`. */
  | { reason: 'rewritten'; sequence: number; entryId: string; since: number }
  /** The chain ends before a kept head: `sequence` to `until` are missing. */
  | { reason: 'truncated'; sequence: number; entryId: null; until: number }
  /** Deleted before it was sealed. */
  | { reason: 'lost'; sequence: null; entryId: string }
  /** Inserted without the trigger, or its seal was cut off: it will never be sealed. */
  | { reason: 'unsealed'; sequence: null; entryId: string }

/** Describes a break in one or two sentences. */
export function describeBreak(found: AuditBreak): string {
  const { sequence, entryId } = found
  switch (found.reason) {
    case 'changed':
      return (
        `Entry ${entryId}, sealed as number ${sequence}, was changed after it was sealed, ` +
        'or the previous entry and its seal were.'
      )
    case 'missing':
      return entryId === null
        ? `Seal number ${sequence} is missing; its entry is missing too, or unsealed.`
        : `Entry ${entryId}, sealed as number ${sequence}, is missing.`
    case 'rewritten':
      return (
        `The log was rewritten: at number ${sequence} it does not have the kept head. ` +
        `The first difference is after number ${found.since}. ${AFTER_RESTORE}`
      )
    case 'truncated':
      return (
        `The log ends before the kept head: numbers ${sequence} to ${found.until} are ` +
        `missing. ${AFTER_RESTORE}`
      )
    case 'lost':
      return `Entry ${entryId} was deleted before it was sealed.`
    case 'unsealed':
      return `Entry ${entryId} will never be sealed: it was inserted, or its seal was cut off.`
  }
}

const AFTER_RESTORE = 'This is expected for heads that were kept between a backup and its restore.'
