import type { KeyPath, Payment as SignerPayment } from '@sluice/signer'
import { derivationOf, type SignerPath, signerPath } from '../../accounts/signer-path.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { pathTypeOf } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendDeps } from './payment-request.ts'
import type { Sender } from './sender.ts'
import { SpendMismatch } from './mismatch.ts'
import type { Purpose } from './spend.ts'

/** The spend that a signature is for. */
export interface SignedFor {
  id: string
  purpose: Purpose
  /** The withdrawals, if the spend pays some. */
  subjectIds: readonly string[]
}

/**
 * The purpose of a transaction, as the signer checks it: the fields of the withdrawals, or else the
 * key of the own address that is paid. Throws SpendMismatch if a withdrawal is missing, or if the
 * recipient is not the organization's own.
 */
export async function signerPayment(
  tx: Tx,
  { entry, keys, hooks }: Pick<SpendDeps, 'entry' | 'keys' | 'hooks'>,
  { sender, spend, to }: { sender: Sender; spend: SignedFor; to: Address },
): Promise<SignerPayment> {
  const { orgId } = sender
  const { id, purpose, subjectIds: ids } = spend
  const withdrawals = await hooks[purpose].withdrawals?.(tx, { orgId, ids })
  if (withdrawals !== undefined) {
    if (withdrawals.length !== ids.length)
      throw new SpendMismatch('withdrawals of the payment are missing', { orgId, ids })
    return { kind: 'withdrawals', withdrawals }
  }
  if (to === sender.address) return { kind: 'inward', id, to: null }
  const path: SignerPath | null = await signerPath(tx, keys, { entry, address: to })
  if (path?.orgId !== orgId)
    throw new SpendMismatch("recipient is not the organization's own", { orgId, to })
  return { kind: 'inward', id, to: derivationOf(entry, path) }
}

/** The key of a sender by its row, which is proved before the signature. */
export function senderKey(entry: ChainEntry, sender: Sender): KeyPath {
  return derivationOf(entry, { ...sender, ...pathTypeOf(entry.id, sender.address) })
}
