import { freePort } from '@sluice/simulator'
import { Client } from 'pg'
import { TRANSFER } from '../chain/body.ts'
import {
  type Payment,
  loadWatched,
  peerSettings,
  requirePeer,
  printRate,
  writePayments,
} from './peer-kit.ts'

// The SQD processor on the node's RPC: all transfers and all transactions asked for, addresses in a
// Set, rows inserted batch by batch.
interface SqdLog {
  address: string
  topics: string[]
  data: string
  logIndex: number
  transactionHash: string
}
interface SqdBlock {
  header: { height: number }
  logs: SqdLog[]
  transactions: { hash: string; to?: string; value: bigint }[]
}
interface SqdProcessor {
  setRpcEndpoint(settings: object): SqdProcessor
  setFinalityConfirmation(blocks: number): SqdProcessor
  setBlockRange(range: object): SqdProcessor
  setFields(fields: object): SqdProcessor
  setPrometheusPort(port: number): SqdProcessor
  addLog(request: object): SqdProcessor
  addTransaction(request: object): SqdProcessor
  run(database: object, handle: (context: { blocks: SqdBlock[] }) => Promise<void>): void
}

const { url, first, last, watched, databaseUrl } = peerSettings()
const sqd: { EvmBatchProcessor: new () => SqdProcessor } = requirePeer('@subsquid/evm-processor')
const addresses = loadWatched(watched)
const client = new Client({ connectionString: databaseUrl })
await client.connect()
let found = 0
let began = 0
let height = first - 1
const processor = new sqd.EvmBatchProcessor()
  .setRpcEndpoint({ url, capacity: 16, maxBatchCallSize: 10 })
  .setFinalityConfirmation(0)
  .setPrometheusPort(await freePort())
  .setBlockRange({ from: first, to: last })
  .setFields({
    log: { address: true, topics: true, data: true, transactionHash: true },
    transaction: { hash: true, to: true, value: true },
  })
  .addLog({ topic0: [TRANSFER] })
  .addTransaction({})
const database = {
  supportsHotBlocks: false,
  connect: async () => {
    began = performance.now()
    return { height: first - 1, hash: '0x' }
  },
  transact: async (
    info: { nextHead: { height: number } },
    work: (store: object) => Promise<void>,
  ) => {
    await work({})
    height = info.nextHead.height
    if (height < last) return
    printRate({ found, blocks: last - first + 1, seconds: (performance.now() - began) / 1_000 })
    await client.end()
  },
}
processor.run(database, async ({ blocks }) => {
  const payments = blocks.flatMap(paymentsOf)
  found += await writePayments(client, payments)
})

function paymentsOf({ transactions, logs }: SqdBlock): Payment[] {
  const native = transactions
    .filter(({ to, value }) => value > 0n && to !== undefined && addresses.has(to))
    .map(({ hash, to, value }) => ({ hash, position: 'tx', to: String(to), amount: value }))
  const tokens = logs.flatMap(({ topics, data, transactionHash: hash, logIndex }) => {
    const to = `0x${topics[2]?.slice(26)}`
    if (topics[0] !== TRANSFER || !addresses.has(to)) return []
    return [{ hash, position: `log:${logIndex}`, to, amount: BigInt(data) }]
  })
  return [...native, ...tokens]
}
