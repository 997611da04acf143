import { decodeUint, encodeTransfer } from '../evm/abi.ts'
import type { Intent } from '../port.ts'
import { toContractForm } from './address.ts'
import { runCall } from './balance.ts'
import { contractOf } from './chain-ids.ts'
import type { TronNode } from './tron-node.ts'

/** The margin of energy over the simulation: it varies by the hour. */
export const TRANSFER_MARGIN = { by: 12n, of: 10n } as const

/** The result of a simulated token transfer. */
type Tried = { ok: true; energy: bigint } | { ok: false; words: string }

/** Simulates exactly the transfer of an intent, and returns its energy. */
export async function tryTransfer(node: TronNode, intent: Intent): Promise<Tried> {
  const contract = contractOf(intent.tokenId)
  if (contract === null) return { ok: false, words: 'not a token of contracts' }
  const name = 'transfer(address,uint256)'
  const data = encodeTransfer(toContractForm(intent.to), intent.amount)
  const { answer, energy, words } = await runCall(node, { from: intent.from, contract, name, data })
  // Some tokens return false although they move: only their logs count.
  if (answer === null || (answer.length > 2 && decodeUint(answer) === null)) {
    return { ok: false, words: `the payment would fail: ${words}` }
  }
  return { ok: true, energy }
}
