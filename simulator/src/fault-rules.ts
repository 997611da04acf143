import type { Seeded } from './seeded.ts'

/** One call on its way to a node. */
export interface ProxiedCall {
  /** The JSON-RPC method; the path of the request if the body is not JSON-RPC. */
  method: string
  /** JSON-RPC parameters; for any other body, the whole body as the only item. */
  params: readonly unknown[]
}

/**
 * Which calls a rule is about. All that is given must hold; a rule without conditions is about
 * each call.
 */
export interface FaultMatch {
  method?: string | RegExp
  params?: (params: readonly unknown[]) => boolean
  /** Only the n-th of the calls that match so far, counted from 1. */
  nth?: number
  /** Each n-th of them. */
  every?: number
  /** This share of them, drawn from the proxy's seed. */
  rate?: number
  /** Maximum number of strikes. */
  times?: number
  /** Only the first call of a request: a batch is struck as often as a single call. */
  first?: true
}

export type FaultAction =
  /** The call never reaches the node; the connection closes. */
  | { do: 'dropBefore' }
  /** The node gets the call; the connection closes instead of its answer. */
  | { do: 'dropAfter' }
  | { do: 'delay'; ms: number }
  | { do: 'http'; status: number; headers?: Record<string, string>; body?: string }
  /** TCP reset instead of an answer; the call never reaches the node. */
  | { do: 'reset' }
  /** The first half of the answer, as if it were all. */
  | { do: 'truncate' }
  /** Status 200 with a body that is not JSON. */
  | { do: 'malformed'; body?: string }
  /** [] if the result is a list, else null. */
  | { do: 'emptyResult' }
  | { do: 'mutate'; change: (result: never, call: ProxiedCall) => unknown }
  /** A JSON-RPC error; the call reaches the node only if `accepted` is set. */
  | { do: 'error'; code: number; message: string; accepted?: boolean }
  /** Another node answers. */
  | { do: 'route'; url: string }
  /** The answer of an EVM node that lags by this number of blocks. */
  | { do: 'stale'; blocks: number }

export interface FaultRule {
  match?: FaultMatch
  action: FaultAction
}

export interface AddedRule {
  /** How often the rule has struck. */
  readonly hits: number
  remove(): void
}

/** The rules in force, in the order they were added: each that matches a call acts on it. */
export interface FaultRules {
  add(rule: FaultRule): AddedRule
  clear(): void
  /** The actions that strike this call, the nth of its request; counts the call for each rule. */
  strike(call: ProxiedCall, at?: number): FaultAction[]
}

export function faultRules(random: Seeded): FaultRules {
  const rules = new Set<Live>()
  return {
    add(rule) {
      const live: Live = { ...rule, seen: 0, hits: 0 }
      rules.add(live)
      return {
        get hits() {
          return live.hits
        },
        remove: () => void rules.delete(live),
      }
    },
    clear: () => rules.clear(),
    strike: (call, at = 0) =>
      [...rules]
        .filter((rule) => at === 0 || rule.match?.first !== true)
        .filter((rule) => strikes(rule, call, random))
        .map(actionOf),
  }
}

interface Live extends FaultRule {
  seen: number
  hits: number
}

function actionOf(rule: FaultRule): FaultAction {
  return rule.action
}

function strikes(rule: Live, call: ProxiedCall, random: Seeded): boolean {
  const { method, params, nth, every, rate, times } = rule.match ?? {}
  if (method !== undefined && !isMethod(method, call.method)) return false
  if (params !== undefined && !params(call.params)) return false
  rule.seen += 1
  // Drawn for each call that matches so far, so that other conditions do not shift the sequence.
  const drawn = rate === undefined || random.chance(rate)
  if (nth !== undefined && rule.seen !== nth) return false
  if (every !== undefined && rule.seen % every !== 0) return false
  if (times !== undefined && rule.hits >= times) return false
  if (drawn) rule.hits += 1
  return drawn
}

function isMethod(wanted: string | RegExp, method: string): boolean {
  return typeof wanted === 'string' ? wanted === method : wanted.test(method)
}
