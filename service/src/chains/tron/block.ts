import type { ChainId, TokenId } from '@sluice/wire'
import type { Block, BlockScope, MovedApart, Transfer, TransactionOutcome } from '../port.ts'
import { fromHex41 } from './address.ts'
import { addressOf20, contractsOf, contractTokenId, nativeTokenId } from './chain-ids.ts'
import { contractIn } from './contract.ts'
import type { TronContract } from './contract.ts'
import type { BlockEvidence } from './fetch-block.ts'
import { demand, malformed } from './rpc.ts'
import type { RpcOutcome, RpcInternal, RpcLog, RpcTransaction } from './rpc.ts'

/** keccak of Transfer(address,address,uint256). */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Bytes before the twenty bytes of an address; some contracts leave the byte 41 there. */
const PADDED_ADDRESS = /^0{22}(00|41)/
const WORD_DIGITS = 64
/** Notes of inner transactions that pay coins: all others stake, vote, lend or withdraw. */
const PAYING_NOTES = new Set(['call', 'create', 'suicide'])
const SUCCESS = 'SUCCESS'
/** The block states no result. */
const UNTOLD = 'DEFAULT'
const ADDRESS41 = /^41[0-9a-f]{40}$/
const PREFIX = 0x41
const ADDRESS_BYTES = 21

/**
 * Converts a block for the scanner: coins of successful TransferContracts and of payments by
 * contracts, tokens by the logs of listed contracts only; TRC-10 assets never (T01 to T05). Pure.
 */
export function toBlock(
  chainId: ChainId,
  { block, outcomes, doubt }: BlockEvidence,
  scope: BlockScope,
  { readsInternal = true }: { readsInternal?: boolean } = {},
): Block {
  const tokens = contractsOf(chainId, scope.tokens)
  const mayWatch = watchHex(scope)
  const concerns = ({ from, to }: Move) => mayWatch(to) || mayWatch(from)
  const transfers: Transfer[] = []
  const transactions: TransactionOutcome[] = []
  block.transactions.forEach((transaction, at) => {
    const info = outcomes[at]
    if (info === undefined) throw malformed('a transaction without its info')
    const verdict = verdictOn(transaction, info)
    const contract = contractIn(transaction.raw)
    const sender = ownerOf(transaction, contract)
    if (sender !== null && mayWatch(sender)) {
      demand(verdict !== 'unclear', UNCLEAR)
      const outcome = { txnHash: transaction.id, succeeded: verdict === 'succeeded', nonce: null }
      transactions.push({ ...outcome, fee: info.fee, sender: fromHex41(sender) })
    }
    const logged = info.logs.flatMap((log, rank) => tokenMove(tokens, log, rank)).filter(concerns)
    if (verdict === 'failed') return demand(logged.length === 0, 'logs of a failed transaction')
    const isLost = contract.kind === 'unread' && mayName(transaction.raw, mayWatch)
    demand(!isLost, 'a contract that cannot be read, and that may pay us')
    const internals = readsInternal ? info.internals : []
    const native = nativeMoves(nativeTokenId(chainId), contract, internals).filter(concerns)
    const moved = [...native, ...logged]
    demand(verdict === 'succeeded' || moved.length === 0, UNCLEAR)
    transfers.push(...moved.map((move) => told(transaction.id, move)))
  })
  const { height, id: hash, parentId: parentHash, time } = block
  const doubted = doubt === undefined ? {} : { doubt }
  return { height, hash, parentHash, time, transfers, transactions, ...doubted }
}

/** Whether an address of 21 bytes in hex may be watched; avoids encoding its text. */
function watchHex({ mayWatch, mayWatchBytes }: BlockScope): (address: string) => boolean {
  if (mayWatchBytes === undefined) {
    return mayWatch === undefined ? () => true : (address) => mayWatch(fromHex41(address))
  }
  const bytes = Buffer.alloc(ADDRESS_BYTES)
  return (address) => {
    bytes.write(address, 'hex')
    return mayWatchBytes(bytes.subarray(1))
  }
}

const UNCLEAR = 'block and transaction info disagree on a result'

/**
 * The result of a transaction. The block, the receipt of a contract's execution and the transaction
 * info each state one. `unclear`: the info contradicts the block, or the block states none, as in
 * the chain's first year; no transfer that may concern us is decided by that.
 */
function verdictOn(
  { results }: Pick<RpcTransaction, 'results'>,
  { receiptResult, hasFailed }: Pick<RpcOutcome, 'receiptResult' | 'hasFailed'>,
): 'succeeded' | 'failed' | 'unclear' {
  const said = results[0]?.contractRet ?? UNTOLD
  demand(receiptResult === '' || receiptResult === said, 'a result that its receipt contradicts')
  demand(!hasFailed || receiptResult !== SUCCESS, 'a failure that its receipt contradicts')
  if (said === UNTOLD || (said === SUCCESS) === hasFailed) return 'unclear'
  return hasFailed ? 'failed' : 'succeeded'
}

/** Whether the bytes contain an address that may be watched. */
function mayName(raw: Uint8Array, mayWatch: (address: string) => boolean): boolean {
  const bytes = Buffer.from(raw)
  for (let at = bytes.indexOf(PREFIX); at >= 0; at = bytes.indexOf(PREFIX, at + 1)) {
    const hex = bytes.toString('hex', at, at + ADDRESS_BYTES)
    if (hex.length === 2 * ADDRESS_BYTES && mayWatch(hex)) return true
  }
  return false
}

function ownerOf({ owner }: RpcTransaction, contract: TronContract): string | null {
  return 'owner' in contract ? contract.owner : owner
}

/** From and to are 21 bytes in hex. */
interface Move {
  from: string
  to: string
  value: bigint
}

/** The moves of a transaction, with their positions. */
interface PlacedMove extends Move {
  position: string
  tokenId: TokenId
}

function told(txnHash: string, { position, tokenId, from, to, value }: PlacedMove): Transfer {
  const parties = { from: fromHex41(from), to: fromHex41(to) }
  return { txnHash, position, tokenId, ...parties, amount: value, tag: null }
}

/**
 * The transaction's own coins and those paid by contracts. These are ranked among all coins to the
 * same account in the order of execution, including the transaction's own (decisions, 1).
 */
function nativeMoves(
  tokenId: TokenId,
  contract: TronContract,
  internals: readonly RpcInternal[],
): PlacedMove[] {
  const own = ownMove(contract)
  const inner = internals.flatMap(innerMove)
  const ranks = new Map<string, number>()
  return [...own, ...inner].map((move, at) => {
    const rank = ranks.get(move.to) ?? 0
    ranks.set(move.to, rank + 1)
    return { ...move, position: at < own.length ? 'tx' : `call:${rank}`, tokenId }
  })
}

function ownMove(contract: TronContract): Move[] {
  if (!('owner' in contract)) return []
  const [to, value] =
    contract.kind === 'transfer'
      ? [contract.to, contract.amount]
      : [contract.contract, contract.value]
  if (value === 0n || to === contract.owner) return []
  return [{ from: contract.owner, to, value }]
}

/**
 * A rejected or zero inner transaction may have any fields: contracts write them before the check.
 */
function innerMove({ from, to, value, note, rejected }: RpcInternal): Move[] {
  if (rejected || value === 0n || !PAYING_NOTES.has(note)) return []
  const isPayment = value > 0n && ADDRESS41.test(from) && ADDRESS41.test(to)
  demand(isPayment, 'coins without a payer or without a payee')
  return from === to ? [] : [{ from, to, value }]
}

function tokenMove(tokens: ReadonlyMap<string, TokenId>, log: RpcLog, rank: number): PlacedMove[] {
  const tokenId = tokens.get(log.address)
  const move = tokenId === undefined ? null : moveIn(log)
  // A zero amount, or a payment to oneself, moves nothing.
  if (tokenId === undefined || move === null || move.value === 0n || move.from === move.to) {
    return []
  }
  return [{ ...move, position: `log:${rank}`, tokenId }]
}

/** All transfers in logs, of any token. */
export function readMoves(chainId: ChainId, logs: readonly RpcLog[]): MovedApart[] {
  return logs.flatMap((log) => {
    const move = moveIn(log)
    if (move === null) return []
    const tokenId = contractTokenId(chainId, addressOf20(log.address))
    const parties = { from: fromHex41(move.from), to: fromHex41(move.to) }
    return [{ tokenId, ...parties, amount: move.value, tag: null }]
  })
}

/** The transfer in a log; null for any other log. */
function moveIn({ topics, data }: RpcLog): Move | null {
  const [topic, from, to] = topics
  if (topic !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== WORD_DIGITS) return null
  if (from === undefined || to === undefined) return null
  if (!PADDED_ADDRESS.test(from) || !PADDED_ADDRESS.test(to)) return null
  const value = BigInt(`0x${data}`)
  return { from: `41${from.slice(24)}`, to: `41${to.slice(24)}`, value }
}
