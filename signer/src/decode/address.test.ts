import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bitcoinAddressOf } from '../../../service/src/chains/bitcoin/address.ts'
import {
  checksumAddress as serviceChecksum,
  evmAddressOf,
} from '../../../service/src/chains/evm/address.ts'
import { tronAddressOf } from '../../../service/src/chains/tron/address.ts'
import { xrplAddressOf } from '../../../service/src/chains/xrpl/address.ts'
import { parseChain } from '../../../service/test/adapters/brands.ts'
import { addressOf, checksumAddress, tronAddress, xrplAddress } from './address.ts'
import { addressOfScript, spendableScriptOf } from './bitcoin-script.ts'
import { networkOf } from './chains.ts'
import { Undecodable } from './decoded.ts'

const MAIN = parseChain('bip122:000000000019d6689c085ae165831e93')
const TESTNET = parseChain('bip122:000000000933ea01ad0ee984209779ba')
/** All known networks; the last three are testnet4, signet and regtest. */
const NETWORKS = [
  MAIN,
  TESTNET,
  parseChain('bip122:00000000da84f2bafbbc53dee25a72ae'),
  parseChain('bip122:00000008819873e925422c1ff0f99f7c'),
  parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328'),
]

const anyKey = fc
  .bigInt(1n, secp256k1.Point.Fn.ORDER - 1n)
  .map((secret) => secp256k1.Point.BASE.multiply(secret).toBytes(true))

describe('an address', () => {
  test('of any key is the one of the service', () => {
    fc.assert(
      fc.property(anyKey, fc.constantFrom(...NETWORKS), (key, network) => {
        expect(addressOf('eip155:137', key)).toBe(serviceChecksum(evmAddressOf(key)))
        expect(addressOf('tron:shasta', key)).toBe(tronAddressOf(key))
        expect(addressOf('xrpl:mainnet', key)).toBe(xrplAddressOf(key))
        expect(addressOf(network, key)).toBe(bitcoinAddressOf(key, network))
        expect(addressOf(network, key, 'p2tr')).toBe(bitcoinAddressOf(key, network, 'p2tr'))
      }),
      { numRuns: 50 },
    )
  })

  test('of an unknown chain or of a key of another form is refused', () => {
    const key = secp256k1.getPublicKey(new Uint8Array(32).fill(7), true)
    expect(() => addressOf('bip122:00', key)).toThrow(/no known Bitcoin network: bip122:00/)
    expect(() => addressOf('solana:1', key)).toThrow(/no known family of chains: solana:1/)
    const point = secp256k1.Point.fromBytes(key).toBytes(false)
    expect(() => addressOf(MAIN, point)).toThrow(/33 bytes/)
    expect(() => addressOf(MAIN, new Uint8Array(33).fill(2, 0, 1).fill(5, 1))).toThrow()
  })

  test.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('is spelled %s by EIP-55', (text) => {
    expect(checksumAddress(hexToBytes(text.slice(2).toLowerCase()))).toBe(text)
  })

  test('of TRON is as published for a key (CAIP-10) and for the contract of USDT', () => {
    const key = '0304b604296010a55d40000b798ee8454eccc1f8900e70b1adf47c9887625d8bae'
    expect(addressOf('tron:shasta', hexToBytes(key))).toBe('TDpBe64DqirkKWj6HWuR1pWgmnhw2wDacE')
    const contract = hexToBytes('a614f803b6fd780986a42c78ec9c7f77e6ded13c')
    expect(tronAddress(contract)).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  })

  test('of the XRP Ledger is as published for the special accounts', () => {
    expect(xrplAddress(new Uint8Array(20))).toBe('rrrrrrrrrrrrrrrrrrrrrhoLvTp')
    expect(xrplAddress(new Uint8Array(20).fill(1, 19))).toBe('rrrrrrrrrrrrrrrrrrrrBZbvji')
    const genesis = '0330e7fc9d56bb25d6893ba3f317ae5bcf33b3291bd63db32654a313222f7fd020'
    const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
    expect(addressOf('xrpl:testnet', hexToBytes(genesis))).toBe(address)
  })

  test('of type P2TR is as published in BIP-86', () => {
    const keys = [
      '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
      '0283dfe85a3151d2517290da461fe2815591ef69f2b18a2ce63f01697a8b313145',
      '02399f1b2f4393f29a18c937859c5dd8a77350103157eb880f02e8c08214277cef',
    ]
    expect(keys.map((key) => addressOf(MAIN, hexToBytes(key), 'p2tr'))).toEqual([
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
      'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7',
    ])
  })
})

describe('an output script', () => {
  /** BIP-173 and BIP-350 (test vectors), P2PKH and P2SH. */
  const published: [chainId: string, address: string, script: string][] = [
    [
      MAIN,
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      '0014751e76e8199196d454941c45d1b3a323f1433bd6',
    ],
    [
      TESTNET,
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      MAIN,
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    [
      MAIN,
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac',
    ],
    [MAIN, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87'],
  ]
  test.each(published)('on %s has the published address %s', (chainId, address, script) => {
    expect(addressOfScript(hexToBytes(script), networkOf(chainId))).toBe(address)
  })

  test('of an input is the script of its P2WPKH or P2TR address', () => {
    const scripts = published.filter(([, address]) => address.startsWith('bc1'))
    expect(scripts).toHaveLength(2)
    for (const [chainId, address, script] of scripts) {
      expect(bytesToHex(spendableScriptOf(address, networkOf(chainId)))).toBe(script)
    }
  })

  test.each([
    ['an address in upper case', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    ['version 0 with the checksum of BIP-350', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
    [
      'version 1 with the checksum of BIP-173',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    ],
    [
      'version 1 of 40 bytes',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    ],
    ['version 16', 'bc1sw50qgdz25j'],
    ['testnet', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['P2WSH', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['P2PKH', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['no text', ''],
  ])('of an input is refused for %s', (_name, address) => {
    expect(() => spendableScriptOf(address, networkOf(MAIN))).toThrow(Undecodable)
  })
})
