import type { AddressKind } from './scripts.ts'

/** A network of Bitcoin, and its first block. */
export interface BitcoinNetwork {
  /** Name in `getblockchaininfo`. */
  chain: 'main' | 'test' | 'regtest'
  kind: AddressKind
  genesis: { time: number; bits: number; nonce: number }
  /** Blocks until the subsidy halves. */
  halving: number
}

const TEST_KIND = { keyHash: 0x6f, scriptHash: 0xc4 }

/** From Core's chainparams.cpp. All three first blocks have the same one transaction. */
export const BITCOIN_NETWORKS = {
  main: {
    chain: 'main',
    kind: { prefix: 'bc', keyHash: 0, scriptHash: 5 },
    genesis: { time: 1_231_006_505, bits: 0x1d00ffff, nonce: 2_083_236_893 },
    halving: 210_000,
  },
  test: {
    chain: 'test',
    kind: { ...TEST_KIND, prefix: 'tb' },
    genesis: { time: 1_296_688_602, bits: 0x1d00ffff, nonce: 414_098_458 },
    halving: 210_000,
  },
  regtest: {
    chain: 'regtest',
    kind: { ...TEST_KIND, prefix: 'bcrt' },
    genesis: { time: 1_296_688_602, bits: 0x207fffff, nonce: 2 },
    halving: 150,
  },
} as const satisfies Record<string, BitcoinNetwork>

export type BitcoinNetworkName = keyof typeof BITCOIN_NETWORKS

/** The transaction of every first block, byte for byte. */
export const GENESIS_TRANSACTION =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d' +
  '0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66' +
  '207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe55' +
  '48271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba' +
  '0b8d578a4c702b6bf11d5fac00000000'
