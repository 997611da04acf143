import type { ChainId } from '@sluice/wire'
import type { Address } from '../port.ts'

/** Special addresses without a private key (xrpl.org, "Addresses": special addresses). */
const REASONS: Readonly<Record<string, string>> = {
  rrrrrrrrrrrrrrrrrrrrrhoLvTp: 'ACCOUNT_ZERO',
  rrrrrrrrrrrrrrrrrrrrBZbvji: 'ACCOUNT_ONE',
  rrrrrrrrrrrrrrrrrNAMEtxvNvQ: 'the name reservation black hole',
  rrrrrrrrrrrrrrrrrrrn5RM1rHd: 'the NaN address',
}
/** Its key is derived from the published seed `masterpassphrase`. Test networks pay from it. */
const GENESIS_ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

/**
 * Describes an address that cannot be spent from, or, on a network with valuable coins, that anyone
 * can spend from; null for any other address.
 */
export function unspendableXrpl(address: Address, chainId: ChainId): string | null {
  const isOpen = address === GENESIS_ACCOUNT && chainId === 'xrpl:mainnet'
  return isOpen ? 'the genesis account, whose key is public' : (REASONS[address] ?? null)
}
