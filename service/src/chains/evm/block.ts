import { formatTokenId, parseTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import type { Address, Block, BlockScope, Transfer, TransactionOutcome } from '../port.ts'
import { brandEvmAddress, createdAddress } from './address.ts'
import { logsOwnCoin } from './coin-logs.ts'
import type { Evidence, RankedLog } from './evidence.ts'
import { malformed } from './rpc.ts'
import type { RpcBlock, RpcLog, RpcTransaction } from './rpc.ts'
import type { NativeMove } from './traces.ts'

/** The data of one block from one node, joined and found consistent. */
export interface BlockEvidence {
  block: RpcBlock
  evidence: readonly Evidence[]
}

type Tokens = ReadonlyMap<string, TokenId>

/**
 * keccak of Transfer(address,address,uint256): the event of ERC-20 and, with one more topic, of
 * ERC-721.
 */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const PADDED_ADDRESS = /^0x0{24}/
const WORD_LENGTH = 66

/**
 * Converts a block for the scanner: native moves and transfers of the tokens in scope that may
 * concern us, at positions that no reorg shifts (decisions, section 1). Pure.
 */
export function toBlock(
  chainId: ChainId,
  { block, evidence }: BlockEvidence,
  scope: BlockScope,
): Block {
  const tokens = contractsOf(chainId, scope.tokens)
  const { mayWatch = () => true } = scope
  const concerns = ({ from, to }: Transfer) => mayWatch(to) || (from !== '' && mayWatch(from))
  const transfers: Transfer[] = []
  const transactions: TransactionOutcome[] = []
  block.transactions.forEach((transaction, at) => {
    const known = evidence[at]
    if (known === undefined) throw malformed('a transaction without evidence')
    if (mayWatch(transaction.from)) transactions.push(outcomeOf(transaction, known))
    if (known.outcome === 'failed') return
    const moved = [
      ...nativeTransfers(chainId, transaction, known.moves),
      ...tokenTransfers(tokens, transaction, known.logs),
    ]
    transfers.push(...moved.filter(concerns))
  })
  return {
    height: block.height,
    hash: block.hash,
    parentHash: block.parentHash,
    time: block.timestamp * 1_000,
    transfers,
    transactions,
  }
}

/** Each sender that may be ours has a receipt here, so no fee is estimated. */
function outcomeOf(
  { hash: txnHash, from: sender, nonce, gasPrice }: RpcTransaction,
  { receipt, outcome }: Evidence,
): TransactionOutcome {
  const price = receipt?.effectiveGasPrice ?? gasPrice
  if (receipt === null || price === null) throw malformed('a transaction without a fee')
  return {
    txnHash,
    succeeded: outcome === 'succeeded',
    sender,
    nonce: Number(nonce),
    fee: receipt.gasUsed * price + receipt.l1Fee,
  }
}

/** The native coin of an EVM chain: coin type 60 on each of them (interface, section 2.1). */
export function nativeTokenId(chainId: ChainId): TokenId {
  return formatTokenId({ chainId, assetNamespace: 'slip44', assetReference: '60' })
}

/** The contract of a token id; null for the native coin. */
export function contractOf(tokenId: TokenId): Address | null {
  const parts = parseTokenId(tokenId)
  if (parts?.assetNamespace !== 'erc20') return null
  return brandEvmAddress(parts.assetReference.toLowerCase())
}

/** The last result for a list of tokens: many blocks are read with the same list. */
const READ_CONTRACTS = new WeakMap<readonly TokenId[], { chainId: ChainId; contracts: Tokens }>()

/** The contracts of the tokens of a chain, each with its token. */
export function contractsOf(chainId: ChainId, tokenIds: readonly TokenId[]): Tokens {
  const known = READ_CONTRACTS.get(tokenIds)
  if (known?.chainId === chainId) return known.contracts
  const contracts = readContracts(chainId, tokenIds)
  READ_CONTRACTS.set(tokenIds, { chainId, contracts })
  return contracts
}

function readContracts(chainId: ChainId, tokenIds: readonly TokenId[]): Tokens {
  const contracts = new Map<string, TokenId>()
  for (const tokenId of tokenIds) {
    const contract = contractOf(tokenId)
    if (contract === null || parseTokenId(tokenId)?.chainId !== chainId) continue
    if (!logsOwnCoin(chainId, contract)) contracts.set(contract, tokenId)
  }
  return contracts
}

/**
 * The transaction's own value and the moves inside it. An inner move is ranked among all moves to
 * the same account, including the transaction's own value, so its rank does not depend on the
 * tracer.
 */
function nativeTransfers(
  chainId: ChainId,
  transaction: RpcTransaction,
  moves: readonly NativeMove[],
): Transfer[] {
  const own = ownMove(transaction)
  if (own.length + moves.length === 0) return []
  const tokenId = nativeTokenId(chainId)
  const ranks = new Map<string, number>()
  return [...own, ...moves].map((move, at) => {
    const rank = ranks.get(move.to) ?? 0
    ranks.set(move.to, rank + 1)
    return {
      txnHash: transaction.hash,
      position: at < own.length ? 'tx' : `call:${rank}`,
      tokenId,
      from: move.from,
      to: move.to,
      amount: move.value,
      tag: null,
    }
  })
}

/** Empty if no value is sent, or if the sender pays itself and gains nothing. */
function ownMove({ from, to, value, nonce }: RpcTransaction): NativeMove[] {
  if (value === 0n) return []
  const receiver = to ?? createdAddress(from, nonce)
  return receiver === from ? [] : [{ from, to: receiver, value }]
}

function tokenTransfers(
  tokens: Tokens,
  transaction: RpcTransaction,
  logs: readonly RankedLog[],
): Transfer[] {
  return logs.flatMap(({ rank, log }) => {
    const tokenId = tokens.get(log.address)
    const moved = tokenId === undefined ? null : transferIn(log)
    // A zero amount, or a payment to oneself, moves nothing and must not create a deposit.
    if (tokenId === undefined || moved === null || moved.amount === 0n) return []
    if (moved.from === moved.to) return []
    const position = `log:${rank}`
    return [{ txnHash: transaction.hash, position, tokenId, ...moved, tag: null }]
  })
}

/** The transfer that a log of an ERC-20 token records; null for any other log. */
export function transferIn({
  topics,
  data,
}: RpcLog): { from: Address; to: Address; amount: bigint } | null {
  if (topics[0] !== TRANSFER_TOPIC || topics.length !== 3) return null
  if (data.length !== WORD_LENGTH) return null
  const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
  return from === null || to === null ? null : { from, to, amount: BigInt(data) }
}

/** The address in a topic; null if the topic is no address. */
export function addressIn(topic: string | undefined): Address | null {
  if (topic === undefined || !PADDED_ADDRESS.test(topic)) return null
  return brandEvmAddress(`0x${topic.slice(26)}`)
}
