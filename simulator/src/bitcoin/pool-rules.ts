import { Invalid, outpointOf } from './coins.ts'
import type { BitcoinTransaction } from './transaction.ts'
import type { Waiting } from './waiting.ts'

/** The pool, as the rules read it. */
export interface PoolView {
  get(txid: string): Waiting | undefined
  spender(outpoint: string): string | undefined
}

/** Satoshi for a virtual byte that a replacement must add (`incrementalrelayfee`). */
const INCREMENT_RATE = 1n
/** BIP-125, rule 5. */
const REPLACED_MAX = 100
/** Core's DEFAULT_ANCESTOR_LIMIT and DEFAULT_DESCENDANT_LIMIT, the transaction itself counted. */
const FAMILY_MAX = 25
const FAMILY_VSIZE_MAX = 101_000
/** One small child more of a parent without parents (Core's CPFP carve-out). */
const CARVED_OUT_VSIZE = 10_000

/** All that wait and that it spends from, from near to far, itself left out. */
export function ancestorsOf(pool: PoolView, { inputs }: BitcoinTransaction): Map<string, Waiting> {
  const found = new Map<string, Waiting>()
  const gather = (transaction: Pick<BitcoinTransaction, 'inputs'>) => {
    for (const { txid } of transaction.inputs) {
      const parent = found.has(txid) ? undefined : pool.get(txid)
      if (parent === undefined) continue
      found.set(txid, parent)
      gather(parent.transaction)
    }
  }
  gather({ inputs })
  return found
}

/** One that waits, and all that spend from it, near or far. */
export function descendantsOf(pool: PoolView, txid: string): Map<string, Waiting> {
  const found = new Map<string, Waiting>()
  const gather = (at: string) => {
    const waiting = found.has(at) ? undefined : pool.get(at)
    if (waiting === undefined) return
    found.set(at, waiting)
    for (const child of childrenOf(pool, at)) gather(child)
  }
  gather(txid)
  return found
}

/** Pool transactions that spend an output of another one. */
export function childrenOf(pool: PoolView, txid: string): string[] {
  const outputs = pool.get(txid)?.transaction.outputs ?? []
  return outputs.flatMap((_, vout) => pool.spender(`${txid}:${vout}`) ?? [])
}

/** Whether a newcomer's family stays within Core's limits; throws Invalid. */
export function checkFamily(pool: PoolView, { transaction, vsize }: Waiting): void {
  const ancestors = [...ancestorsOf(pool, transaction).values()]
  const size = ancestors.reduce((sum, one) => sum + one.vsize, vsize)
  if (ancestors.length + 1 > FAMILY_MAX || size > FAMILY_VSIZE_MAX) {
    throw tooLong(`too many unconfirmed ancestors [limit: ${FAMILY_MAX}]`)
  }
  const isCarvedOut = ancestors.length === 1 && vsize <= CARVED_OUT_VSIZE
  const most = isCarvedOut ? FAMILY_MAX + 1 : FAMILY_MAX
  const crowded = ancestors.find(({ txid }) => descendantsOf(pool, txid).size + 1 > most)
  if (crowded === undefined) return
  throw tooLong(`too many descendants for tx ${crowded.txid} [limit: ${FAMILY_MAX}]`)
}

/**
 * Whom a newcomer replaces, as Core 28 and 29 decide it: whether they signal or not, rules 2 to 5
 * of BIP-125, and a higher rate than each that it conflicts with. Throws Invalid.
 */
export function replacedBy(pool: PoolView, newcomer: Waiting): Waiting[] {
  const { transaction, fee, vsize } = newcomer
  const rivals = transaction.inputs.flatMap((input) => pool.spender(outpointOf(input)) ?? [])
  const direct = [...new Set(rivals)].flatMap((txid) => pool.get(txid) ?? [])
  if (direct.length === 0) return []
  const ancestors = ancestorsOf(pool, transaction)
  if (direct.some(({ txid }) => ancestors.has(txid))) {
    throw new Invalid('bad-txns-spends-conflicting-tx')
  }
  if (direct.some((one) => fee * BigInt(one.vsize) <= one.fee * BigInt(vsize))) {
    throw new Invalid('insufficient fee, rejecting replacement; new feerate is not above the old')
  }
  const all = new Map(direct.flatMap(({ txid }) => [...descendantsOf(pool, txid)]))
  if (all.size > REPLACED_MAX) throw new Invalid('too many potential replacements')
  const known = new Set(direct.flatMap((one) => one.transaction.inputs.map(({ txid }) => txid)))
  if (transaction.inputs.some(({ txid }) => pool.get(txid) && !known.has(txid))) {
    throw new Invalid('replacement-adds-unconfirmed')
  }
  const owed = [...all.values()].reduce((sum, one) => sum + one.fee, 0n)
  if (fee < owed + INCREMENT_RATE * BigInt(vsize)) {
    throw new Invalid('insufficient fee, rejecting replacement; not enough additional fees')
  }
  return [...all.values()]
}

function tooLong(why: string): Invalid {
  return new Invalid(`too-long-mempool-chain, ${why}`)
}
