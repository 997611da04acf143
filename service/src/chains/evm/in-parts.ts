import { nullIfAway } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { readHead } from './node.ts'
import type { RpcTransaction } from './rpc.ts'

/** A transaction that a node is asked about: its gas bounds what there is to tell of it. */
export type Asked = Pick<RpcTransaction, 'hash' | 'gas'>

interface Asking<T> {
  transactions: readonly Asked[]
  /** The most that a node says for one gas. */
  bytesPerGas: number
  /** The most that one answer may hold. */
  bytesMax: number
  /** Asks about some of them, one answer each. */
  ask: (part: readonly Asked[]) => Promise<readonly T[]>
}

const CALLS_A_BATCH = 100
/** What was too much is asked for again in parts so much smaller. */
const SHRINKS_TO = 4
/** What was not lets the next part be so much larger. */
const GROWS_BY = 2

/** Clients and providers have a word of their own for an answer that is too long, or too slow. */
const TOO_MUCH =
  /too (large|big|long)|timed? ?out|more than \d+ (results|logs)|max(imum)? (results|response)/i

/**
 * Asks about transactions of a block in batches, none of which can hold more than an answer may, as
 * far as gas bounds it. A batch that the node does not get done all the same is asked for in ever
 * smaller ones, down to a single transaction; what is too much even so is thrown. One answer each,
 * in their order.
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

/** As many as fit into one answer, and one at least. */
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
 * Whether a node is there and an answer was too much for it, or for us. One that does not tell its
 * head either is away: asked for less, it would keep us waiting again and again.
 */
export async function isTooMuch(rpc: JsonRpc, error: unknown): Promise<boolean> {
  if (error instanceof RpcRefusal) return saysTooMuch(error)
  return error instanceof Unfinished && (await readHead(rpc).catch(nullIfAway)) !== null
}

/** Whether a node says itself that an answer is too much for it. */
export function saysTooMuch({ said }: RpcRefusal): boolean {
  return TOO_MUCH.test(said)
}
