import { nullIfAway } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { readHead } from './node.ts'
import type { RpcTransaction } from './rpc.ts'

/** A transaction to query; its gas bounds the length of the answer. */
export type Asked = Pick<RpcTransaction, 'hash' | 'gas'>

interface Asking<T> {
  transactions: readonly Asked[]
  /** The most bytes that a node answers for one gas. */
  bytesPerGas: number
  /** The most bytes of one answer. */
  bytesMax: number
  /** Queries some of them and returns one answer each. */
  ask: (part: readonly Asked[]) => Promise<readonly T[]>
}

const CALLS_A_BATCH = 100
/** After an answer that is too long, the next part is smaller by this factor. */
const SHRINKS_TO = 4
/** After a success, the next part may be larger by this factor. */
const GROWS_BY = 2

/** Words of clients and providers for an answer that is too long or too slow. */
const TOO_MUCH =
  /too (large|big|long)|timed? ?out|more than \d+ (results|logs)|max(imum)? (results|response)/i

/**
 * Queries transactions of a block in batches whose answers fit the limit, as far as gas bounds
 * them. A batch that still fails is divided, down to a single transaction; a single one that is too
 * much is thrown. Returns one answer each, in order.
 */
export async function askInParts<T>(rpc: JsonRpc, asking: Asking<T>): Promise<T[]> {
  const { transactions, ask } = asking
  const told: T[] = []
  let countMax = CALLS_A_BATCH
  while (told.length < transactions.length) {
    const part = nextPart(asking, told.length, countMax)
    try {
      told.push(...(await ask(part)))
      countMax = Math.min(CALLS_A_BATCH, countMax * GROWS_BY)
    } catch (error) {
      if (part.length === 1 || !(await isTooMuch(rpc, error))) throw error
      countMax = Math.max(1, Math.floor(part.length / SHRINKS_TO))
    }
  }
  return told
}

/** As many as fit into one answer, at least one. */
function nextPart<T>(
  { transactions, bytesPerGas, bytesMax }: Asking<T>,
  from: number,
  countMax: number,
): readonly Asked[] {
  let bytes = 0
  let to = from
  for (const { gas } of transactions.slice(from, from + countMax)) {
    bytes += Number(gas) * bytesPerGas
    if (bytes > bytesMax && to > from) break
    to += 1
  }
  return transactions.slice(from, to)
}

/**
 * Whether a node is up and an answer was too much for it, or for us. A node that does not return
 * its head either is down: smaller parts would only wait again.
 */
export async function isTooMuch(rpc: JsonRpc, error: unknown): Promise<boolean> {
  if (error instanceof RpcRefusal) return saysTooMuch(error)
  return error instanceof Unfinished && (await readHead(rpc).catch(nullIfAway)) !== null
}

/** Whether a node reports that an answer is too much for it. */
export function saysTooMuch({ said }: RpcRefusal): boolean {
  return TOO_MUCH.test(said)
}
