import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareWith } from '../../../test/support/oracles.ts'
import {
  fromContractForm,
  fromHex41,
  parseTronAddress,
  toContractForm,
  toHex41,
  tronAddressOf,
  ZERO_ADDRESS,
} from './address.ts'

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const USDT_HEX = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'
const twenty = fc.uint8Array({ minLength: 20, maxLength: 20 })
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('TRON addresses', () => {
  compareWith(['tronweb'], ({ tronweb }) => {
    test('the address of a key is what the public library says it is', () => {
      const keys = fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .filter(secp256k1.utils.isValidSecretKey)
      fc.assert(
        fc.property(keys, (key) => {
          const theirs = tronweb.TronWeb.address.fromPrivateKey(hexOf(key))
          expect(tronAddressOf(secp256k1.getPublicKey(key, true))).toBe(theirs)
        }),
        { numRuns: 50 },
      )
    })

    test('bytes and text are the same address, as the public library has it', () => {
      fc.assert(
        fc.property(twenty, (bytes) => {
          const hex = `41${hexOf(bytes)}`
          const address = fromHex41(hex)
          expect(address).toBe(tronweb.TronWeb.address.fromHex(hex))
          expect(toHex41(address)).toBe(hex)
          expect(parseTronAddress(address)).toBe(address)
          expect(fromContractForm(toContractForm(address))).toBe(address)
        }),
      )
    })
  })

  test.each([
    ['hex with 41', USDT_HEX],
    ['hex with the prefix of old test networks', `a0${USDT_HEX.slice(2)}`],
    ['the form of EVM chains', `0x${USDT_HEX.slice(2)}`],
    ['twenty bytes', USDT_HEX.slice(2)],
    ['a wrong checksum', `${USDT.slice(0, -1)}u`],
    ['another letter', `TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T`],
    ['a letter that base58 does not have', USDT.replace('q', '0')],
    ['lower case', USDT.toLowerCase()],
    ['a space before', ` ${USDT}`],
    ['a line after', `${USDT}\n`],
    ['a letter more', `${USDT}t`],
    ['a letter less', USDT.slice(0, -1)],
    ['nothing', ''],
    ['a Bitcoin address', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['an XRPL address', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    ['look-alikes', USDT.replace('T', 'Т')],
    ['ten thousand letters', 'T'.repeat(10_000)],
  ])('no address: %s [V04, T12]', (_name, text) => {
    expect(parseTronAddress(text)).toBeNull()
  })

  test('another prefix with a right checksum is no address [V04, T12]', () => {
    expect(parseTronAddress(fromHex41(USDT_HEX))).toBe(USDT)
    // The same twenty bytes after the bytes 42 and 40: both begin with T as well.
    expect(parseTronAddress('TpSyGx2w2bR9GdrDrYtrYwbvSPhwSmg7ER')).toBeNull()
    expect(parseTronAddress('T1mmJjSMcEVPdma3oiEDah4MBPC3yQsKfi')).toBeNull()
  })

  test('the zero address is written as explorers write it', () => {
    expect(ZERO_ADDRESS).toBe('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')
  })
})
