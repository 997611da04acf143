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

/** What a node answers of a transaction before its block is read. */
type Waiting = Pick<RpcTransaction, 'from' | 'to' | 'value'> & { blockHash: string | null }

/**
 * One transaction with everything it moves: of its block only it is read, and a trace is asked for
 * only where it may have moved coins inside.
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

/** What a transaction sends itself, which it has not done, or will not do. */
function valueOf(chainId: ChainId, { from, to, value }: Omit<Waiting, 'blockHash'>): MovedApart[] {
  if (to === null) return []
  return [{ tokenId: nativeTokenId(chainId), from, to, amount: value, tag: null }]
}

/** A bare transaction that sends nothing. */
function nothingOf(chainId: ChainId, transaction: RpcTransaction): MovedApart[] {
  const isNothing = transaction.value === 0n && transaction.isBare
  return isNothing ? valueOf(chainId, transaction) : []
}

/** Transfers that its logs tell of and that are no money here. */
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
