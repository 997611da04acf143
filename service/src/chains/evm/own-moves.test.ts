import { describe, expect, test } from 'vitest'
import {
  addressOf,
  COIN_LOGS,
  coinLog,
  coinLogOf,
  hashOf,
  SYSTEM,
  transferLog,
  word,
} from '../../../test/adapters/evm-sample.ts'
import type { Json } from '../../../test/adapters/evm-sample.ts'
import {
  adapterOf,
  answersOf,
  ETHER_ID,
  scope,
  TOKEN,
} from '../../../test/adapters/scripted-chain.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'
import type { BlockScope } from '../port.ts'

const [A, B, D] = [addressOf(0xa), addressOf(0xb), addressOf(0xd)]
const BRIDGED = [
  coinLog(A, D, 5n),
  transferLog(TOKEN, A, D, 7n),
  coinLog(A, B, 6n),
  coinLog(B, D, 8n),
]
const FOUND = [
  ['call:0', D, 5n],
  ['call:0', B, 6n],
  ['call:1', D, 8n],
  ['log:1', D, 7n],
]

/** The transfers of one transaction of the chain's own with these logs. */
async function told(logs: readonly Json[], options = {}, watched: BlockScope = scope) {
  const { answers } = answersOf([{ transaction: SYSTEM, logs }])
  const { adapter } = await adapterOf([answers], { logsOwnMoves: true, ...options })
  return brief(await adapter.blockAt({ height: 7 }, watched))
}

const brief = (block: { transfers: readonly { position: string; to: string }[] } | null) =>
  block?.transfers.map(({ position, to, ...more }) => [position, to, Object(more).amount])

describe("coins that the chain's own transactions move", () => {
  test.each(['receipts', 'logs'] as const)(
    'are returned from its logs as inner transfers, with %s [E03]',
    async (completeness) => {
      expect(await told(BRIDGED, { completeness })).toEqual(FOUND)
      const watched = { ...scope, mayWatch: (one: unknown) => one === D }
      expect(await told(BRIDGED, { completeness }, watched)).toEqual(
        FOUND.filter(([, to]) => to === D),
      )
    },
  )

  test('name their coin, and who held them before [E03]', async () => {
    const { answers, block } = answersOf([{ transaction: SYSTEM, logs: [coinLog(A, D, 5n)] }])
    const byHash = { ...answers, eth_getTransactionByHash: () => block.transactions[0] }
    const { adapter } = await adapterOf([byHash], { logsOwnMoves: true })
    const about = { tokenId: ETHER_ID, from: A, to: D, tag: null }
    const txnHash = block.transactions[0]?.['hash']
    expect((await adapter.blockAt({ height: 7 }, scope))?.transfers).toEqual([
      { txnHash, position: 'call:0', amount: 5n, ...about },
    ])
    const seen = await adapter.transaction(String(txnHash), scope)
    expect(seen?.transfers).toMatchObject([{ position: 'call:0', amount: 5n }])
  })

  test.each(['receipts', 'logs'] as const)(
    'are equal with a node that traces them and one that traces them wrongly, with %s [E03]',
    async (completeness) => {
      for (const calls of [[{ type: 'CALL', from: B, to: D, value: '0x9' }], []]) {
        const { answers, block } = answersOf([{ transaction: SYSTEM, logs: BRIDGED }])
        const txHash = block.transactions[0]?.['hash']
        const traces: Answer = () => [{ txHash, result: { type: 'CALL', from: A, to: A, calls } }]
        const traced = { ...answers, debug_traceBlockByHash: traces }
        const options = { logsOwnMoves: true, traces: 'debug' as const, completeness }
        const { adapter, node } = await adapterOf([traced], options)
        expect(brief(await adapter.blockAt({ height: 7 }, scope))).toEqual(FOUND)
        expect(node.counts['debug_traceBlockByHash']).toBe(1)
      }
    },
  )

  test('are returned once when the contract of the coin logs them too [E03]', async () => {
    const passed = coinLogOf([A, D], [5n, 90n, 0n, 90n, 5n])
    const disguised = { ...passed, topics: [coinTopic(), word(addressOf(0x70)), word(A), word(D)] }
    expect(await told([coinLog(A, COIN_LOGS, 5n), coinLog(COIN_LOGS, D, 5n), disguised])).toEqual([
      ['call:0', COIN_LOGS, 5n],
      ['call:0', D, 5n],
    ])
    expect(await told([passed])).toEqual([])
  })

  test('odd shapes are passed over, and the next log is read [E11]', async () => {
    const good = coinLog(A, D, 5n)
    const data = String(good['data'])
    const odd: Json[] = [
      { ...good, address: addressOf(0x1011) },
      { ...good, topics: [hashOf(1), word(COIN_LOGS), word(A), word(D)] },
      { ...good, topics: [coinTopic(), word(TOKEN), word(A), word(D)] },
      { ...good, topics: [coinTopic(), word(COIN_LOGS), word(A)] },
      { ...good, topics: [coinTopic(), word(COIN_LOGS), word(A), `0x01${word(D).slice(4)}`] },
      { ...good, data: '0x' },
      { ...good, data: data.slice(0, -64) },
      { ...good, data: `${data}${'0'.repeat(64)}` },
      coinLogOf([A, D], [5n, 9n, 3n, 5n, 8n]),
      coinLogOf([A, D], [5n, 9n, 3n, 4n, 9n]),
    ]
    expect(await told([...odd, good])).toEqual([['call:0', D, 5n]])
  })

  test('nothing moves by nothing, nor by what a holder pays itself [E12]', async () => {
    expect(await told([coinLog(A, D, 0n), coinLog(D, D, 5n)])).toEqual([])
  })

  test('are absent from a failed transaction; its other logs are an outage [E01]', async () => {
    const read = async (logs: readonly Json[]) => {
      const failed = { transaction: SYSTEM, receipt: { status: '0x0' }, logs }
      const { adapter } = await adapterOf([answersOf([failed]).answers], { logsOwnMoves: true })
      return brief(await adapter.blockAt({ height: 7 }, scope))
    }
    expect(await read([coinLog(A, D, 5n)])).toEqual([])
    await expect(read(BRIDGED)).rejects.toThrow('logs of a failed transaction')
  })

  test.each([
    ['to somebody', { to: D }],
    ['by somebody', { from: A }],
    ['for gas', { gas: '0x5208' }],
  ])('are not read from logs of a transaction that is sent %s [E03]', async (_what, sent) => {
    for (const completeness of ['receipts', 'logs'] as const) {
      const transaction = { ...SYSTEM, ...sent }
      const { answers } = answersOf([{ transaction, logs: [coinLog(A, D, 5n)] }])
      const { adapter } = await adapterOf([answers], { logsOwnMoves: true, completeness })
      expect(brief(await adapter.blockAt({ height: 7 }, scope))).toEqual([])
    }
  })

  test('are absent on a chain that does not log them', async () => {
    for (const completeness of ['receipts', 'logs'])
      expect(await told([coinLog(A, D, 5n)], { logsOwnMoves: false, completeness })).toEqual([])
  })
})

const coinTopic = () => Object(coinLog(A, D, 1n)).topics[0]
