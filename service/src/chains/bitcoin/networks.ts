import type { ChainId } from '@sluice/wire'
import { parseChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'

/** The address formats of one network. */
export interface Network {
  /** The human-readable part of bech32 (BIP-173). */
  prefix: string
  /** The version byte of base58 addresses that pay to the hash of a key. */
  keyHashVersion: number
  /** The version byte of base58 addresses that pay to the hash of a script. */
  scriptHashVersion: number
}

const MAIN: Network = { prefix: 'bc', keyHashVersion: 0x00, scriptHashVersion: 0x05 }
const TEST: Network = { prefix: 'tb', keyHashVersion: 0x6f, scriptHashVersion: 0xc4 }
const REGTEST: Network = { ...TEST, prefix: 'bcrt' }

/** The reference of a bip122 chain is the first 32 digits of its genesis hash. */
const NETWORKS: Readonly<Record<string, Network>> = {
  '000000000019d6689c085ae165831e93': MAIN,
  '000000000933ea01ad0ee984209779ba': TEST,
  // Testnet4 (BIP-94) and the default signet (BIP-325).
  '00000000da84f2bafbbc53dee25a72ae': TEST,
  '00000008819873e925422c1ff0f99f7c': TEST,
  '0f9188f13cb7b2c71f2a335e3a4fc328': REGTEST,
}

const REFERENCE_DIGITS = 32

/** The network of a chain. An unknown one is a Bug: the catalogue only has known chains. */
export function networkOf(chainId: ChainId): Network {
  const network = NETWORKS[parseChainId(chainId)?.reference ?? '']
  assert(network !== undefined, 'a network whose addresses are not known', { chainId })
  return network
}

/** The chain id of the network whose first block has this hash (CAIP-2, bip122). */
export function chainIdOfGenesis(hash: string): ChainId {
  return brandChainId(`bip122:${hash.slice(0, REFERENCE_DIGITS)}`)
}

function brandChainId(text: string): ChainId {
  return text as ChainId
}
