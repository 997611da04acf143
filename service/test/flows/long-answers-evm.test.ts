import { expect, test } from 'vitest'
import { METADATA } from '../support/anvil-chain.ts'
import { simulated } from '../support/opened-world.ts'
import { SEPOLIA } from '../support/world-life.ts'

/** Of a contract that logs nothing, again and again: two such fill an answer of 32 MB. */
const LOGS_A_TRANSACTION = 50_000
const TOKEN = `0x${'70'.repeat(20)}`

test('N08 a deposit beside more logs than an answer may hold is credited once', async () => {
  const tokens = [{ id: `${SEPOLIA}/erc20:${TOKEN}`, ...METADATA }]
  const { chain, world, node, confirm } = await simulated({ tokens, traces: 'off' })
  const token = chain.deployToken({ ...METADATA, address: TOKEN })
  const { address } = await world.issue('ann')
  const log = { address: token, topics: [], data: '0x' as const }
  const spam = () => chain.emit(Array.from({ length: LOGS_A_TRANSACTION }, () => log))
  spam()
  chain.payToken({ to: address, amount: 5n, token })
  spam()
  chain.pay({ to: address, amount: 7n })
  await confirm()
  const found = (await world.deposits()).toSorted((a, b) => Number(a.amount - b.amount))
  expect(found).toMatchObject([
    { amount: 5n, status: 'Confirmed' },
    { amount: 7n, status: 'Confirmed' },
  ])
  expect(node.counts['eth_getTransactionReceipt']).toBe(4)
})
