import { addressIn } from './block.ts'
import type { BlockEvidence } from './block.ts'
import { COIN_LOG_ADDRESS } from './evidence.ts'
import { isSystemTransaction } from './rpc.ts'
import type { RpcLog } from './rpc.ts'
import type { NativeMove } from './traces.ts'

/**
 * keccak of LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256): a coin,
 * sender, recipient; the amount, both balances before, both balances after.
 */
const MOVE_TOPIC = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'
const MOVE_TOPICS = 4
const MOVE_WORDS = 5
const WORD_DIGITS = 64

/**
 * Adds the native moves that the chain logged to the chain's own transactions. Moves of other
 * transactions are known already. The logs are in the order of execution, without failed frames, so
 * their ranks equal those of a trace. Pure.
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
 * `transfer` in the same form at the same address, after the chain's own log of the same coins;
 * counting both would credit twice, and any user can cause it with a message over the bridge. The
 * log of the contract names another coin, and its sender's balance does not change.
 */
export function moveIn({ address, topics, data }: RpcLog): NativeMove | null {
  if (address !== COIN_LOG_ADDRESS || topics.length !== MOVE_TOPICS) return null
  if (topics[0] !== MOVE_TOPIC || addressIn(topics[1]) !== COIN_LOG_ADDRESS) return null
  const [from, to] = [addressIn(topics[2]), addressIn(topics[3])]
  if (from === null || to === null || from === to) return null
  const value = movedBy(data)
  return value > 0n ? { from, to, value } : null
}

/** Zero unless the balances change by the amount. */
function movedBy(data: string): bigint {
  if (data.length !== '0x'.length + MOVE_WORDS * WORD_DIGITS) return 0n
  const word = (at: number) => BigInt(`0x${data.slice(2 + at * WORD_DIGITS).slice(0, WORD_DIGITS)}`)
  const value = word(0)
  const hasMoved = word(1) - word(3) === value && word(4) - word(2) === value
  return hasMoved ? value : 0n
}
