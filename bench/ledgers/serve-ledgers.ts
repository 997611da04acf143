import { freePort } from '@sluice/simulator'
import { createServer } from 'node:http'
import { type MadeLedger, makeLedgers } from './make-ledgers.ts'

/** Messages of the parent to the node, and of the node to its parent. */
export interface LedgersOrder {
  head: number
}
export interface LedgersNews {
  port: number
  first: number
  last: number
  /** Bytes of an answer, on average. */
  bytes: number
}

// The program of a child process: `node serve-ledgers.ts <count> <base account> <tag,tag,…>`.
const [countText = '0', base = '', tagsText = ''] = process.argv.slice(2)
const tags = tagsText.split(',').map(Number)
const ledgers = makeLedgers({ count: Number(countText), base, tags })
const first = ledgers[0]?.height ?? 0
const byHash = new Map(ledgers.map((ledger) => [ledger.hash, ledger]))
const bodies = ledgers.map((ledger) => Buffer.from(JSON.stringify({ result: whole(ledger) })))
let head = first + ledgers.length - 1

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const answer = reply(Object(JSON.parse(Buffer.concat(chunks).toString())))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.end(answer)
  })
})
server.keepAliveTimeout = 60_000
const port = await freePort()
server.listen(port, '127.0.0.1', () => {
  const bytes = Math.round(bodies.reduce((sum, { length }) => sum + length, 0) / bodies.length)
  process.send?.({ port, first, last: head, bytes } satisfies LedgersNews)
})
process.on('message', (order: LedgersOrder) => {
  head = order.head
})
process.on('disconnect', () => process.exit(0))

function reply({ method, params }: { method: string; params: Record<string, unknown>[] }): Buffer {
  const asked = params[0] ?? {}
  if (method === 'server_info') return said({ info: info() })
  const ledger = ledgerFor(asked)
  if (ledger === null) return fault('lgrNotFound')
  if (method === 'account_info') return said(accountAt(ledger))
  if (method !== 'ledger') return fault('unknownCmd')
  if (asked['transactions'] === true) return bodies[ledger.height - first] ?? fault('lgrNotFound')
  return said({ ...placeOf(ledger), ledger: { closed: true, ledger_data: ledger.data } })
}

function ledgerFor({ ledger_hash: hash, ledger_index: index }: Record<string, unknown>) {
  const at = index === 'validated' ? head : Number(index)
  const found = typeof hash === 'string' ? byHash.get(hash) : ledgers[at - first]
  return found === undefined || found.height > head ? null : found
}

function placeOf({ hash, height }: MadeLedger) {
  return { ledger_hash: hash, ledger_index: height, validated: true, status: 'success' }
}

function whole(ledger: MadeLedger) {
  const transactions = ledger.transactions.map(({ hash, blob, meta }) => {
    return { hash, meta_blob: meta, tx_blob: blob }
  })
  return { ...placeOf(ledger), ledger: { closed: true, ledger_data: ledger.data, transactions } }
}

function accountAt(ledger: MadeLedger) {
  const Balance = ledger.balance.toString()
  const account_data = { Account: base, Balance, Flags: 0x0002_0000, OwnerCount: 0, Sequence: 5 }
  return { ...placeOf(ledger), account_data }
}

function info() {
  const { hash } = ledgers[head - first] ?? { hash: '' }
  return {
    build_version: '2.4.0',
    server_state: 'full',
    network_id: 1,
    complete_ledgers: `${first}-${head}`,
    validated_ledger: { seq: head, hash, reserve_base_xrp: 1, reserve_inc_xrp: 0.2 },
  }
}

function said(result: object): Buffer {
  return Buffer.from(JSON.stringify({ result: { ...result, status: 'success' } }))
}

function fault(error: string): Buffer {
  return Buffer.from(JSON.stringify({ result: { error, status: 'error' } }))
}
