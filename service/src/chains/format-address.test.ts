import { parseTokenId } from '@sluice/wire'
import type { ChainId } from '@sluice/wire'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { networks, payments } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHolder } from '../../test/adapters/brands.ts'
import { compareWith } from '../../test/support/oracles.ts'
import { Bug } from '../base/assert.ts'
import {
  addressOf,
  canonicalTokenId,
  displayAddress,
  endsOf,
  hidesKey,
  leastPaymentOf,
  parseAddress,
  pathTypeOf,
  unspendableReason,
} from './format-address.ts'
import type { Address } from './port.ts'

const ETHEREUM = chain('eip155:1')
const REGTEST = chain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((key) => secp256k1.utils.isValidSecretKey(key))

describe('addresses of EVM chains', () => {
  compareWith(
    ['ethers', 'viem', 'viem/accounts'],
    ({ ethers, viem, 'viem/accounts': accounts }) => {
      test('the address of a public key is that of two other libraries [K01]', () => {
        fc.assert(
          fc.property(privateKeys, (key) => {
            const compressed = secp256k1.getPublicKey(key, true)
            const hex = Buffer.from(secp256k1.getPublicKey(key, false)).toString('hex')
            const shown = displayAddress(ETHEREUM, addressOf(ETHEREUM, compressed))
            expect(shown).toBe(accounts.publicKeyToAddress(`0x${hex}`))
            expect(shown).toBe(
              ethers.computeAddress(`0x${Buffer.from(compressed).toString('hex')}`),
            )
          }),
          { numRuns: 50 },
        )
      })

      test('EIP-55 spellings are those of two other libraries [K01]', () => {
        fc.assert(
          fc.property(addresses, (address) => {
            const shown = displayAddress(ETHEREUM, read(address))
            expect(shown).toBe(viem.getAddress(address))
            expect(shown).toBe(ethers.getAddress(address))
          }),
        )
      })
    },
  )

  test('all lower, all upper and rightly mixed case are one address [V02]', () => {
    const lower = USDT.toLowerCase()
    const spellings = [lower, `0x${lower.slice(2).toUpperCase()}`, USDT]
    expect(spellings.map((text) => parseAddress(ETHEREUM, text))).toEqual([lower, lower, lower])
  })

  test.each([
    ['a wrong checksum', USDT.replace('dAC', 'DAC')],
    ['one letter in another case', USDT.replace('c7', 'C7')],
    ['39 digits', USDT.slice(0, -1)],
    ['41 digits', `${USDT}0`],
    ['no 0x', USDT.slice(2)],
    ['0X', `0X${USDT.slice(2)}`],
    ['ICAP', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
    ['a name', 'vitalik.eth'],
    ['a line feed behind', `${USDT}\n`],
    ['a space before', ` ${USDT}`],
    ['a look-alike letter', USDT.replace('C', 'С')],
    ['full-width digits', USDT.replace('7', '７')],
    ['nothing', ''],
    ['0x alone', '0x'],
  ])('%s is no address [V02]', (_what, text) => {
    expect(parseAddress(ETHEREUM, text)).toBeNull()
  })

  test('a change of case is refused unless it is the checksum [V02]', () => {
    fc.assert(
      fc.property(addresses, fc.nat(39), (address, at) => {
        const shown = displayAddress(ETHEREUM, read(address))
        const letter = shown[at + 2] ?? ''
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        const turned = `${shown.slice(0, at + 2)}${other}${shown.slice(at + 3)}`
        const digits = turned.slice(2)
        const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
        const isValid = turned === shown || isPlain
        expect(parseAddress(ETHEREUM, turned) !== null).toBe(isValid)
      }),
    )
  })

  test('a public key that is not compressed is a bug', () => {
    const key = secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), false)
    expect(() => addressOf(ETHEREUM, key)).toThrow(Bug)
  })
})

test('addresses that everyone can spend from are refused, except on test chains [V05]', () => {
  const isLost = (id: string, text: string) => {
    const address = parseAddress(chain(id), text)
    return address !== null && unspendableReason(chain(id), address) !== null
  }
  const genesis = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
  expect(isLost('xrpl:mainnet', genesis)).toBe(true)
  expect(isLost('xrpl:testnet', genesis)).toBe(false)
  for (const id of ['xrpl:mainnet', 'xrpl:testnet']) {
    expect(isLost(id, 'rrrrrrrrrrrrrrrrrrrrrhoLvTp')).toBe(true)
    expect(isLost(id, 'rrrrrrrrrrrrrrrrrrrrBZbvji')).toBe(true)
  }
})

describe('addresses of Bitcoin chains', () => {
  const bitcoin = chain('bip122:000000000019d6689c085ae165831e93')
  const testnet = chain('bip122:000000000933ea01ad0ee984209779ba')
  const regtest = chain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')

  test('the address of a key is the P2WPKH address that another library makes [K01]', () => {
    const known: [ChainId, typeof networks.bitcoin][] = [
      [bitcoin, networks.bitcoin],
      [testnet, networks.testnet],
      [regtest, networks.regtest],
    ]
    fc.assert(
      fc.property(privateKeys, (key) => {
        const pubkey = secp256k1.getPublicKey(key, true)
        for (const [id, network] of known) {
          const shown = displayAddress(id, addressOf(id, pubkey))
          expect(shown).toBe(payments.p2wpkh({ pubkey, network }).address)
          expect(parseAddress(id, shown)).toBe(shown)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('addresses that show no key when they spend are recognized [K01]', () => {
    const key = secp256k1.getPublicKey(new Uint8Array(32).fill(7), true)
    for (const id of [bitcoin, testnet, regtest]) {
      const [usual, taproot] = [addressOf(id, key), addressOf(id, key, 'p2tr')]
      expect([pathTypeOf(id, usual), pathTypeOf(id, taproot)]).toEqual([
        { addressType: 'p2wpkh' },
        { addressType: 'p2tr' },
      ])
      expect(parseAddress(id, taproot)).toBe(taproot)
      expect([hidesKey(usual), hidesKey(taproot), hidesKey(`${usual} ${taproot}`)]).toEqual([
        false,
        true,
        true,
      ])
    }
    expect(pathTypeOf(ETHEREUM, addressOf(ETHEREUM, key))).toEqual({})
    expect(() => addressOf(ETHEREUM, key, 'p2tr')).toThrow(Bug)
    // Base58 of P2PKH may look alike.
    expect(hidesKey('1pbc1pZ tb1qbc1p')).toBe(false)
  })

  test('an address of another network, or of another family, is none [V03]', () => {
    const key = secp256k1.getPublicKey(new Uint8Array(32).fill(7), true)
    expect(parseAddress(bitcoin, addressOf(testnet, key))).toBeNull()
    expect(parseAddress(testnet, addressOf(regtest, key))).toBeNull()
    expect(parseAddress(bitcoin, USDT)).toBeNull()
    expect(() => addressOf(bitcoin, new Uint8Array(32))).toThrow(Bug)
  })
})

describe('token ids', () => {
  test.each([USDT, USDT.toLowerCase(), `0x${USDT.slice(2).toUpperCase()}`])(
    'V06 the contract %s is one token',
    (contract) => {
      expect(canonicalTokenId(`eip155:1/erc20:${contract}`)).toBe(`eip155:1/erc20:${USDT}`)
    },
  )

  test.each([
    ['eip155:1/slip44:60', 'eip155:1/slip44:60'],
    ['xrpl:mainnet/slip44:144', 'xrpl:mainnet/slip44:144'],
    [
      'tron:shasta/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      'tron:shasta/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ],
  ])('%s is canonical', (text, canonical) => {
    expect(canonicalTokenId(text)).toBe(canonical)
  })

  test.each([
    'eip155:1/erc20:0xDAC17F958D2ee523a2206206994597C13D831ec7',
    'eip155:1/erc20:0xdac17f958d2ee523a2206206994597c13d831ec',
    'eip155:1/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'tron:shasta/erc20:0xdac17f958d2ee523a2206206994597c13d831ec7',
    'bip122:000000000019d6689c085ae165831e93/erc20:0xdac17f958d2ee523a2206206994597c13d831ec7',
    'eip155:1/slip44:060',
    'eip155:1/slip44:-1',
    'eip155:1/erc721:0xdac17f958d2ee523a2206206994597c13d831ec7',
    'solana:1/slip44:501',
    'eip155:1',
    '__proto__',
    '',
  ])('%s is no token id [V06]', (text) => {
    expect(canonicalTokenId(text)).toBeNull()
  })
})

/** GetDustThreshold of Bitcoin Core at its 3 satoshi per virtual byte. */
test.each([
  ['a key', 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c', 294n],
  ['a taproot key', 'bcrt1pamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhqz6nvlh', 330n],
  ['a script', '2NF2b3KS8xXb9XHvbRMXdZh8s5g92rUZHtp', 540n],
  ['an old key', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 546n],
])('least payment to %s is the dust limit of Bitcoin Core', (_name, to, least) => {
  expect(leastPaymentOf(REGTEST, parseHolder(REGTEST, to))).toBe(least)
})

test('least payment is one base unit on other chains', () => {
  const to = read('0x5FbDB2315678afecb367f032d93F642f64180aa3')
  expect(leastPaymentOf(ETHEREUM, to)).toBe(1n)
})

test.each([
  [ETHEREUM, '0x5fbdb2315678afecb367f032d93f642f64180aa3', '0x5fbd', '0aa3'],
  [REGTEST, 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c', 'bcrt1qzyg3', 'th6c'],
  [REGTEST, '2NF2b3KS8xXb9XHvbRMXdZh8s5g92rUZHtp', '2NF2b', 'ZHtp'],
  [chain('tron:shasta'), 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TR7NH', 'Lj6t'],
])('the ends of an address skip what all addresses share: %s', (on, text, prefix, suffix) => {
  expect(endsOf(parseHolder(on, text))).toEqual({ prefix, suffix })
})

function chain(text: string): ChainId {
  const parts = parseTokenId(`${text}/slip44:0`)
  if (parts === null) throw new Error(text)
  return parts.chainId
}

function read(text: string): Address {
  const address = parseAddress(ETHEREUM, text)
  if (address === null) throw new Error(text)
  return address
}
