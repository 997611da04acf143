import { type WithdrawalFields, withdrawalHash } from '@sluice/signer'
import { iso } from '../base/clock.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Tx } from '../store/database.ts'
import type { SpendHooks } from '../transactions/core/hooks.ts'
import { lockWithdrawals, selectUnsigned } from './rows.ts'
import type { Requested } from './withdrawal.ts'

/** The fields of a withdrawal that its canonical hash covers, as the API returns them. */
function signingFields(withdrawal: Requested): WithdrawalFields {
  const { orgId, id, chainId, tokenId, amount, recipient, memo, reference, createdAt } = withdrawal
  return {
    orgId,
    id,
    chainId,
    tokenId,
    amount: amount.toString(),
    recipient: displayAddress(chainId, recipient),
    memo,
    reference,
    createdAt: iso(createdAt),
  }
}

/** The canonical hash of a withdrawal (docs/concepts.md), 32 bytes. */
export function canonicalHash(withdrawal: Requested): Uint8Array {
  return new Uint8Array(Buffer.from(withdrawalHash(signingFields(withdrawal)), 'hex'))
}

/** The withdrawals that the signer is asked about (`SpendHooks`). */
export async function fieldsFor(
  tx: Tx,
  query: Parameters<NonNullable<SpendHooks['withdrawals']>>[1],
): Promise<WithdrawalFields[]> {
  const { orgId } = query
  const found =
    'ids' in query
      ? await lockWithdrawals(tx, { orgId, ids: query.ids })
      : await selectUnsigned(tx, { orgId, chainId: query.chainId })
  return found.map(signingFields)
}
