import type { Signed } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendMeans } from '../core/mandate.ts'
import { type CoinSigning, signCoins } from './sign-coins.ts'
import { selectSpendIds } from '../core/transaction-rows.ts'

/**
 * Signs for a spend as none was signed for any other: who was given up may be paid the same out of
 * the same coins, once they are back, and of two spends with the same bytes no block could tell
 * which it has. What this very spend has signed before may come out again.
 */
export async function signApart(
  tx: Tx,
  means: SpendMeans,
  given: CoinSigning & { id: string },
): Promise<Signed> {
  const { id, sender } = given
  for (let twins = 0; ; twins += 1) {
    const signed = await signCoins(tx, means, { ...given, twins })
    const { txnHash } = signed
    const known = await selectSpendIds(tx, { chainId: sender.chainId, hashes: [txnHash] })
    if ((known.get(txnHash)?.id ?? id) === id) return signed
  }
}
