import type { ChainId, TokenId } from '@sluice/wire'
import type { Address, Block, BlockScope, TransactionOutcome, Transfer } from '../port.ts'
import { addressOfScript, addressOfWitness } from './address.ts'
import type { FoundBlock } from './node.ts'
import type { RawTransaction } from './raw-transaction.ts'
import { demand, malformed } from './read-bytes.ts'
import type { Prevout } from './rpc.ts'

/** A transaction that may concern us, of which the origin of its coins is to be asked. */
export interface Concern {
  transaction: RawTransaction
  /** The outputs that are told. */
  paid: readonly Payment[]
  /** Whether its sender may be ours. */
  isSent: boolean
}

/** An output that pays an address. */
export interface Payment {
  vout: number
  to: Address
  amount: bigint
}

/** Blocks on top of a coinbase before its coins can be spent (consensus: COINBASE_MATURITY). */
export const COINBASE_LOCK = 100

/**
 * Which transactions of a block may concern us: all where the scope does not say. That a sender may
 * be ours is read from the keys that its witnesses show.
 */
export function concernsOf(
  chainId: ChainId,
  { block }: FoundBlock,
  { mayWatch }: Pick<BlockScope, 'mayWatch'>,
): Concern[] {
  return block.transactions.flatMap((transaction) => {
    const isSent = !transaction.isCoinbase && maySend(chainId, transaction, mayWatch)
    const paid = paymentsOf(chainId, transaction).filter(
      ({ to }) => isSent || mayWatch === undefined || mayWatch(to),
    )
    return isSent || paid.length > 0 ? [{ transaction, paid, isSent }] : []
  })
}

/**
 * The block behind the port. `origins` has, by txid, what the inputs of each concern have spent,
 * null where the node could not say. Contradictions are an Outage, and so is a sender of ours whose
 * coins are not known.
 */
export function toBlock(
  { height, block }: FoundBlock,
  { tokenId, mayWatch }: { tokenId: TokenId; mayWatch: BlockScope['mayWatch'] },
  concerns: readonly Concern[],
  origins: ReadonlyMap<string, readonly Prevout[] | null>,
): Block {
  const { hash, previousHash, time } = block
  const originOf = ({ transaction }: Concern) => {
    const prevouts = origins.get(transaction.txid) ?? null
    if (prevouts !== null) checkPrevouts(transaction, prevouts)
    return prevouts
  }
  return {
    height,
    hash,
    parentHash: previousHash,
    time: time * 1_000,
    transfers: concerns.flatMap((concern) => transfersOf(tokenId, concern, originOf(concern))),
    transactions: concerns.flatMap(
      (concern) => outcomeOf(concern, originOf(concern), mayWatch) ?? [],
    ),
  }
}

function maySend(
  chainId: ChainId,
  { inputs }: RawTransaction,
  mayWatch: BlockScope['mayWatch'],
): boolean {
  if (mayWatch === undefined) return true
  return inputs.some(({ script, witness }) => {
    const address = script.length === 0 ? addressOfWitness(witness, chainId) : null
    return address !== null && mayWatch(address)
  })
}

/** Outputs that pay an address something. */
export function paymentsOf(chainId: ChainId, { outputs }: RawTransaction): Payment[] {
  return outputs.flatMap(({ value, script }, vout) => {
    const to = value === 0n ? null : addressOfScript(script, chainId)
    return to === null ? [] : [{ vout, to, amount: value }]
  })
}

/** The payments of a transaction as the port tells them. */
export function transfersOf(
  tokenId: TokenId,
  { transaction, paid }: Pick<Concern, 'transaction' | 'paid'>,
  prevouts: readonly Prevout[] | null,
): Transfer[] {
  const { txid, isCoinbase } = transaction
  const from = isCoinbase ? '' : onlySender(prevouts)
  return paid.map(({ vout, to, amount }) => ({
    txnHash: txid,
    position: `out:${vout}`,
    tokenId,
    from,
    to,
    amount,
    tag: null,
    ...(isCoinbase ? { lockedFor: COINBASE_LOCK } : {}),
  }))
}

/** Who sent, where all coins were of one address; else nobody is named (B15). */
function onlySender(prevouts: readonly Prevout[] | null): Address | '' {
  const senders = new Set((prevouts ?? []).map(({ address }) => address))
  const [sender = ''] = senders
  return senders.size === 1 ? sender : ''
}

function outcomeOf(
  { transaction, isSent }: Concern,
  prevouts: readonly Prevout[] | null,
  mayWatch: BlockScope['mayWatch'] = () => true,
): TransactionOutcome | null {
  if (!isSent) return null
  if (prevouts === null) throw malformed('no word of the coins that were spent')
  const senders = prevouts.flatMap(({ address }) => (address === '' ? [] : [address]))
  const sender = senders.find(mayWatch)
  if (sender === undefined) return null
  const fee = sumOf(prevouts) - sumOf(transaction.outputs)
  const spends = transaction.inputs.map(({ txid: txnHash, vout }) => ({ txnHash, vout }))
  return { txnHash: transaction.txid, succeeded: true, sender, nonce: null, fee, spends }
}

/** Each must be what the input names, and together they must cover the outputs. */
function checkPrevouts({ inputs, outputs }: RawTransaction, prevouts: readonly Prevout[]): void {
  demand(prevouts.length === inputs.length, 'other inputs than the block has')
  prevouts.forEach(({ txid, vout }, at) => {
    const input = inputs[at]
    demand(input?.txid === txid && input.vout === vout, 'another input than the block has')
  })
  demand(sumOf(prevouts) >= sumOf(outputs), 'more coins paid than spent')
}

function sumOf(coins: readonly { value: bigint }[]): bigint {
  return coins.reduce((sum, { value }) => sum + value, 0n)
}
