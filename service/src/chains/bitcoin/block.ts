import type { ChainId, TokenId } from '@sluice/wire'
import type {
  Address,
  Block,
  BlockScope,
  CoinPoint,
  SoughtCoin,
  TransactionOutcome,
  Transfer,
} from '../port.ts'
import { addressOfScript, addressOfWitness } from './address.ts'
import type { FoundBlock } from './node.ts'
import { type RawTransaction, SCHNORR_BYTES } from './raw-transaction.ts'
import { demand, malformed } from './read-bytes.ts'
import type { Prevout } from './rpc.ts'
import { isAskable } from './told-size.ts'

/** A transaction that may concern us; the origin of its inputs must be read. */
export interface Concern {
  transaction: RawTransaction
  /** The outputs to report. */
  paid: readonly Payment[]
  /**
   * Whether its sender may be ours: its keys show it, or (`hidden`) it shows no key and only the
   * origin of its inputs can.
   */
  isSent: boolean | 'hidden'
}

/** An output that pays an address. */
export interface Payment {
  vout: number
  to: Address
  amount: bigint
}

interface Watching {
  chainId: ChainId
  mayWatch: BlockScope['mayWatch']
}

/** Confirmations of a coinbase before its outputs can be spent (consensus: COINBASE_MATURITY). */
const COINBASE_LOCK = 100

/**
 * The transactions of a block that may concern us; all if the scope has no filter. The keys in the
 * witnesses show whether a sender may be ours; an input without a key may be ours too if such
 * addresses are watched.
 */
export function concernsOf(
  chainId: ChainId,
  { block }: FoundBlock,
  { mayWatch, hidesKeys = () => true }: Pick<BlockScope, 'mayWatch' | 'hidesKeys'>,
): Concern[] {
  const hides = hidesKeys()
  return block.transactions.flatMap((transaction) => {
    const mayShow = () => shownBy({ chainId, mayWatch }, transaction) !== undefined
    const shown = !transaction.isCoinbase && (mayWatch === undefined || mayShow())
    const mayHide = hides && !transaction.isCoinbase && transaction.inputs.some(showsNoKey)
    const isSent = shown || (mayHide && 'hidden')
    const paid = paymentsTold(chainId, { transaction, isSent }, mayWatch)
    return isSent !== false || paid.length > 0 ? [{ transaction, paid, isSent }] : []
  })
}

/** All payments of a sender of ours; else those to recipients that may be ours. */
function paymentsTold(
  chainId: ChainId,
  { transaction, isSent }: Pick<Concern, 'transaction' | 'isSent'>,
  mayWatch: BlockScope['mayWatch'] = () => true,
): Payment[] {
  const all = paymentsOf(chainId, transaction)
  return isSent === true ? all : all.filter(({ to }) => mayWatch(to))
}

/**
 * The block for the port. `origins` has the spent outputs of each concern by txid, null if the node
 * could not return them. Contradictions are an Outage, and so is a sender of ours with unknown
 * inputs, unless the node cannot be queried for them: then a transaction that may be ours is
 * reported with the outputs that it spends, which identify ours.
 */
export function toBlock(
  { height, block }: FoundBlock,
  native: { chainId: ChainId; tokenId: TokenId; mayWatch: BlockScope['mayWatch'] },
  suspected: readonly Concern[],
  origins: ReadonlyMap<string, readonly Prevout[] | null>,
): Block {
  const { tokenId } = native
  const { hash, previousHash, time } = block
  const originOf = ({ transaction }: Concern) => {
    const prevouts = origins.get(transaction.txid) ?? null
    if (prevouts !== null) checkPrevouts(transaction, prevouts)
    return prevouts
  }
  const concerns = suspected.flatMap((one) => unhide(native, one, originOf(one)) ?? [])
  return {
    height,
    hash,
    parentHash: previousHash,
    time: time * 1_000,
    transfers: concerns.flatMap((concern) => transfersOf(tokenId, concern, originOf(concern))),
    origins: spentBefore(concerns),
    transactions: concerns.flatMap((one) => outcomeOf(native, one, originOf(one)) ?? []),
  }
}

/**
 * Returns which of some outputs these transactions spend; for the few blocks in which this is
 * needed.
 */
export function soughtIn(
  transactions: readonly Pick<RawTransaction, 'txid' | 'inputs'>[],
  seeks: ReadonlySet<string>,
): SoughtCoin[] {
  return transactions.flatMap(({ txid: spentBy, inputs }) =>
    pointsOf(inputs)
      .filter(({ txnHash, vout }) => seeks.has(`${txnHash}:${vout}`))
      .map((point) => ({ ...point, spentBy })),
  )
}

/** A concern whose sender is known although it showed no key; null if it does not concern us. */
function unhide(
  { chainId, mayWatch }: Watching,
  concern: Concern,
  prevouts: readonly Prevout[] | null,
): Concern | null {
  if (concern.isSent !== 'hidden') return concern
  const isSent = isUntold(concern, prevouts) || senderOf(prevouts, mayWatch) !== undefined
  const paid = paymentsTold(chainId, { ...concern, isSent }, mayWatch)
  return isSent || paid.length > 0 ? { ...concern, isSent, paid } : null
}

/** Whether only the outputs that it names show what a transaction spent. */
function isUntold({ transaction }: Concern, prevouts: readonly Prevout[] | null): boolean {
  return prevouts === null && !isAskable(transaction)
}

/** The outputs that each transaction with a payment to another address spends. */
function spentBefore(concerns: readonly Concern[]): Map<string, CoinPoint[]> {
  return new Map(
    concerns
      .filter(({ paid, transaction }) => paid.length > 0 && !transaction.isCoinbase)
      .map(({ transaction }) => [transaction.txid, pointsOf(transaction.inputs)]),
  )
}

function pointsOf(inputs: RawTransaction['inputs']): CoinPoint[] {
  return inputs.map(({ txid: txnHash, vout }) => ({ txnHash, vout }))
}

/** The first sender whose key may be ours. */
function shownBy(
  { chainId, mayWatch = () => true }: Watching,
  { inputs }: RawTransaction,
): Address | undefined {
  for (const { script, witness } of inputs) {
    const address = script.length === 0 ? addressOfWitness(witness, chainId) : null
    if (address !== null && mayWatch(address)) return address
  }
  return undefined
}

/** One signature, and perhaps an annex: the key is in the spent output (BIP-341). */
function showsNoKey({ script, witness }: RawTransaction['inputs'][number]): boolean {
  const [signature, annex, ...others] = witness
  const isSignature = signature !== undefined && SCHNORR_BYTES.includes(signature.length)
  const isAlone = others.length === 0 && (annex === undefined || annex[0] === ANNEX)
  return script.length === 0 && isSignature && isAlone
}

const ANNEX = 0x50

/** Outputs that pay an amount to an address. */
export function paymentsOf(chainId: ChainId, { outputs }: RawTransaction): Payment[] {
  return outputs.flatMap(({ value, script }, vout) => {
    const to = value === 0n ? null : addressOfScript(script, chainId)
    return to === null ? [] : [{ vout, to, amount: value }]
  })
}

/** The payments of a transaction for the port. */
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

/** The sender if all inputs are of one address; else empty (B15). */
function onlySender(prevouts: readonly Prevout[] | null): Address | '' {
  const senders = new Set((prevouts ?? []).map(({ address }) => address))
  const [sender = ''] = senders
  return senders.size === 1 ? sender : ''
}

function outcomeOf(
  watching: Watching,
  concern: Concern,
  prevouts: readonly Prevout[] | null,
): TransactionOutcome | null {
  const { transaction, isSent } = concern
  if (isSent === false) return null
  const spends = pointsOf(transaction.inputs)
  const told = { txnHash: transaction.txid, succeeded: true, nonce: null, spends }
  if (isUntold(concern, prevouts)) {
    return { ...told, sender: shownBy(watching, transaction) ?? '', fee: 0n }
  }
  const sender = senderOf(prevouts, watching.mayWatch)
  if (sender === undefined) return null
  return { ...told, sender, fee: sumOf(prevouts ?? []) - sumOf(transaction.outputs) }
}

/** The first owner of a spent output that may be ours. */
function senderOf(
  prevouts: readonly Prevout[] | null,
  mayWatch: BlockScope['mayWatch'] = () => true,
): Address | undefined {
  if (prevouts === null) throw malformed('no word of the coins that were spent')
  const senders = prevouts.flatMap(({ address }) => (address === '' ? [] : [address]))
  return senders.find(mayWatch)
}

/** Each must be the output that the input names, and together they must cover the outputs. */
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
