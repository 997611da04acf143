import { type Family, type Settings, settingsOf } from '../settings.ts'

/** An expression of the service's code, and what somebody might have written in its place. */
export interface Edit {
  /** Under service/src. */
  file: string
  /** Stands there exactly once. */
  find: string
  replace: string
}

/** One mistake, as somebody might have made it. */
export interface PlantedBug extends Edit {
  name: string
  /** Which of the mistakes that must be seen it is; none where it is one more. */
  listed?: ListedBug
  /** Where it takes more than one place: the other walls that would have stood before it. */
  also?: readonly Edit[]
  /** Chains where its code makes a difference, as far as its place does not say so. */
  families?: readonly Family[]
  /** How blocks must be read for its code to run. */
  completeness?: Settings['completeness']
  /** What of the database's own rules is gone with it, in SQL. */
  schema?: string
}

/** Where blocks leave the chain. */
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

/** A planted bug as the processes that play with it are told of it (`loader.mjs`, `schema.ts`). */
export function plantedText(bug: PlantedBug): string {
  return JSON.stringify({ edits: editsOf(bug), schema: bug.schema })
}

/** What of that which is wrong an invariant names: that it threw is no proof. */
export function namedIn(wrongs: readonly string[]): { lines: string[]; seen: string[] } {
  const lines = wrongs.filter((line) => INVARIANT.test(line))
  return { lines, seen: [...new Set(lines.flatMap((line) => INVARIANT.exec(line)?.[1] ?? []))] }
}

const INVARIANT = /^([A-Z]+\d+):/

/** Whether a seed runs the changed code at all: where it does not, all is as it was. */
export function isMetIn(bug: PlantedBug, seed: string): boolean {
  const { families, completeness } = settingsOf(seed)
  const [, place] = /^chains\/(evm|tron|xrpl|bitcoin)\//.exec(bug.file) ?? []
  const wanted: readonly string[] | null = bug.families ?? (place === undefined ? null : [place])
  const isThere = wanted === null || families.some((family) => wanted.includes(family))
  return isThere && (bug.completeness ?? completeness) === completeness
}
