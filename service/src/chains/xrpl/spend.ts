import type { ChainId } from '@sluice/wire'
import { assertOnChain } from '../asked-chain.ts'
import { broadcastTo } from '../broadcast.ts'
import type { Failover } from '../failover.ts'
import type { TicketPayments } from '../chain-adapter.ts'
import type { Address } from '../port.ts'
import { findFate } from './fate.ts'
import { bumpTerms, feeWords, rateNamed, rateOf, readFee } from './fees.ts'
import { FLAG, readAccount, readServer } from './node.ts'
import { quoteSpend } from './quote.ts'
import type { XrplRpc } from './rpc.ts'
import { readAccountStanding } from './tickets.ts'
import { combineTransaction, craftTransaction, decodeTransaction } from './transaction.ts'

/** Spending on an XRP Ledger, by its nodes. */
export function openXrplSpending(chainId: ChainId, failover: Failover<XrplRpc>): TicketPayments {
  const feeRate = () =>
    failover.use(async (rpc) => {
      const [fee, { validated }] = await Promise.all([readFee(rpc), readServer(rpc)])
      return rateOf(fee, validated.height)
    })
  return {
    paymentModel: 'ticket',
    quote: (intent, caps) => {
      assertOnChain(chainId, intent)
      return failover.use((rpc) => quoteSpend(rpc, intent, caps))
    },
    feeRate,
    feeEstimate: async () => (await feeRate()).fee,
    craft: (intent, terms, reservation, publicKey) => {
      assertOnChain(chainId, intent)
      return craftTransaction(intent, terms, reservation, publicKey)
    },
    combine: combineTransaction,
    decode: (raw) => decodeTransaction(chainId, raw),
    bump: bumpTerms,
    rateNamed,
    broadcast: (raw) => broadcastTo(failover, (rpc) => submit(rpc, raw)),
    nonces: (address) => failover.use((rpc) => readSequences(rpc, address)),
    fate: (spent) => failover.use((rpc) => findFate(failover, rpc, spent)),
    accountState: (address) => failover.use((rpc) => readAccountStanding(rpc, address)),
    reserves: () =>
      failover.use(async (rpc) => {
        const { reserveBase: base, reserveStep: step } = await readServer(rpc)
        return { base, step }
      }),
    requiresTag: (address) =>
      failover.use(async (rpc) => {
        const account = await readAccount(rpc, address, { ledger_index: 'validated' })
        return account !== null && (account.flags & FLAG.requireDestTag) !== 0
      }),
  }
}

/** The next Sequence, in validated ledgers and with what the node has applied on top. */
async function readSequences(rpc: XrplRpc, address: Address) {
  const validated = await readAccount(rpc, address, { ledger_index: 'validated' })
  const current = await readAccount(rpc, address, { ledger_index: 'current' })
  const latest = validated?.sequence ?? 0
  return { latest, pending: Math.max(latest, current?.sequence ?? 0) }
}

/**
 * The answer of a node to a submission is provisional, good or bad (X06, X11): it is for people to
 * read.
 */
async function submit(rpc: XrplRpc, raw: Uint8Array): Promise<string> {
  const blob = Buffer.from(raw).toString('hex').toUpperCase()
  const result = await rpc.call('submit', { tx_blob: blob })
  const { hash } = Object(result['tx_json'])
  const outcome = printable(result['engine_result'])
  return `${outcome} ${printable(hash)}${feeWords(outcome, result['open_ledger_cost'])}`
}

/** Text of a node, cut to the characters of result codes. */
function printable(text: unknown): string {
  return String(text)
    .replaceAll(/[^A-Za-z0-9_]/g, '')
    .slice(0, 64)
}
