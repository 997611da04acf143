import { demand, type Family } from './decoded.ts'

/** Address formats of a Bitcoin network. */
export interface Network {
  /** Human-readable part of bech32 (BIP-173). */
  prefix: string
  /** Version byte of base58 addresses of a key's hash (P2PKH). */
  keyHashVersion: number
  /** Version byte of base58 addresses of a script's hash (P2SH). */
  scriptHashVersion: number
}

const FAMILIES: readonly Family[] = ['eip155', 'bip122', 'tron', 'xrpl']
const MAIN: Network = { prefix: 'bc', keyHashVersion: 0x00, scriptHashVersion: 0x05 }
const TEST: Network = { prefix: 'tb', keyHashVersion: 0x6f, scriptHashVersion: 0xc4 }

/** By the first 32 digits of the hash of the genesis block (CAIP-4). */
const NETWORKS: Readonly<Record<string, Network>> = {
  'bip122:000000000019d6689c085ae165831e93': MAIN,
  'bip122:000000000933ea01ad0ee984209779ba': TEST,
  // Testnet4 (BIP-94) and the default signet (BIP-325).
  'bip122:00000000da84f2bafbbc53dee25a72ae': TEST,
  'bip122:00000008819873e925422c1ff0f99f7c': TEST,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': { ...TEST, prefix: 'bcrt' },
}

/** The family of a CAIP-2 chain id. Throws Undecodable for an unknown namespace. */
export function familyOf(chainId: string): Family {
  const family = FAMILIES.find((namespace) => chainId.startsWith(`${namespace}:`))
  demand(family !== undefined, `no known family of chains: ${chainId}`)
  return family
}

/** The Bitcoin network of a CAIP-2 chain id. Throws Undecodable for an unknown network. */
export function networkOf(chainId: string): Network {
  const network = NETWORKS[chainId]
  demand(network !== undefined, `no known Bitcoin network: ${chainId}`)
  return network
}
