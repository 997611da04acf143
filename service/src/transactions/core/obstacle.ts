import type { TokenId } from '@sluice/wire'
import type { Intent } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { shortageOf } from './funds.ts'
import type { Sent } from './mandate.ts'
import { UNMINED_MAX } from './sender.ts'
import { selectSender } from './sender-rows.ts'
import { selectUnmined } from './spend-rows.ts'

/** What came of asking, where nothing was signed. */
export type Unsigned = Exclude<Sent, { outcome: 'sent' }>

/**
 * Why a payment with a token would not be signed now, whatever it may cost: its sender is halted,
 * or has as many unmined spends as it may, or the ledger places too little of the token on it. Null
 * where nothing of that is known. No lock is taken: it spares what would be prepared in vain, and
 * what signs looks again.
 */
export async function obstacleTo(
  tx: Tx,
  { orgId, intent, native }: { orgId: string; intent: Intent; native: TokenId },
): Promise<Unsigned | null> {
  const { chainId, tokenId, amount, from: address } = intent
  const sender = await selectSender(tx, { chainId, address })
  if (sender !== null && sender.haltedAt !== null) {
    return { outcome: 'halted', cause: sender.haltedCause }
  }
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) return { outcome: 'busy' }
  const asked = { sender: { orgId, chainId, address }, native, tokenId, amount, fee: 0n }
  const shortage = await shortageOf(tx, asked)
  return shortage?.outcome === 'short-of-token' ? shortage : null
}
