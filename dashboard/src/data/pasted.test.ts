import type { Chain } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { chainsOfHash, readPasted, traceHref } from './pasted.ts'

const BARE = '4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'
const EVM = `0x${BARE}`
const XRPL = BARE.toUpperCase()

test('traceHref leads to the trace of a hash or an address, and of nothing else', () => {
  expect(traceHref(readPasted(EVM))).toBe(`/trace?txnHash=${EVM}`)
  expect(traceHref(readPasted(BARE), 'tron:shasta')).toContain('chainId=tron%3Ashasta')
  const address = `0x${'ab'.repeat(20)}`
  expect(traceHref(readPasted(address))).toBe(`/trace?address=${address}`)
  expect(traceHref(readPasted('alice'))).toBeNull()
})

describe('readPasted', () => {
  test('recognizes hashes with and without 0x', () => {
    for (const value of [EVM, BARE, XRPL])
      expect(readPasted(` ${value}\n`)).toEqual({ kind: 'hash', value })
  })

  test('finds the hash or the address in the URL of an explorer', () => {
    expect(readPasted(`https://sepolia.etherscan.io/tx/${EVM}#eventlog`).value).toBe(EVM)
    expect(readPasted(`https://tronscan.org/#/transaction/${BARE}`).value).toBe(BARE)
    const address = 'TMrUVBceuEYRWxLUZiMVvpstepTkPGN1Zo'
    expect(readPasted(`https://tronscan.org/#/address/${address}`)).toEqual({
      kind: 'address',
      value: address,
    })
  })

  test.each([
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    'TMrUVBceuEYRWxLUZiMVvpstepTkPGN1Zo',
    'rfWhYheaL7X5yheyHoHscsdAWBtUvbcEAL',
    'T7kEuQCD6TfVLv6EsXEhHU5zFTpjbgvu6WKcrPsRjy7vf82',
  ])('recognizes the address %s', (value) => {
    expect(readPasted(value)).toEqual({ kind: 'address', value })
  })

  test('recognizes the id of a deposit', () => {
    expect(readPasted('01a223b6-fcb6-71ba-90ee-50adaae7a293').kind).toBe('deposit')
  })

  test.each(['customer-42', EVM.slice(0, -1), `${EVM}0`, `order ${EVM}`, '0x12'])(
    'leaves %s as another text',
    (value) => {
      expect(readPasted(value)).toEqual({ kind: 'other', value })
    },
  )
})

describe('chainsOfHash', () => {
  const chains = ['eip155', 'bip122', 'xrpl', 'tron', 'eip155'].map(
    (namespace, index) => ({ id: `${namespace}:${index}`, namespace }) as Chain,
  )
  const namespaces = (hash: string) => chainsOfHash(hash, chains).map(({ namespace }) => namespace)

  test('offers EVM chains first for 0x, and no chain that never writes it', () => {
    expect(namespaces(EVM)).toEqual(['eip155', 'eip155', 'tron'])
  })

  test('offers the XRP Ledger first for upper-case letters', () => {
    expect(namespaces(XRPL)[0]).toBe('xrpl')
    expect(namespaces(XRPL)).toHaveLength(5)
  })

  test('offers every chain for lower-case letters without 0x', () => {
    expect(namespaces(BARE)).toEqual(['tron', 'bip122', 'xrpl', 'eip155', 'eip155'])
  })

  test('offers no chain for anything else', () => {
    expect(namespaces('customer-42')).toEqual([])
  })
})
