import { describe, expect, test } from 'vitest'
import { explorerUrl } from './explorer.ts'

const explorer = {
  tx: 'https://explorer.example/tx/{hash}',
  address: 'https://explorer.example/address/{address}',
}

describe('explorerUrl', () => {
  test('fills in the template of the chain', () => {
    expect(explorerUrl({ explorer }, 'tx', '0xab')).toBe('https://explorer.example/tx/0xab')
    const url = explorerUrl({ explorer }, 'address', 'a/b')
    expect(url).toBe('https://explorer.example/address/a%2Fb')
  })

  test('gives no link without an explorer, or if the template is no web address', () => {
    expect(explorerUrl(undefined, 'tx', '0xab')).toBeNull()
    expect(explorerUrl({ explorer: null }, 'tx', '0xab')).toBeNull()
    expect(explorerUrl({ explorer: { tx: 'javascript:{hash}' } }, 'tx', '0xab')).toBeNull()
  })
})
