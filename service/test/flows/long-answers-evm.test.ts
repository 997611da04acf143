import { startFaultProxy } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { METADATA } from '../support/anvil-chain.ts'
import { openedWorld, simulated, simulatedNode } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

/** Transactions of a contract with many logs: two of them fill an answer of 32 MB. */
const LOGS_A_TRANSACTION = 50_000
const TOKEN = `0x${'70'.repeat(20)}`

test('a deposit in a block with too many logs for one answer is credited once [N08]', async () => {
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

test.each([
  ['trace_block', ['debug_traceBlockByNumber']],
  ['debug_traceBlockByHash', ['trace_block']],
] as const)(
  'a payment inside a call is credited although the answer of %s is too long [E03]',
  async (method, without) => {
    const node = await simulatedNode({ without })
    const proxy = await startFaultProxy({ target: node.url, seed: 1 })
    onTestFinished(() => proxy.stop())
    const world = await openedWorld([{ id: SEPOLIA, nodes: [proxy.url] }])
    const { address } = await world.issue('ann')
    proxy.rules.add({
      match: { method },
      action: { do: 'error', code: -32_008, message: 'Response is too big' },
    })
    node.chain.payInternal({ to: address, amount: 5n })
    node.chain.payInternal({ to: address, amount: 7n, via: 'selfdestruct' })
    node.chain.mine(1 + REQUIRED)
    await world.settle()
    const found = (await world.deposits()).toSorted((a, b) => Number(a.amount - b.amount))
    expect(found).toMatchObject([
      { amount: 5n, status: 'Confirmed' },
      { amount: 7n, status: 'Confirmed' },
    ])
  },
)
