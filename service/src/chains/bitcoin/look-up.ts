import type { ChainId, TokenId } from '@sluice/wire'
import type { JsonRpc } from '../json-rpc.ts'
import type { TransactionSeen } from '../port.ts'
import { paymentsOf, transfersOf } from './block.ts'
import { NOT_FOUND, orNull, readExact, readHeader, readPrevouts } from './node.ts'
import { parseTransaction } from './raw-transaction.ts'
import { demand } from './read-bytes.ts'
import { parseHash, parseHexBytes, parseRecord } from './rpc.ts'
import { isAskable } from './told-size.ts'

const BYTES_MAX = 64_000_000

/**
 * A node's answer for one transaction; null if it does not know it. Without a transaction index a
 * node knows only unconfirmed transactions.
 */
export async function lookUp(
  rpc: JsonRpc,
  { chainId, tokenId }: { chainId: ChainId; tokenId: TokenId },
  txnHash: string,
): Promise<TransactionSeen | null> {
  const call = { method: 'getrawtransaction', params: [txnHash, 1] }
  const answer = await orNull(NOT_FOUND, readExact(rpc, call, BYTES_MAX))
  if (answer === null) return null
  const { hex, blockhash, confirmations = '0' } = parseRecord(answer, 'transaction')
  const transaction = parseTransaction(parseHexBytes(hex, 'transaction.hex'))
  demand(transaction.txid === txnHash, 'another transaction than was asked for')
  const paid = paymentsOf(chainId, transaction)
  // With an index a node still finds transactions that a reorg removed.
  if (blockhash === undefined || confirmations === '0') {
    const apart = paid.map(({ to, amount }) => {
      return { tokenId, from: '' as const, to, amount, tag: null }
    })
    return { block: null, succeeded: null, transfers: [], apart }
  }
  const hash = parseHash(blockhash, 'transaction.blockhash')
  const { height } = await readHeader(rpc, hash)
  const txids = transaction.isCoinbase || !isAskable(transaction) ? [] : [txnHash]
  const origins = await readPrevouts(rpc, chainId, { txids, blockHash: hash })
  const prevouts = origins.get(txnHash) ?? null
  const transfers = transfersOf(tokenId, { transaction, paid }, prevouts)
  return { block: { height, hash }, succeeded: true, transfers, apart: [] }
}
