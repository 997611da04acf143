import { compactSize, hash256, hidden, shown, Taker, uint32, uint64, withLength } from './bytes.ts'

/** A transaction, as BIP-144 writes it. */
export interface BitcoinTransaction {
  version: number
  inputs: TransactionInput[]
  outputs: TransactionOutput[]
  lockTime: number
}

export interface TransactionInput {
  txid: string
  vout: number
  script: Buffer
  sequence: number
  witness: Buffer[]
}

export interface TransactionOutput {
  /** Satoshi. */
  value: bigint
  script: Buffer
}

export const NO_TXID = '0'.repeat(64)
export const NO_VOUT = 0xffffffff

/** Whether a transaction makes new coins. */
export function isCoinbase({ inputs }: BitcoinTransaction): boolean {
  const [first] = inputs
  return inputs.length === 1 && first?.txid === NO_TXID && first.vout === NO_VOUT
}

/** The bytes of a transaction; without witnesses those that its id is made of. */
export function serialize(transaction: BitcoinTransaction, witnesses = true): Buffer {
  const { version, inputs, outputs, lockTime } = transaction
  const isSegwit = witnesses && inputs.some(({ witness }) => witness.length > 0)
  return Buffer.concat([
    uint32(version),
    isSegwit ? Buffer.of(0, 1) : Buffer.alloc(0),
    compactSize(inputs.length),
    ...inputs.map(({ txid, vout, script, sequence }) =>
      Buffer.concat([hidden(txid), uint32(vout), withLength(script), uint32(sequence)]),
    ),
    compactSize(outputs.length),
    ...outputs.map(({ value, script }) => Buffer.concat([uint64(value), withLength(script)])),
    ...(isSegwit ? inputs.map(serializeWitness) : []),
    uint32(lockTime),
  ])
}

/** Reads a transaction; throws if the bytes are invalid. */
export function deserialize(bytes: Uint8Array): BitcoinTransaction {
  const taker = new Taker(bytes)
  const transaction = takeTransaction(taker)
  if (!taker.isEmpty) throw new Error('there are bytes after the transaction')
  return transaction
}

/** Takes the next transaction off some bytes. */
export function takeTransaction(taker: Taker): BitcoinTransaction {
  const version = taker.uint32()
  const isSegwit = taker.ahead(0) === 0 && taker.ahead(1) === 1
  if (isSegwit) taker.bytes(2)
  const inputs = taker.list(
    (): TransactionInput => ({
      txid: shown(taker.bytes(32)),
      vout: taker.uint32(),
      script: taker.lengthy(),
      sequence: taker.uint32(),
      witness: [],
    }),
  )
  const outputs = taker.list(() => ({ value: taker.uint64(), script: taker.lengthy() }))
  if (isSegwit) for (const input of inputs) input.witness = taker.list(() => taker.lengthy())
  const lockTime = taker.uint32()
  return { version, inputs, outputs, lockTime }
}

/** The id: the hash without witnesses. */
export function txidOf(transaction: BitcoinTransaction): string {
  return shown(hash256(serialize(transaction, false)))
}

/** The hash with witnesses, as the block's commitment counts it. */
export function wtxidOf(transaction: BitcoinTransaction): string {
  return shown(hash256(serialize(transaction)))
}

/** BIP-141. */
export function weightOf(transaction: BitcoinTransaction): number {
  return serialize(transaction, false).length * 3 + serialize(transaction).length
}

/** A quarter of the weight, rounded up. */
export function vsizeOf(transaction: BitcoinTransaction): number {
  return Math.ceil(weightOf(transaction) / 4)
}

function serializeWitness({ witness }: TransactionInput): Buffer {
  return Buffer.concat([compactSize(witness.length), ...witness.map(withLength)])
}
