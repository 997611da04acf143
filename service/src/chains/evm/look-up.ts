import { formatTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import type { JsonRpc } from '../json-rpc.ts'
import type { BlockScope, MovedApart, TransactionSeen } from '../port.ts'
import { checksumAddress } from './address.ts'
import { contractsOf, nativeTokenId, toBlock, transferIn } from './block.ts'
import type { Evidence } from './evidence.ts'
import { weighReceipts } from './evidence.ts'
import type { BlockSource } from './fetch-block.ts'
import { readBlock } from './node.ts'
import { withOwnMoves } from './own-moves.ts'
import { readReceiptsOf } from './read-receipts.ts'
import {
  isMissing,
  parseHash,
  parseHexAddress,
  parseQuantity,
  parseRecord,
  type RpcTransaction,
} from './rpc.ts'
import type { Tracing } from './tracing.ts'

const PLAIN_GAS = 21_000n

/** The answers of a node for a transaction, before its block is read. */
type Waiting = Pick<RpcTransaction, 'from' | 'to' | 'value'> & { blockHash: string | null }

/**
 * Looks up one transaction with everything it moves. Of its block only this transaction is read,
 * and a trace is read only if coins may have moved inside.
 */
export async function lookUp(
  {
    chainId,
    tracing,
    logsOwnMoves,
  }: Pick<BlockSource, 'chainId' | 'logsOwnMoves'> & { tracing: Pick<Tracing, 'glance'> },
  rpc: JsonRpc,
  asked: { txnHash: string; tokens: BlockScope['tokens'] },
): Promise<TransactionSeen | null> {
  const { txnHash, tokens } = asked
  const answer = await rpc.call({ method: 'eth_getTransactionByHash', params: [txnHash] })
  if (isMissing(answer)) return null
  const waiting = parseWaiting(answer)
  const { blockHash } = waiting
  if (blockHash === null)
    return { block: null, succeeded: null, transfers: [], apart: valueOf(chainId, waiting) }
  const block = (await readBlock(rpc, { hash: blockHash }, 'parse'))?.parse()
  const at = block?.transactions.findIndex(({ hash }) => hash === txnHash) ?? -1
  const transaction = block?.transactions[at]
  if (block === undefined || transaction === undefined) return null
  const receipts = await readReceiptsOf(rpc, block, [transaction])
  const isPlain = receipts[0]?.gasUsed === PLAIN_GAS
  const traces = isPlain ? null : await tracing.glance(rpc, block)
  const alone = { ...block, transactions: [transaction] }
  const weighed = weighReceipts(alone, receipts, traces?.slice(at, at + 1) ?? null)
  const read = { block: alone, evidence: weighed }
  const { evidence } = logsOwnMoves ? withOwnMoves(read) : read
  const succeeded = evidence[0]?.outcome === 'succeeded'
  return {
    block: { height: block.height, hash: block.hash },
    succeeded,
    transfers: toBlock(chainId, { block: alone, evidence }, { tokens }).transfers,
    apart: succeeded
      ? [...nothingOf(chainId, transaction), ...strangersIn({ chainId, tokens }, evidence)]
      : valueOf(chainId, transaction),
  }
}

function parseWaiting(answer: unknown): Waiting {
  const { from, to, value, blockHash } = parseRecord(answer, 'transaction')
  return {
    from: parseHexAddress(from, 'transaction.from'),
    to: isMissing(to) ? null : parseHexAddress(to, 'transaction.to'),
    value: parseQuantity(value, 'transaction.value'),
    blockHash: isMissing(blockHash) ? null : parseHash(blockHash, 'transaction.blockHash'),
  }
}

/** The transfer of the transaction itself, which has not happened yet or failed. */
function valueOf(chainId: ChainId, { from, to, value }: Omit<Waiting, 'blockHash'>): MovedApart[] {
  if (to === null) return []
  return [{ tokenId: nativeTokenId(chainId), from, to, amount: value, tag: null }]
}

/** A bare transaction without value. */
function nothingOf(chainId: ChainId, transaction: RpcTransaction): MovedApart[] {
  const isNothing = transaction.value === 0n && transaction.isBare
  return isNothing ? valueOf(chainId, transaction) : []
}

/** Transfers in its logs of tokens that are not listed. */
function strangersIn(
  { chainId, tokens }: { chainId: ChainId; tokens: readonly TokenId[] },
  evidence: readonly Evidence[],
): MovedApart[] {
  const listed = contractsOf(chainId, tokens)
  return evidence
    .flatMap(({ logs }) => logs)
    .flatMap(({ log }) => {
      const moved = transferIn(log)
      if (moved === null || (listed.has(log.address) && moved.amount > 0n)) return []
      const assetReference = checksumAddress(log.address)
      const tokenId =
        listed.get(log.address) ??
        formatTokenId({ chainId, assetNamespace: 'erc20', assetReference })
      return [{ tokenId, ...moved, tag: null }]
    })
}
