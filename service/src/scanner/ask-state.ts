import type { FinalBalances, SettledBalance } from '../chains/chain-adapter.ts'
import type { BlockRef } from '../chains/port.ts'
import type { IncomingTransfer } from '../deposits/deposit.ts'
import type { Evidence, Question } from '../deposits/verdict.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Tx } from '../store/database.ts'
import { KnownBalances } from './known-balances.ts'
import { isOurBlock } from './our-block.ts'
import { selectHashes } from './rows.ts'
import type { Watcher } from './watcher.ts'

/** A query about the state of a transfer. */
export interface Asked {
  transfer: Pick<IncomingTransfer, 'address' | 'tokenId' | 'block'>
  question: Question
  /** Base units that the ledger places on the address at the transfer's block. */
  expected: bigint
  /** Parent hash of the transfer's block; null if it is not kept any more. */
  parentHash: string | null
}

/** No state was read. */
export const UNREAD: Evidence = { before: null, after: null, expected: 0n }

/** Our hashes of the blocks before these movements, by height, if they are kept. */
export async function parentHashes(
  tx: Tx,
  { id: chainId }: Watcher['entry'],
  asked: readonly Pick<Asked, 'transfer' | 'question'>[],
): Promise<Map<number, string>> {
  const moving = asked.filter(({ question }) => question === 'movement')
  const heights = new Set(moving.map(({ transfer }) => transfer.block.height - 1))
  return selectHashes(tx, { chainId, heights: [...heights] })
}

/** Queries both balances of a movement together: each is useless without the other. */
export async function askState(
  { adapter, known = new KnownBalances() }: Pick<Watcher, 'adapter' | 'known'>,
  { transfer, question, expected, parentHash }: Asked,
): Promise<Evidence> {
  const { address, tokenId, block } = transfer
  const balanceAt = (at: BlockRef) => known.ask(adapter, address, { tokenId, at })
  if (question === 'coverage') {
    return { before: null, after: await balanceAt(block), expected }
  }
  const height = block.height - 1
  const hash = parentHash ?? (await adapter.hashAt(height))
  const [before, after] = await Promise.all([
    hash === null ? null : balanceAt({ height, hash }),
    balanceAt(block),
  ])
  return { before, after, expected }
}

/**
 * Evidence from nodes that answer only for their final block: the balance there, and the amount
 * that the ledger places there at the end of the same block. Null if that block is not stored yet,
 * or is below the transfer's: a later step queries again.
 */
export async function askSettled(
  { adapter, database, entry }: Pick<Watcher, 'database' | 'entry'> & { adapter: FinalBalances },
  {
    orgId,
    address,
    tokenId,
    block,
  }: Pick<IncomingTransfer, 'orgId' | 'address' | 'tokenId' | 'block'>,
): Promise<Evidence | null> {
  const found = await adapter.settledBalance(address, tokenId)
  if (found === null) return UNREAD
  if (found.at.height < block.height) return null
  const expected = await database.snapshot((tx) =>
    expectedWhen(tx, found, { chainId: entry.id, orgId, address, tokenId }),
  )
  return expected === null ? null : { before: null, after: found.amount, expected, isSettled: true }
}

async function expectedWhen(
  tx: Tx,
  { at }: SettledBalance,
  {
    chainId,
    orgId,
    address,
    tokenId,
  }: Pick<IncomingTransfer, 'chainId' | 'orgId' | 'address' | 'tokenId'>,
): Promise<bigint | null> {
  if (!(await isOurBlock(tx, { chainId, block: at }))) return null
  const addresses = [{ orgId, address }]
  const placed = await placedOn(tx, { chainId, addresses, height: at.height })
  return placed.get(address)?.get(tokenId) ?? 0n
}
