import { fetchLimit, postJson } from '../harness/fetch-limit.ts'

// `node fetch-parse.ts <url> <first> <last> <transactions of a block>`
const [url = '', first = '0', last = '0', each = '0'] = process.argv.slice(2)
let transactions = 0

await fetchLimit({
  first: Number(first),
  last: Number(last),
  figure: 'cpuMsABlock',
  fetchOne: async (height) => {
    const hash = await call<string>('getblockhash', [height])
    const { tx } = await call<{ tx: unknown[] }>('getblock', [hash, 2])
    transactions += tx.length
  },
  isWhole: (blocks) => transactions === blocks * Number(each),
})

async function call<T>(method: string, params: unknown[]): Promise<T> {
  const answer = await postJson(url, { jsonrpc: '2.0', id: 1, method, params })
  return (answer as { result: T }).result
}
