import { addressTopic, encodeCall, TRANSFER_TOPIC } from '../evm-abi.ts'
import { fromHex, type Hex, toHex, word } from '../hex.ts'
import type { LogJson } from './shapes.ts'

/** Steps of a frame, in order. */
export type Step =
  | { do: 'call'; frame: FramePlan }
  | { do: 'log'; log: LogJson }
  /** A balance change, visible or not; of the native coin unless a token is given. */
  | { do: 'shift'; token?: Hex; address: Hex; by: bigint }

export interface FramePlan {
  type: 'CALL' | 'CREATE' | 'SELFDESTRUCT' | 'DELEGATECALL' | 'STATICCALL'
  from: Hex
  to: Hex
  /** wei that move from `from` to `to`; DELEGATECALL and STATICCALL move none. */
  value: bigint
  input: Hex
  /** Does all its steps, then reverts: nothing of its whole subtree stays. */
  fails: boolean
  /** Gas in addition to that of its steps. */
  burns: bigint
  steps: Step[]
}

/** A transaction before its inclusion; its outcome depends on the balances at its block. */
export interface TransactionPlan {
  /** 0, 1 or 2; any other number is a kind that its readers may not know. */
  type: number
  /** Without replay protection (before EIP-155): the same hash on each chain. */
  isUnprotected: boolean
  nonce: number
  top: FramePlan
}

export interface TransferPlan {
  token: Hex
  from: Hex
  to: Hex
  /** Amount in the event. */
  amount: bigint
  /** Amount received, if different: a fee on transfer. */
  arrives?: bigint
}

/** A frame with nothing but a value. */
export function frame(fields: Partial<FramePlan> & { from: Hex; to: Hex }): FramePlan {
  return { type: 'CALL', value: 0n, input: '0x', fails: false, burns: 0n, steps: [], ...fields }
}

/** The steps of an ERC-20 transfer: the sender's balance, the recipient's, and the event. */
export function transferSteps(transfer: TransferPlan): Step[] {
  const { token, from, to, amount, arrives = amount } = transfer
  return [
    { do: 'shift', token, address: from, by: -amount },
    { do: 'shift', token, address: to, by: arrives },
    { do: 'log', log: transferLog(token, from, to, amount) },
  ]
}

/** ERC-20's event. */
export function transferLog(token: Hex, from: Hex, to: Hex, amount: bigint): LogJson {
  const topics = [TRANSFER_TOPIC, addressTopic(from), addressTopic(to)]
  return { address: token, topics, data: `0x${word(amount)}` }
}

/** A call of the token's own transfer, or of transferFrom if the spender is not the owner. */
export function transferFrame(transfer: TransferPlan, spender: Hex): FramePlan {
  const { token, from, to, amount } = transfer
  const input =
    spender === from
      ? encodeCall('transfer(address,uint256)', [to, amount])
      : encodeCall('transferFrom(address,address,uint256)', [from, to, amount])
  return frame({ from: spender, to: token, input, steps: transferSteps(transfer) })
}

/** An address in lower case. Throws for anything else. */
export function addressIn(text: string): Hex {
  const bytes = fromHex(text)
  if (bytes.length !== 20) throw new Error(`not an address: ${text}`)
  return toHex(bytes)
}
