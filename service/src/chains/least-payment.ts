import type { ChainId } from '@sluice/wire'
import { parseChainId } from '@sluice/wire'
import { scriptOf } from './bitcoin/address.ts'
import { dustOf } from './bitcoin/size.ts'
import type { Address } from './port.ts'

/**
 * The least that a payment to an address can be, in base units: what nodes of Bitcoin pass on to a
 * script of its kind, one everywhere else.
 */
export function leastPaymentOf(chainId: ChainId, to: Address): bigint {
  if (parseChainId(chainId)?.namespace !== 'bip122') return 1n
  return dustOf({ script: scriptOf(to, chainId) })
}
