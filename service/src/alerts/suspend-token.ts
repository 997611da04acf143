import type { ChainId, TokenId } from '@sluice/wire'
import { suspendToken } from '../catalogue/token-check.ts'
import type { Tx } from '../store/database.ts'
import { raiseAlert } from './raise-alert.ts'

/** Suspends a token (engineering, 10) and raises `token.suspended` with the cause. */
export async function suspendWithAlert(
  tx: Tx,
  suspension: { tokenId: TokenId; chainId: ChainId; cause: string },
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await suspendToken(tx, suspension)
  const { tokenId, cause } = suspension
  const message = `The token ${tokenId} is suspended: ${cause}.`
  await raiseAlert(tx, { code: 'token.suspended', subject: tokenId, message, details })
}
