import { fetchLimit, postJson } from '../harness/fetch-limit.ts'
import { TRON } from './plan.ts'

// `node fetch-parse.ts <url> <first> <last>`
const [url = '', first = '0', last = '0'] = process.argv.slice(2)
let transactions = 0
let infos = 0

await fetchLimit({
  first: Number(first),
  last: Number(last),
  figure: 'cpuMsABlock',
  fetchOne: async (num) => {
    const asked = { startNum: num, endNum: num + 1 }
    const list = (await call('getblockbylimitnext', asked)) as {
      block: { transactions: unknown[] }[]
    }
    for (const block of list.block) transactions += block.transactions.length
    const told = (await call('gettransactioninfobyblocknum', { num })) as unknown[]
    infos += told.length
  },
  isWhole: (blocks) => {
    const whole = blocks * TRON.transactions
    return transactions === whole && infos === whole
  },
})

function call(method: string, params: object): Promise<unknown> {
  return postJson(`${url}/wallet/${method}`, params)
}
