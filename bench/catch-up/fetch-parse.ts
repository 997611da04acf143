import { CHAIN } from '../chain/plan.ts'
import { fetchLimit, postJson } from '../harness/fetch-limit.ts'

// `node fetch-parse.ts <url> <first> <last> <logs|receipts>`
const [url = '', first = '0', last = '0', mode = 'logs'] = process.argv.slice(2)
let lastId = 0
let transactions = 0
let logs = 0

interface FullBlock {
  hash: string
  transactions: unknown[]
}

await fetchLimit({
  first: Number(first),
  last: Number(last),
  figure: 'cpuMsABlock',
  fetchOne: async (height) => {
    const asked = ['0x' + height.toString(16), true]
    const block = (await call('eth_getBlockByNumber', asked)) as FullBlock
    transactions += block.transactions.length
    if (mode === 'logs') {
      const found = (await call('eth_getLogs', [{ blockHash: block.hash }])) as unknown[]
      logs += found.length
    } else {
      const found = (await call('eth_getBlockReceipts', [block.hash])) as { logs: unknown[] }[]
      for (const receipt of found) logs += receipt.logs.length
    }
  },
  isWhole: (blocks) => transactions === blocks * CHAIN.transactions && logs === blocks * CHAIN.logs,
})

async function call(method: string, params: unknown[]): Promise<unknown> {
  lastId += 1
  const answer = await postJson(url, { jsonrpc: '2.0', id: lastId, method, params })
  return (answer as { result: unknown }).result
}
