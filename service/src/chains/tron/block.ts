import type { ChainId, TokenId } from '@sluice/wire'
import type {
  Address,
  Block,
  BlockScope,
  MovedApart,
  Transfer,
  TransactionOutcome,
} from '../port.ts'
import { fromHex41 } from './address.ts'
import { addressOf20, contractsOf, contractTokenId, nativeTokenId } from './chain-ids.ts'
import { contractIn } from './contract.ts'
import type { TronContract } from './contract.ts'
import type { BlockEvidence } from './fetch-block.ts'
import { demand, malformed } from './rpc.ts'
import type { RpcOutcome, RpcInternal, RpcLog, RpcTransaction } from './rpc.ts'

/** keccak of Transfer(address,address,uint256). */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** What stands before the twenty bytes of an address; some contracts leave the byte 41 there. */
const PADDED_ADDRESS = /^0{22}(00|41)/
const WORD_DIGITS = 64
/** Inner transactions that pay coins: all others stake, vote, lend or withdraw. */
const PAYING_NOTES = new Set(['call', 'create', 'suicide'])
const SUCCESS = 'SUCCESS'
const ADDRESS41 = /^41[0-9a-f]{40}$/
const PREFIX = 0x41
const ADDRESS_BYTES = 21

/**
 * The block as the scanner needs it: coins by successful TransferContract and by what contracts
 * paid, tokens by the logs of listed contracts alone; TRC-10 assets never (T01 to T05). Pure.
 */
export function toBlock(
  chainId: ChainId,
  { block, outcomes, doubt }: BlockEvidence,
  scope: BlockScope,
  { readsInternal = true }: { readsInternal?: boolean } = {},
): Block {
  const tokens = contractsOf(chainId, scope.tokens)
  const { mayWatch = () => true } = scope
  const concerns = ({ from, to }: Transfer) => mayWatch(to) || (from !== '' && mayWatch(from))
  const transfers: Transfer[] = []
  const transactions: TransactionOutcome[] = []
  block.transactions.forEach((transaction, at) => {
    const info = outcomes[at]
    if (info === undefined) throw malformed('a transaction of which nothing is told')
    const succeeded = hasSucceeded(transaction, info)
    const contract = contractIn(transaction.raw)
    const sender = ownerOf(transaction, contract)
    if (sender !== null && mayWatch(sender)) {
      const txnHash = transaction.id
      transactions.push({ txnHash, succeeded, sender, nonce: null, fee: info.fee })
    }
    if (!succeeded) return
    const isLost = contract.kind === 'unread' && mayName(transaction.raw, mayWatch)
    demand(!isLost, 'a contract that nobody can read, and that may pay us')
    const internals = readsInternal ? info.internals : []
    const moved = [
      ...nativeTransfers(chainId, transaction.id, contract, internals),
      ...info.logs.flatMap((log, rank) => tokenTransfer(tokens, transaction.id, log, rank)),
    ]
    transfers.push(...moved.filter(concerns))
  })
  const { height, id: hash, parentId: parentHash, time } = block
  const doubted = doubt === undefined ? {} : { doubt }
  return { height, hash, parentHash, time, transfers, transactions, ...doubted }
}

/**
 * Whether a transaction did what it says. The block and the receipt must agree: where a contract
 * ran, both name the same result.
 */
function hasSucceeded({ results }: RpcTransaction, info: RpcOutcome): boolean {
  const said = results[0]?.contractRet ?? 'DEFAULT'
  const { receiptResult, hasFailed } = info
  demand(receiptResult === '' || receiptResult === said, 'a result that its receipt contradicts')
  const isContradicted = hasFailed && receiptResult === SUCCESS
  demand(!isContradicted, 'a failure that its receipt contradicts')
  return said === SUCCESS && !hasFailed
}

/** Whether an address that may be watched stands anywhere in the bytes. */
function mayName(raw: Uint8Array, mayWatch: (address: Address) => boolean): boolean {
  const bytes = Buffer.from(raw)
  for (let at = bytes.indexOf(PREFIX); at >= 0; at = bytes.indexOf(PREFIX, at + 1)) {
    const hex = bytes.toString('hex', at, at + ADDRESS_BYTES)
    if (hex.length === 2 * ADDRESS_BYTES && mayWatch(fromHex41(hex))) return true
  }
  return false
}

function ownerOf({ owner }: RpcTransaction, contract: TronContract): Address | null {
  if ('owner' in contract) return fromHex41(contract.owner)
  return owner === null ? null : fromHex41(owner)
}

interface Move {
  from: Address
  to: Address
  value: bigint
}

/**
 * The transaction's own coins and those that contracts paid. These are ranked among all coins to
 * the same account in the order of execution, the transaction's own among them (decisions, 1).
 */
function nativeTransfers(
  chainId: ChainId,
  txnHash: string,
  contract: TronContract,
  internals: readonly RpcInternal[],
): Transfer[] {
  const own = ownMove(contract)
  const inner = internals.flatMap(innerMove)
  const ranks = new Map<Address, number>()
  return [...own, ...inner].map(({ from, to, value: amount }, at) => {
    const rank = ranks.get(to) ?? 0
    ranks.set(to, rank + 1)
    const position = at < own.length ? 'tx' : `call:${rank}`
    return { txnHash, position, tokenId: nativeTokenId(chainId), from, to, amount, tag: null }
  })
}

function ownMove(contract: TronContract): Move[] {
  if (!('owner' in contract)) return []
  const [to, value] =
    contract.kind === 'transfer'
      ? [contract.to, contract.amount]
      : [contract.contract, contract.value]
  if (value === 0n || to === contract.owner) return []
  return [{ from: fromHex41(contract.owner), to: fromHex41(to), value }]
}

/** What is rejected or pays nothing may say anything: contracts write it before they are judged. */
function innerMove({ from, to, value, note, rejected }: RpcInternal): Move[] {
  if (rejected || value === 0n || !PAYING_NOTES.has(note)) return []
  const isPayment = value > 0n && ADDRESS41.test(from) && ADDRESS41.test(to)
  demand(isPayment, 'coins that nobody pays, or to nobody')
  return from === to ? [] : [{ from: fromHex41(from), to: fromHex41(to), value }]
}

function tokenTransfer(
  tokens: ReadonlyMap<string, TokenId>,
  txnHash: string,
  log: RpcLog,
  rank: number,
): Transfer[] {
  const tokenId = tokens.get(log.address)
  const move = tokenId === undefined ? null : moveIn(log)
  // Nothing moves when the amount is zero, nor when a holder pays itself.
  if (tokenId === undefined || move === null || move.value === 0n || move.from === move.to) {
    return []
  }
  const { from, to, value: amount } = move
  return [{ txnHash, position: `log:${rank}`, tokenId, from, to, amount, tag: null }]
}

/** All transfers that logs tell of, of whichever token. */
export function readMoves(chainId: ChainId, logs: readonly RpcLog[]): MovedApart[] {
  return logs.flatMap((log) => {
    const move = moveIn(log)
    if (move === null) return []
    const tokenId = contractTokenId(chainId, addressOf20(log.address))
    return [{ tokenId, from: move.from, to: move.to, amount: move.value, tag: null }]
  })
}

/** The transfer that a log tells of; null for every other log. */
function moveIn({ topics, data }: RpcLog): Move | null {
  const [topic, from, to] = topics
  if (topic !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== WORD_DIGITS) return null
  if (from === undefined || to === undefined) return null
  if (!PADDED_ADDRESS.test(from) || !PADDED_ADDRESS.test(to)) return null
  const value = BigInt(`0x${data}`)
  return { from: addressOf20(from.slice(24)), to: addressOf20(to.slice(24)), value }
}
