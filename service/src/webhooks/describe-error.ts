import { codeOf } from '../base/fault.ts'

const ERROR_LENGTH_MAX = 500

/** A transport error in one line: system codes if there are any, causes included. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, ERROR_LENGTH_MAX)
  const code = codeOf(error)
  const parts =
    error instanceof AggregateError ? error.errors.map((part) => describeError(part)) : []
  const said = [error.message, ...parts].filter((part) => part !== '').join('; ')
  const text = code === '' || said.includes(code) ? said : `${code}: ${said}`
  return text.slice(0, ERROR_LENGTH_MAX)
}
