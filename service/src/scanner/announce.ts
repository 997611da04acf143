import type { ChainId } from '@sluice/wire'
import { organizationsOn } from '../accounts/organizations-on.ts'
import { iso } from '../base/clock.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'

/**
 * An alert for the operators and `chain.frozen` for each organization with an account on the chain
 * (engineering, 9).
 */
export async function announceCondition(
  tx: Tx,
  given: { chainId: ChainId; condition: 'frozen' | 'halted'; cause: string },
): Promise<void> {
  const { chainId, condition, cause } = given
  await raiseAlert(tx, {
    code: `chain.${condition}`,
    subject: chainId,
    message: `${chainId} is ${condition}: ${cause}. After a look: sluice chain resume ${chainId}`,
  })
  for (const orgId of await organizationsOn(tx, chainId)) {
    appendEvent(tx, {
      orgId,
      type: 'chain.frozen',
      subjectId: chainId,
      payload: { chainId, state: condition, reason: cause, at: iso(tx.clock.now()) },
    })
  }
}
