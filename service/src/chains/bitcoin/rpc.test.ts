import { describe, expect, test } from 'vitest'
import { Outage } from '../../base/fault.ts'
import { parseChain as chainId } from '../../../test/adapters/brands.ts'
import { parseExactJson } from '../exact-json.ts'
import { parseChain, parseCoins, parseHeader, parsePrevouts } from './rpc.ts'

const REGTEST = chainId('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
const HASH = 'ab'.repeat(32)

describe('coins', () => {
  test.each([
    ['0', 0n],
    ['0.00000000', 0n],
    ['0.00000001', 1n],
    ['0.1', 10_000_000n],
    ['20999999.97690000', 2_099_999_997_690_000n],
    ['21000000', 2_100_000_000_000_000n],
  ])('%s are read to the satoshi', (text, satoshi) => {
    expect(parseCoins(text, 'value')).toBe(satoshi)
  })

  test.each([
    '1e-8',
    '-1',
    '0.000000001',
    '01',
    '.5',
    '1.',
    '',
    ' 1',
    '21000000.00000001',
    0.5,
    null,
    undefined,
  ])('%s are an outage [N09]', (value) => {
    expect(() => parseCoins(value, 'value')).toThrow(Outage)
  })
})

describe('answers of a node', () => {
  const chain = { blocks: 7, bestblockhash: HASH, pruned: false, initialblockdownload: false }
  const header = { hash: HASH, height: 7, previousblockhash: HASH }

  test('are read', () => {
    expect(parseChain(chain)).toEqual({
      height: 7,
      hash: HASH,
      isPruned: false,
      isDownloading: false,
    })
    expect(parseHeader(header)).toEqual({ hash: HASH, height: 7, previousHash: HASH })
    expect(parseHeader({ hash: HASH, height: 0 }).previousHash).toBe('0'.repeat(64))
  })

  test.each([
    ['a height that is a text', { ...chain, blocks: '7' }],
    ['a height below zero', { ...chain, blocks: -1 }],
    ['a hash that is too short', { ...chain, bestblockhash: 'ab' }],
    ['no word on pruning', { ...chain, pruned: undefined }],
    ['no word on downloading', { ...chain, initialblockdownload: 0 }],
    ['a list', []],
    ['nothing', null],
  ])('with %s are an outage [N09]', (_name, answer) => {
    expect(() => parseChain(answer)).toThrow(Outage)
  })

  const script = { hex: `0014${'11'.repeat(20)}` }
  const input = `{"txid": "${HASH}", "vout": 3, "prevout": {"value": 0.10000001,
    "scriptPubKey": ${JSON.stringify(script)}}}`

  test('name what was spent to the satoshi, and whose it was', () => {
    expect(parsePrevouts(parseExactJson(`{"vin": [${input}]}`), REGTEST)).toEqual([
      {
        txid: HASH,
        vout: 3,
        address: 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c',
        value: 10_000_001n,
      },
    ])
  })

  test('without word of what was spent name nothing [B15]', () => {
    const bare = `{"vin": [${input}, {"txid": "${HASH}", "vout": 4}]}`
    expect(parsePrevouts(parseExactJson(bare), REGTEST)).toBeNull()
  })

  test.each([
    ['an amount that is not a number', input.replace('0.10000001', '"much"')],
    ['a script that is no hex', input.replace('0014', '0x14')],
    ['an output index that is not a number', input.replace('"vout": 3', '"vout": -3')],
    ['no transaction', input.replace(HASH, 'ab')],
  ])('with %s are an outage [N09]', (_name, text) => {
    expect(() => parsePrevouts(parseExactJson(`{"vin": [${text}]}`), REGTEST)).toThrow(Outage)
  })
})
