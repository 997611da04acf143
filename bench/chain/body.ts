import {
  type Hex,
  type LogJson,
  type MinedLogJson,
  type MinedReceiptJson,
  type MinedTransactionJson,
  bloomOf,
  quantity,
  word,
} from '@sluice/simulator'
import { createHash } from 'node:crypto'
import {
  CHAIN,
  DEPOSITS_A_BLOCK,
  type Payees,
  TOKENS,
  plannedDeposit,
  positionOf,
  strangerAddress,
  transactionHash,
  watchedAddress,
} from './plan.ts'

/** A block's transactions and receipts in the form of a node, before the block's hash is known. */
export interface Body {
  transactions: MinedTransactionJson[]
  receipts: MinedReceiptJson[]
}

export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SWAP: Hex = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const PLAIN_SENDS = 40
const NOTHING: Hex = `0x${'0'.repeat(64)}`
const INPUT_BYTES = 214
const GAS_USED = 60_000

/**
 * The whole body of a new block; the node patches the few fields in which blocks of one kind
 * differ.
 */
export function makeBody(height: number, payees: Payees): Body {
  const kind = height % CHAIN.bodies
  const slots = new Map(
    Array.from({ length: DEPOSITS_A_BLOCK }, (_, slot) => [positionOf(slot), slot]),
  )
  const transactions: MinedTransactionJson[] = []
  const receipts: MinedReceiptJson[] = []
  let logIndex = 0
  for (let position = 0; position < CHAIN.transactions; position += 1) {
    const slot = slots.get(position)
    const made = slot === undefined ? strangers(kind, position) : depositOf(height, slot, payees)
    const hash = transactionHash(height, position, slot === undefined ? kind : height)
    const transaction = transactionOf({ ...made, kind, position, hash, height })
    transactions.push(transaction)
    receipts.push(receiptOf({ transaction, logs: made.logs, logIndex, position }))
    logIndex += made.logs.length
  }
  return { transactions, receipts }
}

interface Made {
  to: Hex
  value: bigint
  input: Hex
  logs: LogJson[]
}

function depositOf(height: number, slot: number, payees: Payees): Made {
  const { token, amount, recipient } = plannedDeposit(height, slot, payees)
  const to = watchedAddress(recipient)
  if (token === null) return { to, value: amount, input: '0x', logs: [] }
  const log = transferLog(token, strangerAddress(`payer ${slot}`), to, amount)
  return { to: token, value: 0n, input: `0xa9059cbb${word(to)}${word(amount)}`, logs: [log] }
}

/**
 * Plain sends between strangers, and calls with the rest of the logs, mostly of tokens that are
 * listed.
 */
function strangers(kind: number, position: number): Made {
  const name = `${kind} ${position}`
  const to = strangerAddress(`to ${name}`)
  if (position >= CHAIN.transactions - PLAIN_SENDS) {
    return { to, value: 10n ** 15n, input: '0x', logs: [] }
  }
  const calls = callRank(CHAIN.transactions - PLAIN_SENDS)
  const total = CHAIN.logs - CHAIN.tokenDeposits
  const rank = callRank(position)
  const count = Math.floor(((rank + 1) * total) / calls) - Math.floor((rank * total) / calls)
  const logs = Array.from({ length: count }, (_, at) => strangerLog(name, rank, at))
  const noise = createHash('shake256', { outputLength: INPUT_BYTES }).update(name).digest('hex')
  return { to, value: 0n, input: `0x${noise}`, logs }
}

/** How many calls come before a place in the block. */
function callRank(position: number): number {
  let before = 0
  for (let slot = 0; slot < DEPOSITS_A_BLOCK; slot += 1) {
    if (positionOf(slot) < position) before += 1
  }
  return position - before
}

function strangerLog(name: string, rank: number, at: number): LogJson {
  const from = strangerAddress(`from ${name} ${at}`)
  const to = strangerAddress(`into ${name} ${at}`)
  if (at % 3 === 2) {
    const data = `0x${word(rank)}${word(at)}${word(7)}${word(8)}${word(9)}` as Hex
    return { address: strangerAddress(`pool ${name}`), topics: [SWAP, pad(from), pad(to)], data }
  }
  const unlisted = strangerAddress(`token ${rank % 50}`)
  const token = at % 2 === 0 ? (TOKENS[rank % TOKENS.length] ?? unlisted) : unlisted
  return transferLog(token, from, to, 1_000n + BigInt(rank))
}

export function transferLog(token: Hex, from: Hex, to: Hex, amount: bigint): LogJson {
  return { address: token, topics: [TRANSFER, pad(from), pad(to)], data: `0x${word(amount)}` }
}

function pad(address: Hex): Hex {
  return `0x${word(address)}`
}

function transactionOf(
  given: Made & { kind: number; position: number; hash: Hex; height: number },
): MinedTransactionJson {
  const isPlain = given.input === '0x'
  const seal = createHash('sha256').update(`seal ${given.kind} ${given.position}`).digest('hex')
  return {
    blockHash: NOTHING,
    blockNumber: quantity(given.height),
    from: strangerAddress(`sender ${given.kind} ${given.position}`),
    gas: quantity(isPlain ? 21_000 : 300_000),
    gasPrice: '0x4a817c800',
    maxFeePerGas: '0x6fc23ac00',
    maxPriorityFeePerGas: '0x3b9aca00',
    hash: given.hash,
    input: given.input,
    nonce: quantity(100 + given.position),
    to: given.to,
    transactionIndex: quantity(given.position),
    value: quantity(given.value),
    type: '0x2',
    accessList: [],
    chainId: quantity(CHAIN.numericId),
    v: '0x1',
    r: `0x1${seal.slice(1)}`,
    s: `0x2${seal.slice(1)}`,
    yParity: '0x1',
  }
}

function receiptOf(given: {
  transaction: MinedTransactionJson
  logs: readonly LogJson[]
  logIndex: number
  position: number
}): MinedReceiptJson {
  const { transaction, logIndex, position } = given
  const { hash, blockHash, blockNumber, transactionIndex, from, to } = transaction
  const place = {
    blockHash: blockHash ?? NOTHING,
    blockNumber: blockNumber ?? '0x0',
    transactionHash: hash,
    transactionIndex: transactionIndex ?? '0x0',
  }
  const logs = given.logs.map(
    (log, at): MinedLogJson => ({
      ...log,
      ...place,
      logIndex: quantity(logIndex + at),
      removed: false,
    }),
  )
  return {
    ...place,
    from,
    to,
    contractAddress: null,
    cumulativeGasUsed: quantity((position + 1) * GAS_USED),
    effectiveGasPrice: '0x4a817c800',
    gasUsed: quantity(GAS_USED - 1),
    logs,
    logsBloom: bloomOf(logs),
    status: '0x1',
    type: '0x2',
  }
}
