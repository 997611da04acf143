import { addressIn } from './block.ts'
import type { BlockEvidence } from './block.ts'
import { COIN_LOG_ADDRESS } from './evidence.ts'
import { isSystemTransaction } from './rpc.ts'
import type { RpcLog } from './rpc.ts'
import type { NativeMove } from './traces.ts'

/**
 * keccak of LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256): a coin,
 * from whom, to whom; how much, what both held before and what both held after.
 */
const MOVE_TOPIC = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'
const MOVE_TOPICS = 4
const MOVE_WORDS = 5
const WORD_DIGITS = 64

/**
 * Gives the transactions of the chain itself the native moves that the chain logged of them, and no
 * other transaction any: its moves are told already. The logs stand in the order of execution, less
 * those of frames that failed, so that ranks are those of a trace. Pure.
 */
export function withOwnMoves({ block, evidence }: BlockEvidence): BlockEvidence {
  return {
    block,
    evidence: evidence.map((known, at) => {
      const transaction = block.transactions[at]
      if (transaction === undefined || !isSystemTransaction(transaction)) return known
      return { ...known, moves: known.logs.flatMap(({ log }) => moveIn(log) ?? []) }
    }),
  }
}

/**
 * The move that the chain itself logs; null for any other log. The coin's contract logs its
 * `transfer` in the same shape at the same address, after the chain has logged where the same coins
 * went: they would count twice, and anyone may bring that about by a message over the bridge. Its
 * log names another coin, and its sender holds as much after as before.
 */
export function moveIn({ address, topics, data }: RpcLog): NativeMove | null {
  if (address !== COIN_LOG_ADDRESS || topics.length !== MOVE_TOPICS) return null
  if (topics[0] !== MOVE_TOPIC || addressIn(topics[1]) !== COIN_LOG_ADDRESS) return null
  const [from, to] = [addressIn(topics[2]), addressIn(topics[3])]
  if (from === null || to === null || from === to) return null
  const value = movedBy(data)
  return value > 0n ? { from, to, value } : null
}

/** Zero where the one does not hold less by it, and the other more. */
function movedBy(data: string): bigint {
  if (data.length !== '0x'.length + MOVE_WORDS * WORD_DIGITS) return 0n
  const word = (at: number) => BigInt(`0x${data.slice(2 + at * WORD_DIGITS).slice(0, WORD_DIGITS)}`)
  const value = word(0)
  const hasMoved = word(1) - word(3) === value && word(4) - word(2) === value
  return hasMoved ? value : 0n
}
