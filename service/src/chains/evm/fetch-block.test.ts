import { describe, expect, test } from 'vitest'
import { addressOf, hashOf, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import type { SampleTransaction } from '../../../test/adapters/evm-sample.ts'
import {
  A,
  adapterOf,
  answersOf,
  CONTRACT_CALL,
  D,
  failing,
  PLAIN,
  positions,
  scope,
} from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'
import { logsBloom } from './receipts-root.ts'
import { parseReceipts } from './rpc.ts'

describe('a block', () => {
  test('is asked for by height once, and all else of it by its hash', async () => {
    const { answers, block } = answersOf([CONTRACT_CALL])
    const asked: unknown[] = []
    const receipts = answers['eth_getBlockReceipts']
    answers['eth_getBlockReceipts'] = (hash: never) => {
      asked.push(hash)
      return receipts?.(hash)
    }
    const { adapter } = await adapterOf([answers])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(asked).toEqual([block.hash])
  })

  test('is null by height and by hash when it is missing', async () => {
    const { adapter } = await adapterOf([answersOf([]).answers])
    expect(await adapter.blockAt({ height: 8 }, scope)).toBeNull()
    expect(await adapter.blockAt({ hash: hashOf(1) }, scope)).toBeNull()
    expect(await adapter.hashAt(8)).toBeNull()
  })

  test('is null when the node reports an unknown block as an error', async () => {
    const { answers } = answersOf([])
    const { adapter, node } = await adapterOf([answers])
    await adapter.identify()
    node.answers['eth_getBlockByNumber'] = () => refuse(-32000, 'unknown block')
    expect(await adapter.blockAt({ height: 8 }, scope)).toBeNull()
  })

  test('that is missing deep under the head is an outage, never skipped [N13]', async () => {
    const { answers } = answersOf([], { number: '0x7' })
    const { block } = sampleBlock([], { number: '0x100' })
    const byNumber = answers['eth_getBlockByNumber']
    answers['eth_getBlockByNumber'] = (tag: never) => (tag === 'latest' ? block : byNumber?.(tag))
    const { adapter } = await adapterOf([answers])
    await expect(adapter.blockAt({ height: 9 }, scope)).rejects.toThrow('history missing')
    await failing(adapter.hashAt(9))
  })

  test.each<[string, (answers: Record<string, Answer>) => void]>([
    ['N04 null receipts', (to) => void (to['eth_getTransactionReceipt'] = () => null)],
    ['N04 no receipts', (to) => void (to['eth_getTransactionReceipt'] = () => [])],
    [
      'another block than asked for',
      (to) => void (to['eth_getBlockByNumber'] = () => sampleBlock([], { number: '0x3' }).block),
    ],
    ['a refusal', (to) => void (to['eth_getTransactionReceipt'] = () => refuse(-32000, 'busy'))],
    ['a text', (to) => void (to['eth_getBlockByNumber'] = () => 'soon')],
  ])('%s is an outage', async (_what, spoil) => {
    const { answers } = answersOf([CONTRACT_CALL])
    const { adapter, node } = await adapterOf([answers])
    await adapter.identify()
    node.answers['eth_getBlockReceipts'] = () => null
    spoil(node.answers)
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test('that is replaced while it is read is null, and no fault of the node [R01]', async () => {
    const { answers } = answersOf([CONTRACT_CALL])
    const { adapter, node } = await adapterOf([answers])
    await adapter.identify()
    const sibling = sampleBlock([], { number: '0x7', hash: hashOf(1) }).block
    node.answers['eth_getBlockReceipts'] = () => {
      node.answers['eth_getBlockByNumber'] = () => sibling
      node.answers['eth_getTransactionReceipt'] = () => null
      return null
    }
    expect(await adapter.blockAt({ height: 7 }, scope)).toBeNull()
    expect(await adapter.hashAt(7)).toBe(sibling.hash)
  })

  test('is read from single receipts where the node knows no other way', async () => {
    const { answers } = answersOf([CONTRACT_CALL, PLAIN])
    delete answers['eth_getBlockReceipts']
    const { adapter, node } = await adapterOf([answers])
    expect(await positions(adapter)).toEqual(['tx', 'log:0', 'tx'])
    expect(node.counts['eth_getTransactionReceipt']).toBe(2)
  })

  test('a single receipt that is null is an outage [N04]', async () => {
    const { answers } = answersOf([CONTRACT_CALL])
    delete answers['eth_getBlockReceipts']
    answers['eth_getTransactionReceipt'] = () => null
    const { adapter } = await adapterOf([answers])
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test('reads from the next node when one returns a wrong block [N02]', async () => {
    const good = answersOf([CONTRACT_CALL])
    const bad = answersOf([CONTRACT_CALL])
    bad.answers['eth_getBlockReceipts'] = () => bad.receipts.map((one) => ({ ...one, logs: [] }))
    const { adapter, nodes } = await adapterOf([bad.answers, good.answers])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(nodes.map(({ counts }) => counts['eth_getBlockReceipts'])).toEqual([1, 1])
  })
})

describe('a block whose header does not commit to its receipts', () => {
  const unprovable = (samples: readonly SampleTransaction[] = [CONTRACT_CALL]) => {
    const made = answersOf(samples, { receiptsRoot: hashOf(1) })
    const bloom = { logsBloom: logsBloom(parseReceipts(made.receipts).flatMap(({ logs }) => logs)) }
    const byNumber = made.answers['eth_getBlockByNumber']
    made.answers['eth_getBlockByNumber'] = (tag: never) => {
      const block = byNumber?.(tag)
      return block === null ? null : { ...Object(block), ...bloom }
    }
    return made
  }

  test('is believed of a single node, with a warning', async () => {
    const { adapter, lines } = await adapterOf([unprovable().answers])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(lines.join()).toContain('no second node has counted')
  })

  test('needs the same count of logs on a second node', async () => {
    const second = unprovable()
    const { adapter, nodes } = await adapterOf([unprovable().answers, second.answers])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(nodes[1]?.counts['eth_getBlockReceipts']).toBe(1)
  })

  test('is an outage where the second node counts others', async () => {
    const second = unprovable()
    second.answers['eth_getBlockReceipts'] = () =>
      second.receipts.map((one) => ({ ...one, logs: [] }))
    const { adapter } = await adapterOf([unprovable().answers, second.answers])
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test.each([
    ['a log more', [twice(CONTRACT_CALL)]],
    ['a payment more, which logs nothing', [CONTRACT_CALL, PLAIN]],
  ])(
    'is an outage when one of two nodes has %s, in either order [N03]',
    async (...transactions) => {
      const [, more] = transactions
      const [fewer, all] = [unprovable().answers, unprovable(more).answers]
      for (const both of [
        [fewer, all],
        [all, fewer],
      ]) {
        const { adapter } = await adapterOf(both)
        await failing(adapter.blockAt({ height: 7 }, scope))
      }
    },
  )
})

describe('the filter of watched addresses', () => {
  test.each([
    ['logs', 'eth_getLogs'],
    ['receipts', 'eth_getBlockReceipts'],
  ] as const)(
    'is updated after the block has arrived, with %s [I14]',
    async (completeness, method) => {
      const { adapter, node } = await adapterOf([answersOf([CONTRACT_CALL]).answers], {
        completeness,
      })
      let isKnown = false
      const upToDate = async () => {
        expect(node.counts[method]).toBe(1)
        isKnown = true
      }
      const late = { ...scope, mayWatch: (one: unknown) => isKnown && one === D, upToDate }
      const block = await adapter.blockAt({ height: 7 }, late)
      expect(block?.transfers.map(({ position }) => position)).toEqual(['tx', 'log:0'])
    },
  )

  test.each(['logs', 'receipts'] as const)(
    'reads no transfer when no address is watched, with %s',
    async (mode) => {
      const { answers } = answersOf([CONTRACT_CALL, PLAIN])
      const { adapter } = await adapterOf([answers], { completeness: mode })
      const block = await adapter.blockAt({ height: 7 }, { ...scope, mayWatch: () => false })
      expect([block?.transfers, block?.transactions]).toEqual([[], []])
      const sender = { ...scope, mayWatch: (one: unknown) => one === A }
      const sent = await adapter.blockAt({ height: 7 }, sender)
      expect(sent?.transfers.map(({ from }) => from)).toEqual([A])
    },
  )
})

describe('a block of a trusted node', () => {
  const logsOnly = { completeness: 'logs' as const }
  const failed: SampleTransaction = { ...PLAIN, receipt: { status: '0x0' } }

  test('asks for the receipts of payments that no log proves [E01]', async () => {
    const { adapter, node } = await adapterOf(
      [answersOf([CONTRACT_CALL, failed]).answers],
      logsOnly,
    )
    const block = await adapter.blockAt({ height: 7 }, { ...scope, mayWatch: (one) => one === D })
    expect(block?.transfers.map(({ position }) => position)).toEqual(['tx', 'log:0'])
    expect(node.counts).toMatchObject({ eth_getLogs: 1, eth_getTransactionReceipt: 1 })
    expect(node.counts['eth_getBlockReceipts']).toBeUndefined()
  })

  test('E01 a log of the fee, which Polygon writes for failures too, proves nothing', async () => {
    const fee = { address: addressOf(0x1010), topics: [hashOf(1)], data: '0x' }
    const made = answersOf([{ ...failed, logs: [fee] }])
    const { adapter, node } = await adapterOf([made.answers], logsOnly)
    expect(await positions(adapter)).toEqual([])
    expect(node.counts['eth_getTransactionReceipt']).toBe(1)
  })

  test('a block that hides its transactions is an outage [N02]', async () => {
    const hidden = answersOf([], { transactionsRoot: hashOf(1) })
    const { adapter } = await adapterOf([hidden.answers], logsOnly)
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test('a receipt of the transaction in another block is an outage [N01]', async () => {
    const made = answersOf([PLAIN])
    const [receipt] = made.receipts
    made.answers['eth_getTransactionReceipt'] = () => ({ ...receipt, blockHash: hashOf(1) })
    const { adapter } = await adapterOf([made.answers], logsOnly)
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test('an empty list of logs is an outage where the header has some [N01]', async () => {
    const made = answersOf([CONTRACT_CALL], { logsBloom: `0x${'0'.repeat(511)}4` })
    const { adapter, node } = await adapterOf([made.answers], logsOnly)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    node.answers['eth_getLogs'] = () => []
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test('reads a block without logs when its header has an empty bloom, or none', async () => {
    for (const bloom of [`0x${'0'.repeat(512)}`, undefined]) {
      const made = answersOf([PLAIN], { logsBloom: bloom })
      const { adapter } = await adapterOf([made.answers], logsOnly)
      expect(await positions(adapter)).toEqual(['tx'])
    }
  })

  test('reads no receipts of transactions without a watched address', async () => {
    const { adapter, node } = await adapterOf([answersOf([failed, PLAIN]).answers], logsOnly)
    const block = await adapter.blockAt({ height: 7 }, { ...scope, mayWatch: () => false })
    expect(node.counts['eth_getTransactionReceipt']).toBeUndefined()
    expect(block?.transactions).toEqual([])
    const watched = await adapter.blockAt({ height: 7 }, { ...scope, mayWatch: (one) => one === D })
    expect(watched?.transactions).toEqual([])
    expect(watched?.transfers).toHaveLength(1)
  })

  test('asks what each transaction that we may have sent has cost', async () => {
    const ours = { ...CONTRACT_CALL, receipt: { gasUsed: '0x5', l1Fee: '0x3' } }
    const { adapter, node } = await adapterOf([answersOf([ours]).answers], logsOnly)
    const mayWatch = (one: unknown) => one === addressOf(0xf0)
    const block = await adapter.blockAt({ height: 7 }, { ...scope, mayWatch })
    expect(node.counts['eth_getTransactionReceipt']).toBe(1)
    expect(block?.transactions).toMatchObject([
      { succeeded: true, sender: addressOf(0xf0), nonce: 0, fee: 13n },
    ])
  })

  test('returns the same block as one proved by receipts', async () => {
    const samples = [CONTRACT_CALL, failed, PLAIN]
    const byLogs = await adapterOf([answersOf(samples).answers], logsOnly)
    const proved = await adapterOf([answersOf(samples).answers])
    const [one, other] = [byLogs, proved].map(({ adapter }) =>
      adapter.blockAt({ height: 7 }, scope),
    )
    expect(await one).toEqual(await other)
  })
})

/** The same with its logs twice: a bloom filter shows no difference. */
function twice(sample: SampleTransaction): SampleTransaction {
  const { logs = [] } = sample
  return { ...sample, logs: [...logs, ...logs] }
}
