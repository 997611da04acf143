import type { ChainId } from '@sluice/wire'
import { organizationsOn } from '../accounts/organizations-on.ts'
import { iso } from '../base/clock.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Block } from '../chains/port.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'

/**
 * Raises an alert, and emits `chain.frozen` for each organization with an account on the chain
 * (engineering, 9).
 */
export async function announceCondition(
  tx: Tx,
  {
    chainId,
    condition,
    cause,
  }: { chainId: ChainId; condition: 'frozen' | 'halted'; cause: string },
): Promise<void> {
  await raiseAlert(tx, {
    code: `chain.${condition}`,
    subject: chainId,
    message:
      `${chainId} is ${condition}: ${cause}. Once you know the cause: ` +
      `sluice chain resume ${chainId} --reason <text>`,
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

/**
 * Raises an alert about blocks that were accepted without their full proof; one alert for each
 * chain.
 */
export async function announceDoubts(
  tx: Tx,
  { id: chainId, name }: Pick<ChainEntry, 'id' | 'name'>,
  blocks: readonly Block[],
): Promise<void> {
  for (const { height, hash, doubt } of blocks) {
    if (doubt === undefined) continue
    const message = `Block ${height} of ${name} was read although ${doubt}.`
    const details = { height, hash }
    await raiseAlert(tx, { code: 'chain.unproven_block', subject: chainId, message, details })
  }
}
