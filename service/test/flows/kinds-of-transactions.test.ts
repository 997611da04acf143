import {
  addressTopic,
  type BlockJson,
  bloomOf,
  type FaultProxy,
  type Hex,
  type MinedReceiptJson,
  receiptsRoot,
  startFaultProxy,
  TRANSFER_TOPIC,
} from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { METADATA } from '../support/anvil-chain.ts'
import {
  ETHER,
  openedWorld,
  type Simulated,
  simulated,
  simulatedNode,
} from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER_LOGS: Hex = '0xfffffffffffffffffffffffffffffffffffffffe'
const FUTURE_TYPE = 0x7f

describe('native transfers with a log of EIP-7708', () => {
  test('native transfers with a log are credited once, as native coins [E17]', async () => {
    const { world, chain, confirm } = await simulated()
    const { address } = await world.issue('ann')
    chain.logNativeTransfers(true)
    chain.pay({ to: address, amount: 5n })
    chain.payInternal({ to: address, amount: 6n })
    chain.payInternal({ to: address, amount: 7n, via: 'selfdestruct' })
    await confirm()
    const deposits = await world.deposits()
    const seen = deposits.map(({ amount, tokenId, status }) => `${amount} ${tokenId} ${status}`)
    const expected = [5, 6, 7].map((amount) => `${amount} ${ETHER} Confirmed`)
    expect(seen.sort()).toEqual(expected)
    expect(await world.balance(ETHER)).toBe(18n)
  })

  test('logs of native transfers are no token, even if listed at that address [E17]', async () => {
    const id = `${SEPOLIA}/erc20:0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE`
    const { world, chain, confirm } = await simulated({ tokens: [{ id, ...METADATA }] })
    const { address } = await world.issue('ann')
    chain.logNativeTransfers(true)
    chain.pay({ to: address, amount: 5n })
    await confirm()
    expect(await world.deposits()).toMatchObject([{ tokenId: ETHER, amount: 5n }])
    expect(await world.balance(id)).toBe(0n)
  })

  test('native transfers are credited once when headers include their logs [E17]', async () => {
    const behind = await behindProxy()
    const { world, chain, confirm } = behind
    const { address } = await world.issue('ann')
    mutateReceipts(behind, (receipts) => receipts.map(withEtherLog))
    chain.pay({ to: address, amount: 5n })
    await confirm()
    expect(await world.deposits()).toMatchObject([
      { tokenId: ETHER, amount: 5n, position: 'tx', status: 'Confirmed' },
    ])
  })
})

describe('transactions of unknown types', () => {
  test.each([1, 3, 4, FUTURE_TYPE])('type %i is credited like any other [E18]', async (type) => {
    const { world, chain, confirm } = await simulated()
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n, type })
    chain.payInternal({ to: address, amount: 6n, type })
    await confirm()
    expect(await world.balance(ETHER)).toBe(11n)
  })

  test('an unknown type that a node adds is read when the header matches [E18]', async () => {
    const behind = await behindProxy()
    const { world, chain, confirm } = behind
    const { address } = await world.issue('ann')
    mutateReceipts(behind, (receipts) => receipts.map((one) => ({ ...one, type: '0x7f' })))
    chain.pay({ to: address, amount: 5n })
    await confirm()
    expect(await world.balance(ETHER)).toBe(5n)
  })

  test('a type that the header contradicts stops the chain at that block [E18]', async () => {
    const { world, chain, confirm, proxy } = await behindProxy()
    const { address } = await world.issue('ann')
    const { tip } = await world.state()
    proxy.rules.add({
      match: { method: 'eth_getBlockReceipts' },
      action: {
        do: 'mutate',
        change: (receipts: MinedReceiptJson[]) => receipts.map((one) => ({ ...one, type: '0x7f' })),
      },
    })
    chain.pay({ to: address, amount: 5n })
    chain.mine(REQUIRED + 5)
    expect((await world.outage()).message).toContain('receipts root')
    expect((await world.state()).tip).toEqual(tip)
    expect(await world.deposits()).toEqual([])
    proxy.rules.clear()
    await confirm()
    expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Confirmed' }])
  })
})

interface Behind extends Omit<Simulated, 'mine'> {
  proxy: FaultProxy
}

/** A world with a proxy that may alter the answers of its simulated node. */
async function behindProxy(): Promise<Behind> {
  const node = await simulatedNode()
  const proxy = await startFaultProxy({ target: node.url, seed: 'kinds' })
  onTestFinished(() => proxy.stop())
  const world = await openedWorld([{ id: SEPOLIA, nodes: [proxy.url] }])
  const confirm = async () => {
    node.chain.mine(1 + REQUIRED)
    await world.settle()
  }
  return { node, chain: node.chain, proxy, world, confirm }
}

/** Changes all receipts of the node, and the headers accordingly. */
function mutateReceipts(
  { proxy, node }: Behind,
  change: (receipts: MinedReceiptJson[]) => MinedReceiptJson[],
): void {
  proxy.rules.add({
    match: { method: 'eth_getBlockReceipts' },
    action: { do: 'mutate', change },
  })
  proxy.rules.add({
    match: { method: /^eth_getBlockBy/ },
    action: {
      do: 'mutate',
      change: async (block: BlockJson) => {
        const receipts = await node.rpc<MinedReceiptJson[]>('eth_getBlockReceipts', [block.hash])
        const changed = change(receipts)
        const logsBloom = bloomOf(changed.flatMap(({ logs }) => logs))
        return { ...block, receiptsRoot: receiptsRoot(changed), logsBloom }
      },
    },
  })
}

/** The log that EIP-7708 adds to a plain payment, like a token transfer. */
function withEtherLog(receipt: MinedReceiptJson): MinedReceiptJson {
  const { blockHash, blockNumber, transactionHash, transactionIndex, from, to } = receipt
  const log = {
    address: ETHER_LOGS,
    topics: [TRANSFER_TOPIC, addressTopic(from), addressTopic(to ?? from)],
    data: `0x${'5'.padStart(64, '0')}` as const,
    blockHash,
    blockNumber,
    transactionHash,
    transactionIndex,
    logIndex: '0x0' as const,
    removed: false,
  }
  return { ...receipt, logs: [log], logsBloom: bloomOf([log]) }
}
