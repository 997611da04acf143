import { fetchLimit, postJson } from '../harness/fetch-limit.ts'
import { LEDGERS } from './make-ledgers.ts'

// `node fetch-ledgers.ts <url> <first> <last>`
const [url = '', first = '0', last = '0'] = process.argv.slice(2)
let transactions = 0

await fetchLimit({
  first: Number(first),
  last: Number(last),
  figure: 'cpuMsALedger',
  fetchOne: async (height) => {
    const asked = { ledger_index: height, transactions: true, expand: true, binary: true }
    const question = { method: 'ledger', params: [{ ...asked, api_version: 2 }] }
    const { result } = (await postJson(url, question)) as {
      result: { ledger: { transactions: unknown[] } }
    }
    transactions += result.ledger.transactions.length
  },
  isWhole: (ledgers) => transactions === ledgers * (LEDGERS.strangers + LEDGERS.deposits),
})
