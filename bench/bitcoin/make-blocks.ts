import { BITCOIN_NETWORKS, bitcoinKey } from '@sluice/simulator'
import { headerOf, merkleRoot } from '../../simulator/src/bitcoin/block.ts'
import { hash256, sha256, shown, uint32, uint64 } from '../../simulator/src/bitcoin/bytes.ts'
import { segwitAddress } from '../../simulator/src/bitcoin/scripts.ts'

/** The synthetic chain: blocks of payments of two coins each to two strangers, some of them us. */
export const COINS = {
  id: 'bip122:000000000933ea01ad0ee984209779ba',
  genesis: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  /** Deposits of a block, and the accounts that they go to in turn. */
  deposits: 15,
  payees: 1_500,
  /** Satoshi of every coin that is spent; of what is paid there is the plan. */
  spent: 5_000_000n,
} as const

/** The bytes of a block and the other answers that a client reads. */
export interface MadeBlock {
  height: number
  hash: string
  previousHash: string
  bytes: Buffer
  /** The position of each payment in the block, by its id. */
  ranks: ReadonlyMap<string, number>
}

const EASY_BITS = 0x207fffff
const FIRST_SECONDS = 1_700_000_000
const BLOCK_SECONDS = 600
const NO_HASH = Buffer.alloc(32)
const SEQUENCE = uint32(0xfffffffd)
const SIGNATURE = Buffer.concat([Buffer.of(72), Buffer.alloc(72, 0x30)])
const COMMITMENT_HEAD = Buffer.from('6a24aa21a9ed', 'hex')
const { kind } = BITCOIN_NETWORKS.test

/** Satoshi of a deposit. */
export function plannedAmount(height: number, slot: number): bigint {
  return BigInt(100_000 + height * 20 + slot)
}

/** The address of an account of ours. */
export function payeeAddress(payee: number): string {
  return segwitAddress(kind.prefix, 0, payeeProgram(payee))
}

/** The recipient of a deposit. */
export function payeeOf(height: number, slot: number): number {
  return (height * COINS.deposits + slot) % COINS.payees
}

/** The coins that a payment spends. */
export function coinsSpent(height: number, rank: number): { txid: string; vout: number }[] {
  return [0, 1].map((vout) => ({ txid: shown(spentBy(height, rank)), vout }))
}

/** A chain of blocks above the first, each with its work, roots and commitment done. */
export function makeBlocks(given: { count: number; transactions: number }): MadeBlock[] {
  const blocks: MadeBlock[] = []
  let previousHash: string = COINS.genesis
  for (let height = 1; height <= given.count; height += 1) {
    const block = makeBlock(height, previousHash, given.transactions)
    blocks.push(block)
    previousHash = block.hash
  }
  return blocks
}

function makeBlock(height: number, previousHash: string, transactions: number): MadeBlock {
  const txids: Buffer[] = []
  const witnessIds: Buffer[] = []
  const bodies: Buffer[] = []
  const ranks = new Map<string, number>()
  for (let rank = 1; rank < transactions; rank += 1) {
    const made = makePayment(height, rank, transactions)
    txids.push(made.txid)
    witnessIds.push(hash256(made.bytes))
    bodies.push(made.bytes)
    ranks.set(shown(made.txid), rank)
  }
  const commitment = hash256(Buffer.concat([merkleRoot([NO_HASH, ...witnessIds]), NO_HASH]))
  const coinbase = makeCoinbase(height, commitment)
  const root = merkleRoot([coinbase.txid, ...txids])
  const header = work({ previousHash, root, time: FIRST_SECONDS + height * BLOCK_SECONDS })
  const count = Buffer.concat([Buffer.of(0xfd), uint32(transactions).subarray(0, 2)])
  const bytes = Buffer.concat([header, count, coinbase.bytes, ...bodies])
  return { height, hash: shown(hash256(header)), previousHash, bytes, ranks }
}

/** Each so many-th pays us with its first output. */
function makePayment(height: number, rank: number, transactions: number) {
  const step = Math.floor((transactions - 1) / COINS.deposits)
  const slot = rank / step - 1
  const isOurs = Number.isInteger(slot) && slot < COINS.deposits
  const spent = spentBy(height, rank)
  const points = [0, 1].map((vout) => Buffer.concat([spent, uint32(vout)]))
  const script = (program: Buffer) => Buffer.concat([Buffer.of(22, 0, 20), program])
  const own = isOurs ? payeeProgram(payeeOf(height, slot)) : spent.subarray(12)
  const outputs = [
    Buffer.concat([uint64(isOurs ? plannedAmount(height, slot) : 70_000n), script(own)]),
    Buffer.concat([uint64(2_000_000n), script(spent.subarray(0, 20))]),
  ]
  const key = Buffer.concat([Buffer.of(33, 2), spent])
  const witness = Buffer.concat([Buffer.of(2), SIGNATURE, key])
  const middle = Buffer.concat([
    Buffer.of(2),
    ...points.flatMap((point) => [point, Buffer.of(0), SEQUENCE]),
    Buffer.of(2),
    ...outputs,
  ])
  return closed(middle, [witness, witness])
}

function makeCoinbase(height: number, commitment: Buffer) {
  const pushed = Buffer.concat([Buffer.of(3), uint32(height).subarray(0, 3)])
  const miner = Buffer.concat([Buffer.of(22), bitcoinKey('miner').script])
  const committed = Buffer.concat([COMMITMENT_HEAD, commitment])
  const middle = Buffer.concat([
    Buffer.of(1),
    NO_HASH,
    uint32(0xffffffff),
    Buffer.of(pushed.length),
    pushed,
    uint32(0xffffffff),
    Buffer.of(2),
    uint64(5_000_000_000n),
    miner,
    uint64(0n),
    Buffer.of(committed.length),
    committed,
  ])
  return closed(middle, [Buffer.concat([Buffer.of(1, 32), NO_HASH])])
}

/** Version and lock time around inputs and outputs, with the witnesses and without. */
function closed(middle: Buffer, witnesses: readonly Buffer[]): { txid: Buffer; bytes: Buffer } {
  const [version, lockTime] = [uint32(2), uint32(0)]
  const txid = hash256(Buffer.concat([version, middle, lockTime]))
  const bytes = Buffer.concat([version, Buffer.of(0, 1), middle, ...witnesses, lockTime])
  return { txid, bytes }
}

function work(given: { previousHash: string; root: Buffer; time: number }): Buffer {
  for (let nonce = 0; ; nonce += 1) {
    const header = headerOf({ version: 0x20000000, bits: EASY_BITS, nonce, ...given })
    if ((hash256(header)[31] ?? 0xff) < 0x80) return header
  }
}

function payeeProgram(payee: number): Buffer {
  return sha256(Buffer.from(`payee ${payee}`)).subarray(0, 20)
}

function spentBy(height: number, rank: number): Buffer {
  return sha256(Buffer.from(`coin ${height} ${rank}`))
}
