import { selectorOf } from '../evm-abi.ts'
import { type Hex, quantity } from '../hex.ts'
import type { ChainState } from './chain-state.ts'
import { copyOf, type Execution, execute, keyOf } from './execute.ts'
import { addressAt, INVALID_PARAMS, type Params, RpcFault, SERVER_ERROR } from './params.ts'
import type { BlockNode } from './block-tree.ts'
import { type FramePlan, frame, transferFrame } from './plans.ts'

/** A call, signed or simulated. */
export interface CallRequest {
  from: Hex
  to: Hex | null
  value: bigint
  input: Hex
}

const TRANSFER = selectorOf('transfer(address,uint256)')
const TRANSFER_DIGITS = 2 + 2 * 68
const REVERTED = 3
/** No call is given more. */
export const GAS_MAX = 36_000_000n

/**
 * Steps of a call on this chain: tokens know `transfer`, other contracts run their plan, and
 * elsewhere value moves.
 */
export function planCall(chain: ChainState, { from, to, value, input }: CallRequest): FramePlan {
  if (to === null) throw new RpcFault(SERVER_ERROR, 'the simulated node makes no contracts')
  const code = chain.codes.get(to)
  if (code !== undefined) {
    return frame({ from, to, value, input, fails: code.reverts, burns: code.gas })
  }
  if (!chain.tokens.has(to)) return frame({ from, to, value, input })
  const isTransfer = input.startsWith(TRANSFER) && input.length === TRANSFER_DIGITS && value === 0n
  if (!isTransfer) return frame({ from, to, value, input, fails: true })
  const recipient: Hex = `0x${input.slice(34, 74)}`
  const amount = BigInt(`0x${input.slice(74)}`)
  return transferFrame({ token: to, from, to: recipient, amount }, from)
}

/** eth_estimateGas, as geth answers it: gas, or an error. */
export function estimateResult(chain: ChainState, params: Params): Hex {
  const { execution, request } = tryCall(chain, params)
  if (chain.tree.balance(keyOf(request.from)) < request.value) {
    throw new RpcFault(SERVER_ERROR, 'insufficient funds for transfer')
  }
  if (execution.gasUsed > GAS_MAX) {
    throw new RpcFault(SERVER_ERROR, `gas required exceeds allowance (${GAS_MAX})`)
  }
  if (!execution.succeeded) throw new RpcFault(REVERTED, 'execution reverted')
  return quantity(execution.gasUsed)
}

/** Runs a call on a copy of a block's state, or of the head's. */
export function tryCall(
  chain: ChainState,
  params: Params,
  block?: BlockNode,
): { request: CallRequest; execution: Execution } {
  const request = requestIn(params)
  const accounts = copyOf({ get: (key) => chain.tree.balance(key, block), set: () => undefined })
  return { request, execution: execute(planCall(chain, request), accounts, { logsNative: false }) }
}

function requestIn(params: Params): CallRequest {
  const { from, to, value = '0x0', data = '0x', input = data } = Object(params[0])
  if (typeof value !== 'string' || typeof input !== 'string') {
    throw new RpcFault(INVALID_PARAMS, 'invalid argument 0: json: cannot unmarshal')
  }
  const sender = from === undefined ? `0x${'0'.repeat(40)}` : addressAt([from], 0)
  return {
    from: lower(sender),
    to: to === undefined || to === null ? null : lower(addressAt([to], 0)),
    value: BigInt(value),
    input: lower(input),
  }
}

function lower(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}
