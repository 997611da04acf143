import { hex41Of, SHASTA_GENESIS } from '@sluice/simulator'
import { blockJson, makeBlock, type TronBlock } from '../../simulator/src/tron/block.ts'
import type { Executed } from '../../simulator/src/tron/state.ts'
import { rawOf, readRaw } from '../../simulator/src/tron/transaction.ts'
import { TRON, amountOf, payeeOf, strangerHex, watchedHex } from './plan.ts'

/** A node's answers for one block, ready to send. */
export interface CannedBlock {
  height: number
  /** Of `getblock` without detail. */
  header: Buffer
  /** Of `getblockbylimitnext` for this one height. */
  whole: Buffer
  /** Of `gettransactioninfobyblocknum`. */
  infos: Buffer
}

const START = Date.UTC(2026, 0, 1)
const WITNESS = strangerHex('witness')
const SIGNATURE = new Uint8Array(65).fill(7)
const FEE_LIMIT = 100_000_000n
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const CONTRACT = hex41Of(TRON.contract)

/** The chain, one block after the other, and before them the first block of all. */
export function cannedChain({
  blocks,
  watched,
}: {
  blocks: number
  watched: number
}): CannedBlock[] {
  const chain = [canned(firstBlock())]
  let parentId = SHASTA_GENESIS
  for (let height = TRON.origin; height <= TRON.origin + blocks; height += 1) {
    const block = blockAt(height, { parentId, watched })
    parentId = block.id
    chain.push(canned(block))
  }
  return chain
}

function firstBlock(): TronBlock {
  const common = { height: 0, parentId: '0'.repeat(64), time: START, witness: WITNESS, fork: 0 }
  return { ...makeBlock({ ...common, executed: [], state: null }), id: SHASTA_GENESIS }
}

function blockAt(
  height: number,
  { parentId, watched }: { parentId: string; watched: number },
): TronBlock {
  const time = START + (height - TRON.origin + 1) * TRON.slotMs
  const isFirst = height === TRON.origin
  const positions = Array.from({ length: isFirst ? 0 : TRON.transactions }, (_, at) => at)
  const executed = positions.map((position) => executedAt({ height, position, time, watched }))
  const made = { height, parentId, time, witness: WITNESS, fork: 0 }
  return makeBlock({ ...made, executed, state: null })
}

function executedAt(given: {
  height: number
  position: number
  time: number
  watched: number
}): Executed {
  const { height, position, time, watched } = given
  const payee = payeeOf(height, position, watched)
  const to = payee === null ? strangerHex(`to ${position}`) : watchedHex(payee)
  const owner = strangerHex(`from ${position}`)
  const isToken = position % 2 === 1
  const amount = amountOf(height, position)
  const data = `a9059cbb${word(to.slice(2))}${word(amount.toString(16))}`
  const raw = rawOf({
    refBlockBytes: 'abcd',
    refBlockHash: '1122334455667788',
    expiration: time + 60_000,
    timestamp: time + position,
    type: isToken ? 'TriggerSmartContract' : 'TransferContract',
    feeLimit: isToken ? FEE_LIMIT : 0n,
    value: isToken
      ? { owner_address: owner, contract_address: CONTRACT, data }
      : { owner_address: owner, to_address: to, amount },
  })
  const transaction = readRaw(raw, [SIGNATURE])
  const { id } = transaction
  const common = { id, blockNumber: height, blockTimeStamp: time }
  const topics = [TRANSFER, word(owner.slice(2)), word(to.slice(2))]
  const log = [{ address: CONTRACT.slice(2), topics, data: word(amount.toString(16)) }]
  const receipt = { energy_usage_total: 64_285, net_usage: 345, result: 'SUCCESS' }
  const info = isToken
    ? { ...common, contractResult: [word('1')], contract_address: CONTRACT, receipt, log }
    : { ...common, contractResult: [''], receipt: { net_usage: 268 } }
  return { transaction, contractRet: 'SUCCESS', info }
}

function canned(block: TronBlock): CannedBlock {
  return {
    height: block.height,
    header: bytes(blockJson(block, { detail: false })),
    whole: bytes({ block: [blockJson(block)] }),
    infos: bytes(block.executed.map(({ info }) => info)),
  }
}

function word(hex: string): string {
  return hex.padStart(64, '0')
}

/** Amounts of the plan are small: numbers hold them exactly. */
function bytes(value: unknown): Buffer {
  return Buffer.from(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)),
  )
}
