import { CommanderError, InvalidArgumentError } from 'commander'
import { ERRORS, messageOf } from '@sluice/wire'
import { Bug } from '../base/assert.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { ConfigProblems } from '../app/config.ts'
import { visibleLine } from './visible.ts'

/** What the shell is told. */
export const EXIT = { done: 0, failed: 1, usage: 2, unhealthy: 3, refused: 4 } as const

/**
 * Says on standard error what went wrong, in words; only a bug shows where. Answers with the exit
 * code.
 */
export function fail(error: unknown): number {
  // What an action threw by itself: Commander turns those of its parsers into errors of its own.
  if (error instanceof InvalidArgumentError) return say(error.message, EXIT.usage)
  // Commander has printed its own words, help and version among them.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof ConfigProblems) return say(error.message, EXIT.usage)
  if (error instanceof Refusal) {
    return say(error.says ?? messageOf(ERRORS[error.code]), EXIT.refused)
  }
  if (error instanceof Outage) return say(error.message, EXIT.unhealthy)
  if (error instanceof Bug) return say(`${error.stack}\n${describe(error.facts)}`, EXIT.failed)
  return say(error instanceof Error ? error.message : String(error), EXIT.failed)
}

function say(message: string, code: number): number {
  console.error(visibleLine(message))
  return code
}

function describe(facts: Record<string, unknown>): string {
  return JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}
