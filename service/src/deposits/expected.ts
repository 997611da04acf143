import { depositPlace } from '../catalogue/chains.ts'
import { place } from '../ledger/account.ts'
import { readBalances } from '../ledger/balance.ts'
import { movedAbove } from '../ledger/places.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { sumAbove } from './rows.ts'

/**
 * Base units that the ledger places on a deposit's address at the end of the deposit's block: what
 * it places there now, less what live deposits and our own spends brought in later blocks.
 */
export async function expectedAt(tx: Tx, deposit: Deposit): Promise<bigint> {
  const { orgId, chainId, tokenId, address, block } = deposit
  const kind = depositPlace(chainId)
  const account = place(kind, address)
  const [row] = await readBalances(tx, { orgId, chainId, tokenId, account })
  const later = await sumAbove(tx, { chainId, tokenId, address, height: block.height })
  const { height } = block
  const whose = { orgId, chainId, tokenId, kind, address, height } as const
  return (row?.amount ?? 0n) - later - (await movedAbove(tx, whose))
}
