import { answerTron, BitcoinChain, bitcoinKey, TronChain } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { answerSeen } from './bitcoin-view.ts'

function asked(chain: BitcoinChain, method: string, params: unknown[], behind: number): unknown {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = answerSeen(chain, body, { stale: behind, liesOfChain: false })
  return JSON.parse(answer.body)
}

test('a Bitcoin node that is behind knows no block after its own tip', () => {
  const chain = new BitcoinChain({ seed: 'stale' })
  const { script } = bitcoinKey('miner')
  for (let mined = 0; mined < 5; mined += 1) chain.mine(script)
  const { height, hash } = chain.tip
  const tip = chain.blockAt(height - 2)
  expect(asked(chain, 'getblockchaininfo', [], 2)).toMatchObject({
    result: { blocks: height - 2, bestblockhash: tip?.hash },
  })
  expect(asked(chain, 'getblockhash', [height - 1], 2)).toMatchObject({ error: { code: -8 } })
  expect(asked(chain, 'getblock', [hash, 0], 2)).toMatchObject({ error: { code: -5 } })
  expect(asked(chain, 'getblockheader', [tip?.hash, true], 2)).toMatchObject({
    result: { hash: tip?.hash, confirmations: 1 },
  })
  expect(asked(chain, 'getblockheader', [tip?.hash, true], 0)).toMatchObject({
    result: { confirmations: 3 },
  })
})

test('a Bitcoin node of another chain has another first block, in lists of calls as well', () => {
  const chain = new BitcoinChain({ seed: 'another' })
  const first = { jsonrpc: '2.0', id: 1, method: 'getblockhash', params: [0] }
  const body = JSON.stringify([first, { ...first, id: 2, params: [99] }])
  const answer = answerSeen(chain, body, { stale: 0, liesOfChain: true })
  expect(JSON.parse(answer.body)).toMatchObject([
    { id: 1, result: 'f'.repeat(64) },
    { id: 2, error: { code: -8 } },
  ])
})

test('a TRON node that is behind shows the head that it had', () => {
  const chain = new TronChain({ solidLag: 2, startTime: 1_767_225_600_000 })
  chain.mine(6, 1_767_225_700_000)
  const now = JSON.parse(answerTron(chain, '/wallet/getnowblock', '{}', { behind: 3 }).body)
  expect(now.blockID).toBe(chain.at(chain.head().height - 3)?.id)
  const later = `{"num":${chain.head().height - 2}}`
  const path = '/wallet/getblockbynum'
  expect(answerTron(chain, path, later, { behind: 3 }).body).toBe('{}')
  expect(answerTron(chain, path, later).body).not.toBe('{}')
})
