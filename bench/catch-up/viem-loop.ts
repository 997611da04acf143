import { Client } from 'pg'
import {
  type Payment,
  loadWatched,
  peerSettings,
  requirePeer,
  printRate,
  writePayments,
} from './peer-kit.ts'

interface Transfer {
  transactionHash: string
  logIndex: number
  args: { to?: string; value?: bigint }
}

/** The part of viem that this loop uses. */
interface Viem {
  http: (url: string) => unknown
  parseAbi: (signatures: string[]) => unknown[]
  createPublicClient: (options: { transport: unknown }) => {
    getBlock(asked: { blockNumber: bigint; includeTransactions: true }): Promise<{
      hash: string
      transactions: { hash: string; to: string | null; value: bigint }[]
    }>
    getLogs(asked: { blockHash: string; event: unknown }): Promise<Transfer[]>
  }
}

// A scanner as it is written with viem: blocks and logs by height, decoded transfers, addresses in
// a Set, rows inserted block by block.
const { createPublicClient, http, parseAbi } = requirePeer('viem') as Viem
const { url, first, last, watched, databaseUrl } = peerSettings()
const AT_ONCE = 8
const client = createPublicClient({ transport: http(url) })
const [transfer] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const addresses = loadWatched(watched)
const database = new Client({ connectionString: databaseUrl })
await database.connect()
let found = 0
const began = performance.now()
for (let from = first; from <= last; from += AT_ONCE) {
  const heights = Array.from({ length: Math.min(AT_ONCE, last - from + 1) }, (_, at) => from + at)
  const read = await Promise.all(heights.map(readBlock))
  for (const rows of read) found += await writePayments(database, rows)
}
printRate({ found, blocks: last - first + 1, seconds: (performance.now() - began) / 1_000 })
await database.end()

async function readBlock(height: number): Promise<Payment[]> {
  const blockNumber = BigInt(height)
  const block = await client.getBlock({ blockNumber, includeTransactions: true })
  const logs = await client.getLogs({ blockHash: block.hash, event: transfer })
  const native = block.transactions
    .filter(({ to, value }) => value > 0n && to !== null && addresses.has(to.toLowerCase()))
    .map(({ hash, to, value }) => ({ hash, position: 'tx', to: String(to), amount: value }))
  const tokens = logs
    .filter(({ args: { to } }) => to !== undefined && addresses.has(to.toLowerCase()))
    .map(({ transactionHash, logIndex, args: { to, value } }) => ({
      hash: transactionHash,
      position: `log:${logIndex}`,
      to: String(to),
      amount: value ?? 0n,
    }))
  return [...native, ...tokens]
}
