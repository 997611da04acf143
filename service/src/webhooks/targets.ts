import { Refusal } from '../base/fault.ts'
import { parseTarget } from './target.ts'
import type { TargetRules } from './target.ts'

/** URLs remembered, those of the organizations that are delivered to at a time. */
const REMEMBERED_MAX = 1_000

/** What `parseTarget` makes of a URL; where the rules refuse it, the reason instead. */
export type TargetOf = (text: string) => URL | string

/**
 * Checks the URL of each attempt again, since the rules may have become stricter after it was set.
 * What comes of it follows from the text alone, so it is worked out once for many attempts.
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
