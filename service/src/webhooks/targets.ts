import { Refusal } from '../base/fault.ts'
import { parseTarget } from './target.ts'
import type { TargetRules } from './target.ts'

/** The size of the cache: URLs of organizations with current deliveries. */
const REMEMBERED_MAX = 1_000

/** The result of `parseTarget`, or the reason of its refusal. */
export type TargetOf = (text: string) => URL | string

/**
 * Checks the URL of each attempt again, since the rules may have become stricter. The result
 * depends on the text alone, so it is cached.
 */
export function openTargets(rules: TargetRules): TargetOf {
  const known = new Map<string, URL | string>()
  return (text) => {
    const standing = known.get(text)
    if (standing !== undefined) return standing
    const target = targetOf(text, rules)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(text, target)
    return target
  }
}

function targetOf(text: string, rules: TargetRules): URL | string {
  try {
    return parseTarget(text, rules)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
