import { CommanderError, InvalidArgumentError } from 'commander'
import { ERRORS, messageOf } from '@sluice/wire'
import { Bug } from '../base/assert.ts'
import { Misconfigured, Outage, Refusal } from '../base/fault.ts'
import { visibleLine } from './visible.ts'

/** The exit codes of every command. `docs/operations.md` has the same table. */
export const EXIT = { done: 0, failed: 1, usage: 2, unhealthy: 3, refused: 4 } as const

/** The meaning of each exit code, as `docs/operations.md` prints it. */
export const EXIT_MEANS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  failed: 'unexpected error: report it with the output',
  usage:
    'wrong usage or configuration: an option, a setting, a file, a key, a passphrase or a right ' +
    'of the database login is missing or wrong, or a terminal is needed and missing',
  unhealthy:
    'unhealthy or unreachable: a check found a fault, or the database or a node does not answer',
  refused:
    'refused: the id is unknown, the database is already in use, the file is damaged, or the ' +
    'state of the object does not allow it',
}

/** The exit code of an error that ended a command. */
function exitCodeOf(error: unknown): number {
  // Thrown by an action; Commander wraps errors of its parsers.
  if (error instanceof InvalidArgumentError) return EXIT.usage
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof Misconfigured) return EXIT.usage
  if (error instanceof Outage) return EXIT.unhealthy
  return error instanceof Refusal ? EXIT.refused : EXIT.failed
}

/**
 * Prints on standard error why a command failed, and returns its exit code. Only a bug prints a
 * stack trace.
 */
export function fail(error: unknown): number {
  // Commander has printed its own errors, and help and version.
  const isPrinted = error instanceof CommanderError && !(error instanceof InvalidArgumentError)
  if (!isPrinted) console.error(visibleLine(textOf(error)))
  return exitCodeOf(error)
}

function textOf(error: unknown): string {
  if (error instanceof Refusal) return error.says ?? messageOf(ERRORS[error.code])
  if (error instanceof Bug) return `${error.stack}\n${describe(error.facts)}`
  return error instanceof Error ? error.message : String(error)
}

function describe(facts: Record<string, unknown>): string {
  return JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}
