import { type Family, type Settings, settingsOf } from '../settings.ts'

/** An expression of the service's code, and its faulty replacement. */
export interface Edit {
  /** Under service/src, or relative to it. */
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
}

/** A plausible mistake in the service's code. */
export interface PlantedBug extends Edit {
  name: string
  /** Its name in the list of mistakes that must be found; absent for an extra mistake. */
  listed?: ListedBug
  /** Further edits, if other checks would prevent the mistake. */
  also?: readonly Edit[]
  /** Chain families that run its code, unless its path names one. */
  families?: readonly Family[]
  /** The block reading that its code needs. */
  completeness?: Settings['completeness']
  /** Constraints of the database to drop with it, in SQL. */
  schema?: string
}

/** Families with reorgs. */
export const REORGING: readonly Family[] = ['evm', 'tron', 'bitcoin']

/** Mistakes that the simulation must see (failures, 2.3.5). */
export const LISTED_BUGS = [
  'ignore receipt status',
  'use tx.value instead of trace result',
  'credit reverted inner frame',
  'key by txHash',
  'key by block logIndex',
  'symbol match',
  'trust event amount on fee token',
  'count zero-value transfer',
  'credit own sweep',
  'no parent-hash check',
  'getLogs by number range',
  'advance cursor on empty',
  'confirmations off by one',
  'finalized ignored',
  'no reversal on reorg',
  'reversal twice',
  'XRPL `Amount`',
  'tag 0 = missing',
  'TRON contractRet ignored',
  'TRC-10 by name',
  '0-conf credit',
  'coinbase early',
  'change as deposit',
  'balance check outside lock',
  'reference check-then-insert',
  'approval counted twice',
  'approver removal ignored',
  'threshold read at creation only',
  'approve/cancel non-atomic',
  'broadcast before persist',
  're-sign on "nonce too low"',
  're-sign after timeout',
  'nonce from `pending` count',
  'Failed on RPC error',
  'fee cap missing',
  'release reserve twice',
  'webhook before commit',
  'webhook lost on crash',
  'TOTP reuse',
  'signer trusts DB status',
] as const
export type ListedBug = (typeof LISTED_BUGS)[number]

/** All that a planted bug changes. */
export function editsOf({ file, find, replace, also = [] }: PlantedBug): readonly Edit[] {
  return [{ file, find, replace }, ...also]
}

/** A planted bug in the form that the playing processes read (`loader.mjs`, `schema.ts`). */
export function plantedText(bug: PlantedBug): string {
  return JSON.stringify({ edits: editsOf(bug), schema: bug.schema })
}

/** Violations that name an invariant: an exception alone is no proof. */
export function namedIn(wrongs: readonly string[]): { lines: string[]; seen: string[] } {
  const lines = wrongs.filter((line) => INVARIANT.test(line))
  return { lines, seen: [...new Set(lines.flatMap((line) => INVARIANT.exec(line)?.[1] ?? []))] }
}

const INVARIANT = /^([A-Z]+\d+):/

/** Whether a seed runs the changed code at all; if not, its result cannot differ. */
export function isMetIn(bug: PlantedBug, seed: string): boolean {
  const { families, completeness } = settingsOf(seed)
  const [, place] = /^chains\/(evm|tron|xrpl|bitcoin)\//.exec(bug.file) ?? []
  const wanted: readonly string[] | null = bug.families ?? (place === undefined ? null : [place])
  const isThere = wanted === null || families.some((family) => wanted.includes(family))
  return isThere && (bug.completeness ?? completeness) === completeness
}
