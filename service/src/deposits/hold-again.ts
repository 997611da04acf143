import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { selectLastActions } from '../journal/rows.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { HOLD, RELEASE, holdDeposit } from './hold.ts'

/** Who holds it again, for the audit log. */
const ACTOR = 'scanner'

/**
 * Holds deposits that came back after a reorg where an operator had held them and nobody has
 * released them since: that a block was replaced takes no person's word back. What the judgement
 * had held is judged anew. They are Detected and booked as that.
 */
export async function holdAgain(
  tx: Tx,
  { catalogue, returned }: { catalogue: Catalogue; returned: readonly Deposit[] },
): Promise<void> {
  if (returned.length === 0) return
  const objects = returned.map(({ id }) => id)
  const words = await selectLastActions(tx, { objects, actions: [HOLD, RELEASE] })
  for (const depositId of objects) {
    const word = words.get(depositId)
    if (word?.action !== HOLD) continue
    const { reason } = word.details
    assert(typeof reason === 'string', 'a hold without a reason', { depositId })
    await holdDeposit(tx, { catalogue, depositId, actor: ACTOR, reason })
  }
}
