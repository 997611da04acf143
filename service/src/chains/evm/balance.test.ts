import { describe, expect, test } from 'vitest'
import { hashOf, word } from '../../../test/adapters/evm-sample.ts'
import type { Json } from '../../../test/adapters/evm-sample.ts'
import {
  adapterOf,
  answersOf,
  D,
  ETHER_ID,
  failing,
  HOLDER,
  TOKEN,
  TOKEN_ID,
} from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'

describe('a balance', () => {
  const at = (block: Json & { hash: string }) => ({ height: 7, hash: block.hash })
  const balanceOn = async (change: Record<string, Answer>, tokenId = ETHER_ID) => {
    const { answers, block } = answersOf([])
    const { adapter } = await adapterOf([{ ...answers, ...change }])
    return adapter.balanceOf(HOLDER, tokenId, at(block))
  }

  test('is read at the block of the hash', async () => {
    const { answers, block } = answersOf([])
    const asked: unknown[] = []
    answers['eth_getBalance'] = (...params) => asked.push(params) && '0x2a'
    answers['eth_call'] = (...params) => asked.push(params) && word(43n)
    const { adapter } = await adapterOf([answers])
    expect(await adapter.balanceOf(HOLDER, ETHER_ID, at(block))).toBe(42n)
    expect(await adapter.balanceOf(HOLDER, TOKEN_ID, at(block))).toBe(43n)
    const state = { blockHash: block.hash }
    const data = `0x70a08231${word(D).slice(2)}`
    expect(asked).toEqual([
      [D, state],
      [{ to: TOKEN, data }, state],
    ])
  })

  test.each([
    'missing trie node 1234 (path ) state 0xab is not available',
    'required historical state unavailable (reexec=128)',
    'old data not available due to pruning',
    'No state available for block 0x12',
    'state at block #7 is pruned',
    'distance to target block exceeds maximum proof window',
  ])('of a pruned state is null: %s', async (message) => {
    expect(await balanceOn({ eth_getBalance: () => refuse(-32000, message) })).toBeNull()
  })

  test.each([
    [-32000, 'header not found'],
    // An anvil that was started again has its blocks, but no states from before.
    [-32602, 'BlockOutOfRangeError: block height is 9 but requested was 7'],
  ])('at a block that the node has without its state is null: %i %s', async (code, message) => {
    expect(await balanceOn({ eth_getBalance: () => refuse(code, message) })).toBeNull()
  })

  test('at a block that the node does not know is an outage', async () => {
    const unknown = {
      eth_getBalance: () => refuse(-32001, 'Resource not found'),
      eth_getBlockByHash: () => null,
    }
    await failing(balanceOn(unknown))
  })

  test.each<[string, Answer]>([
    ['reverts', () => refuse(3, 'execution reverted')],
    ['runs out of gas', () => refuse(-32000, 'out of gas')],
    ['is no contract', () => '0x'],
    ['answers too little', () => '0x01'],
  ])('of a token that %s is null', async (_what, answer) => {
    expect(await balanceOn({ eth_call: answer }, TOKEN_ID)).toBeNull()
  })

  test.each<[string, Answer]>([
    ['is busy', () => refuse(-32005, 'limit exceeded')],
    ['took too long', () => refuse(-32000, 'execution aborted (timeout = 5s)')],
    ['answers nonsense', () => 42],
  ])('of a node that %s is an outage', async (_what, answer) => {
    await failing(balanceOn({ eth_call: answer }, TOKEN_ID))
  })

  test('is read by height where hashes are refused, if the height is still ours', async () => {
    const byHeight = (_holder: string, state: unknown) =>
      typeof state === 'string' ? '0x2a' : refuse(-32602, 'invalid argument 1')
    expect(await balanceOn({ eth_getBalance: byHeight })).toBe(42n)
    const { answers } = answersOf([])
    const { adapter } = await adapterOf([{ ...answers, eth_getBalance: byHeight }])
    await failing(adapter.balanceOf(HOLDER, ETHER_ID, { height: 7, hash: hashOf(9) }))
  })
})

describe('a token', () => {
  const factsOn = async (answer: (data: string) => unknown, tokenId = TOKEN_ID) => {
    const { answers } = answersOf([])
    answers['eth_call'] = (call: { data: string }) => answer(call.data)
    const { adapter } = await adapterOf([answers])
    return adapter.inspectToken(tokenId)
  }
  const letters = Buffer.from('USDT').toString('hex').padEnd(64, '0')
  const string = `${word(32n)}${word(4n).slice(2)}${letters}`

  test('tells its decimals and symbol', async () => {
    const facts = await factsOn((data) => (data === '0x313ce567' ? word(6n) : string))
    expect(facts).toEqual({ decimals: 6, symbol: 'USDT' })
  })

  test.each<[string, (data: string) => unknown]>([
    ['has no code', () => '0x'],
    ['reverts', () => refuse(3, 'execution reverted')],
    ['has 256 decimals', (data) => (data === '0x313ce567' ? word(256n) : string)],
    ['has no symbol', (data) => (data === '0x313ce567' ? word(6n) : '0x')],
  ])('that %s is none', async (_what, answer) => {
    expect(await factsOn(answer)).toBeNull()
  })

  test('that is the native coin is no contract', async () => {
    expect(await factsOn(() => string, ETHER_ID)).toBeNull()
  })

  test('is no matter of a node that is busy', async () => {
    await failing(factsOn(() => refuse(-32005, 'limit exceeded')))
  })
})
