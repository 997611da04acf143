import { describe, expect, test } from 'vitest'
import { hashOf, sampleBlock, word } from '../../../test/adapters/evm-sample.ts'
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
      [{ to: TOKEN, data, gas: '0xf4240' }, state],
    ])
  })

  test('is read at the head by its tag, which no node prunes', async () => {
    const { answers } = answersOf([])
    const asked: unknown[] = []
    answers['eth_getBalance'] = (...params) => asked.push(params) && '0x2a'
    answers['eth_call'] = (...params) => asked.push(params) && word(43n)
    const { adapter } = await adapterOf([answers])
    expect(await adapter.balanceOf(HOLDER, ETHER_ID, 'head')).toBe(42n)
    expect(await adapter.balanceOf(HOLDER, TOKEN_ID, 'head')).toBe(43n)
    expect(asked).toMatchObject([
      [D, 'latest'],
      [{ to: TOKEN }, 'latest'],
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
    [-32002, 'Archive, Debug and Trace requests are not available on your current plan.'],
    [-32000, 'project ID does not have access to archive state'],
    [-32701, 'Archive requests require a personal token'],
    [-32601, 'this method on an archival block is not supported'],
    [-32000, 'the requested block is too old'],
  ])('of a state that the plan does not serve is null: %i %s', async (code, message) => {
    expect(await balanceOn({ eth_call: () => refuse(code, message) }, TOKEN_ID)).toBeNull()
  })

  describe('of a block that is old', () => {
    const atHead = (head: number): Record<string, Answer> => {
      const { answers } = answersOf([])
      const later = sampleBlock([], { number: `0x${head.toString(16)}` }).block
      const byNumber: Answer = (tag: never) =>
        tag === 'latest' ? later : answers['eth_getBlockByNumber']?.(tag)
      return { eth_getBlockByNumber: byNumber }
    }
    const onlyAtHead =
      (code: number, message: string): Answer =>
      (_call: unknown, state: unknown) =>
        state === 'latest' ? word(9n) : refuse(code, message)
    const NOT_SERVED = onlyAtHead(-32003, 'not for you')

    /** Asks one chain of such nodes as often as is wanted. */
    const asking = async (...changes: Record<string, Answer>[]) => {
      const { answers, block } = answersOf([])
      const nodes = changes.map((change) => ({ ...answers, ...atHead(127), ...change }))
      const { adapter, pass } = await adapterOf(nodes)
      const ask = () => adapter.balanceOf(HOLDER, TOKEN_ID, at(block))
      return { nodes, pass, ask, askHead: () => adapter.balanceOf(HOLDER, TOKEN_ID, 'head') }
    }

    test('is null when the node answers only for its head for ten minutes', async () => {
      const { ask, pass } = await asking({ eth_call: NOT_SERVED })
      await failing(ask())
      pass(300_000)
      await failing(ask())
      pass(299_999)
      await failing(ask())
      pass(60_001)
      expect(await ask()).toBeNull()
      expect(await ask()).toBeNull()
    })

    test.each([
      [-32603, 'internal error'],
      [-32000, 'execution aborted (timeout = 5s)'],
    ])("is the node's answer after a temporary refusal: %i %s", async (code, message) => {
      let asked = 0
      const { ask } = await asking({
        eth_call: (_call: unknown, state: unknown) => {
          if (state === 'latest') return word(9n)
          asked += 1
          return asked === 1 ? refuse(code, message) : word(43n)
        },
      })
      expect(await ask()).toBe(43n)
    })

    test('is an outage again when the node answered, or was not queried, in between', async () => {
      const { ask, nodes, pass } = await asking({ eth_call: NOT_SERVED })
      await failing(ask())
      pass(660_000)
      await failing(ask())
      pass(300_000)
      Object.assign(nodes[0] ?? {}, { eth_call: () => word(43n) })
      expect(await ask()).toBe(43n)
      Object.assign(nodes[0] ?? {}, { eth_call: NOT_SERVED })
      pass(300_000)
      await failing(ask())
    })

    test('does not set the node aside for queries at the head when refused', async () => {
      const { ask, askHead } = await asking({ eth_call: NOT_SERVED })
      for (let times = 0; times < 5; times += 1) {
        await failing(ask())
        expect(await askHead()).toBe(9n)
      }
    })

    describe('a balance of a state that one node has pruned', () => {
      const PRUNED: Answer = () => refuse(-32000, 'missing trie node')
      const busy: Answer = () => refuse(-32005, 'busy')
      const AWAY = { eth_chainId: busy, eth_call: busy }

      test('waits for a node that is down and may have kept it', async () => {
        const { answers } = answersOf([])
        const { ask, nodes, pass } = await asking({ eth_call: PRUNED }, AWAY)
        await failing(ask())
        pass(300_000)
        await failing(ask())
        const { eth_chainId = busy } = answers
        Object.assign(nodes[1] ?? {}, { eth_chainId, eth_call: () => word(43n) })
        pass(60_000)
        expect(await ask()).toBe(43n)
      })

      test('is null once another has been away for ten minutes', async () => {
        const { ask, pass } = await asking(AWAY, { eth_call: PRUNED })
        await failing(ask())
        pass(300_000)
        await failing(ask())
        pass(300_000)
        expect(await ask()).toBeNull()
      })

      test('is null once another node has failed for ten minutes, despite its head', async () => {
        const fails: Answer = (call: never, state: never) =>
          state === 'latest' ? word(9n) : busy(call, state)
        const { ask, askHead, pass } = await asking({ eth_call: fails }, { eth_call: PRUNED })
        await failing(ask())
        pass(300_000)
        expect(await askHead()).toBe(9n)
        await failing(ask())
        pass(300_000)
        expect(await askHead()).toBe(9n)
        expect(await ask()).toBeNull()
      })

      test('is null when no node has kept it', async () => {
        const { ask } = await asking({ eth_call: PRUNED }, { eth_call: PRUNED })
        expect(await ask()).toBeNull()
      })
    })

    test('is an outage where the block is young enough for every node to have it', async () => {
      await failing(balanceOn({ ...atHead(126), eth_call: NOT_SERVED }, TOKEN_ID))
    })

    test('is an outage when the node does not answer for its head either', async () => {
      const refused = () => refuse(-32003, 'daily request limit reached')
      await failing(balanceOn({ ...atHead(500), eth_call: refused }, TOKEN_ID))
    })

    test('is an outage where the node is asked too often [N07]', async () => {
      const busy = onlyAtHead(-32005, 'archive requests: limit exceeded')
      await failing(balanceOn({ ...atHead(500), eth_call: busy }, TOKEN_ID))
    })

    test('is queried from another node before it counts as pruned', async () => {
      const { answers, block } = answersOf([])
      const archive = { ...answers, ...atHead(500), eth_call: () => word(43n) }
      for (const refused of [NOT_SERVED, () => refuse(-32000, 'missing trie node')]) {
        const pruned = { ...answers, ...atHead(500), eth_call: refused }
        const { adapter } = await adapterOf([pruned, archive])
        expect(await adapter.balanceOf(HOLDER, TOKEN_ID, at(block))).toBe(43n)
      }
    })
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

  test('of a pruned state is null by height too, if the height is still ours', async () => {
    const pruned = (_holder: string, state: unknown) =>
      typeof state === 'string'
        ? refuse(-32000, 'missing trie node 12 (path )')
        : refuse(-32602, 'invalid argument 1')
    expect(await balanceOn({ eth_getBalance: pruned })).toBeNull()
    const { answers } = answersOf([])
    const { adapter } = await adapterOf([{ ...answers, eth_getBalance: pruned }])
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

  test('returns its decimals and symbol', async () => {
    const facts = await factsOn((data) => (data === '0x313ce567' ? word(6n) : string))
    expect(facts).toEqual({ decimals: 6, symbol: 'USDT' })
  })

  test.each<[string, (data: string) => unknown]>([
    ['has no code', () => '0x'],
    ['reverts', () => refuse(3, 'execution reverted')],
    ['has 256 decimals', (data) => (data === '0x313ce567' ? word(256n) : string)],
    ['has no symbol', (data) => (data === '0x313ce567' ? word(6n) : '0x')],
  ])('rejects %s', async (_what, answer) => {
    expect(await factsOn(answer)).toBeNull()
  })

  test('rejects the native coin', async () => {
    expect(await factsOn(() => string, ETHER_ID)).toBeNull()
  })

  test('is no matter of a node that is busy', async () => {
    await failing(factsOn(() => refuse(-32005, 'limit exceeded')))
  })
})
