import { fromHex } from '../hex.ts'
import type { TronBlock } from './block.ts'
import type { TronTransaction } from './transaction.ts'

const TAPOS_BLOCKS = 65_536

/** Whether the block that a transaction refers to (TaPoS) is one of the chain's last 65 536. */
export function refersTo(
  chain: { head(): TronBlock; at(height: number): TronBlock | null },
  { refBlockBytes, refBlockHash }: TronTransaction,
): boolean {
  const { height } = chain.head()
  const low = Number(BigInt(`0x0${refBlockBytes}`))
  const span = Math.floor(height / TAPOS_BLOCKS) * TAPOS_BLOCKS
  const at = span + low > height ? span + low - TAPOS_BLOCKS : span + low
  return chain.at(at)?.id.slice(16, 32) === refBlockHash && fromHex(refBlockHash).length === 8
}
