import { decodeUint, encodeValues, selectorOf } from '../evm-abi.ts'
import type { EvmChain } from '../evm-chain.ts'
import { type Hex, quantity } from '../hex.ts'
import type { BlockNode } from './block-tree.ts'
import { GAS_MAX, tryCall } from './call-plans.ts'
import { keyOf } from './execute.ts'
import {
  addressAt,
  INVALID_PARAMS,
  type Params,
  RpcFault,
  SERVER_ERROR,
  stateBlock,
} from './params.ts'

const REVERTED = 3
const BALANCE_OF = selectorOf('balanceOf(address)')
const DECIMALS = selectorOf('decimals()')
const SYMBOL = selectorOf('symbol()')
const NAME = selectorOf('name()')
const TRANSFER = selectorOf('transfer(address,uint256)')

/** Substitute for the code of each token. */
const TOKEN_CODE: Hex = '0x60806040'

/**
 * eth_call of the ERC-20 methods and of any other code, by the state of a block; an address without
 * code returns nothing.
 */
export function callResult(chain: EvmChain, params: Params): Hex {
  const { to, data, input = data } = Object(params[0])
  const block = stateBlock(chain, params, 1)
  const contract = addressAt([to], 0)
  const token = chain.tokens.get(contract)
  if (token === undefined) return chain.codes.has(contract) ? runCode(chain, params, block) : '0x'
  if (typeof input !== 'string') throw new RpcFault(INVALID_PARAMS, 'missing input')
  const selector = input.slice(0, 10)
  if (selector === BALANCE_OF) {
    const holder = `0x${decodeUint(`0x${input.slice(10)}`)
      .toString(16)
      .padStart(40, '0')}`
    return encodeValues(['uint256'], [chain.tree.balance(keyOf(holder, contract), block)])
  }
  if (selector === DECIMALS) return encodeValues(['uint8'], [token.decimals])
  if (selector === SYMBOL) return encodeValues(['string'], [token.symbol])
  if (selector === TRANSFER && tryCall(chain, params, block).execution.succeeded) {
    return encodeValues(['bool'], [true])
  }
  if (selector === NAME) return encodeValues(['string'], [token.name])
  throw new RpcFault(REVERTED, 'execution reverted')
}

function runCode(chain: EvmChain, params: Params, block: BlockNode): Hex {
  const { succeeded, gasUsed } = tryCall(chain, params, block).execution
  if (!succeeded) throw new RpcFault(REVERTED, 'execution reverted')
  if (gasUsed > GAS_MAX) throw new RpcFault(SERVER_ERROR, 'out of gas')
  return '0x'
}

/** eth_getBalance */
export function balanceResult(chain: EvmChain, params: Params): Hex {
  const address = addressAt(params, 0)
  return quantity(chain.tree.balance(keyOf(address), stateBlock(chain, params, 1)))
}

/** eth_getCode: tokens have some, and what was given some. */
export function codeResult(chain: EvmChain, params: Params): Hex {
  const address = addressAt(params, 0)
  stateBlock(chain, params, 1)
  return chain.tokens.has(address) || chain.codes.has(address) ? TOKEN_CODE : '0x'
}
