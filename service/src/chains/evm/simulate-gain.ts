import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Intent } from '../port.ts'
import { encodeBalanceOf } from './abi.ts'
import { contractOf } from './block.ts'
import type { StateAt } from './node.ts'
import { simulateCall } from './spending-node.ts'
import { callOf } from './transaction.ts'

const WORD_DIGITS = 64

/**
 * Runs as the sender's code. Calldata: a token (32 bytes), a call of its `balanceOf` (36), a call
 * of its `transfer` (68). Returns two words: 1 if no call failed, and by how much the balance grew.
 */
const PROGRAM = [
  // Copies the call of balanceOf to memory, and makes it with its result at 0x80.
  '60246020600037',
  '60206080602460006000355afa',
  // Copies and makes the call of transfer.
  '60446044600037',
  '600060006044600060006000355af116',
  // Calls balanceOf again, with its result at 0xa0.
  '60246020600037',
  '602060a0602460006000355afa16',
  // Returns whether all succeeded, and the difference.
  '600052',
  '60805160a05103602052',
  '60406000f3',
].join('')

/**
 * The base units by which the recipient's balance would grow if the sender called `transfer`, by
 * the state of a height or name: the sender's code is replaced for one `eth_call`. Null if the node
 * cannot replace code, or a call fails.
 */
export async function simulateGain(
  rpc: JsonRpc,
  intent: Intent,
  at: StateAt,
): Promise<bigint | null> {
  const contract = contractOf(intent.tokenId)
  if (contract === null) return null
  const { from, to } = intent
  const token = contract.slice(2).padStart(WORD_DIGITS, '0')
  const data = `0x${token}${encodeBalanceOf(to).slice(2)}${callOf(intent).data.slice(2)}`
  const trial = { to: from, value: 0n, data }
  const code = { [from]: `0x${PROGRAM}` }
  try {
    const answer = await simulateCall(rpc, from, { trial, at, code })
    if (answer.length !== 2 + 2 * WORD_DIGITS) return null
    const [ok, gain] = [answer.slice(2, 2 + WORD_DIGITS), answer.slice(2 + WORD_DIGITS)]
    return BigInt(`0x${ok}`) === 1n ? BigInt(`0x${gain}`) : null
  } catch (error) {
    if (error instanceof RpcRefusal) return null
    throw error
  }
}
