/** The first place at which the audit log is not what was written. */
export type AuditBreak =
  /** The entry, or the one before it together with its seal, is not the one that was sealed. */
  | { reason: 'changed'; sequence: number; entryId: string }
  /** The entry, or its seal where no id is known, is gone. */
  | { reason: 'missing'; sequence: number; entryId: string | null }
  /** The chain holds, and is another than the one whose head was kept. `since` still agreed. */
  | { reason: 'rewritten'; sequence: number; entryId: string; since: number }
  /** The chain ends before a head that was kept: `sequence` to `until` are gone. */
  | { reason: 'truncated'; sequence: number; entryId: null; until: number }
  /** Taken out before it was sealed. */
  | { reason: 'lost'; sequence: null; entryId: string }
  /** Put in past the trigger, or its seal was taken off the end: it waits for none. */
  | { reason: 'unsealed'; sequence: null; entryId: string }

/** Says in a sentence or two what is wrong. */
export function describeBreak(found: AuditBreak): string {
  const { sequence, entryId } = found
  switch (found.reason) {
    case 'changed':
      return (
        `The entry ${entryId}, sealed as number ${sequence}, is not what was sealed; ` +
        'or the one before it and its seal are not.'
      )
    case 'missing':
      return entryId === null
        ? `The seal number ${sequence} is gone, and its entry with it or unsealed.`
        : `The entry ${entryId}, sealed as number ${sequence}, is gone.`
    case 'rewritten':
      return (
        `The log was written anew: up to ${sequence} it does not have the head that was kept. ` +
        `What differs first is after number ${found.since}. ${AFTER_RESTORE}`
      )
    case 'truncated':
      return (
        `The log ends before the head that was kept: numbers ${sequence} to ${found.until} are ` +
        `gone. ${AFTER_RESTORE}`
      )
    case 'lost':
      return `The entry ${entryId} was taken out before it was sealed.`
    case 'unsealed':
      return `The entry ${entryId} has no seal and waits for none: put in, or its seal was cut off.`
  }
}

const AFTER_RESTORE =
  'After the restore of a backup this is so for heads between the backup and the restore.'
