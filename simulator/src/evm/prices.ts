import type { EvmChain } from '../evm-chain.ts'
import { type Hex, quantity } from '../hex.ts'
import { blockByTag, type Params, RpcFault } from './params.ts'
import { TIP } from './pending.ts'

const METHOD_NOT_FOUND = -32_601
const BLOCKS_MAX = 1_024

/** eth_gasPrice: the base fee of the head and the usual tip; without a base fee the tip alone. */
export function gasPriceResult(chain: EvmChain): Hex {
  return quantity((chain.baseFee ?? 0n) + TIP)
}

/** eth_maxPriorityFeePerGas, which chains without a base fee do not have. */
export function tipResult(chain: EvmChain): Hex {
  if (chain.baseFee !== null) return quantity(TIP)
  const message = 'the method eth_maxPriorityFeePerGas does not exist/is not available'
  throw new RpcFault(METHOD_NOT_FOUND, message)
}

/** eth_feeHistory: base fees up to the next block's, how full blocks were, and what they paid. */
export function feeHistoryResult(chain: EvmChain, params: Params) {
  const newest = blockByTag(chain, params, 1)?.height ?? chain.tree.head.height
  const count = Math.min(Number(params[0] ?? 1), BLOCKS_MAX, newest + 1)
  const percentiles = Array.isArray(params[2]) ? params[2] : []
  const heights = Array.from({ length: count }, (_, at) => newest - count + 1 + at)
  const headers = heights.map((height) => chain.tree.at(height)?.header)
  const paid = heights.map((height) => (chain.tree.at(height)?.transactions.length ?? 0) > 0)
  return {
    oldestBlock: quantity(heights[0] ?? 0),
    baseFeePerGas: [
      ...headers.map((header) => header?.baseFeePerGas ?? '0x0'),
      quantity(chain.baseFee ?? 0n),
    ],
    gasUsedRatio: headers.map((header) => Number(header?.gasUsed) / Number(header?.gasLimit)),
    reward: paid.map((any) => percentiles.map(() => quantity(any ? TIP : 0n))),
  }
}
