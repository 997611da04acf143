import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { selectAdmins } from './user-rows.ts'
import { userFromRow } from './user.ts'

/** Whether an admin who can sign in exists besides this user; the organization is locked. */
export async function hasAdminBesides(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  { orgId, id }: { orgId: string; id: string | null },
): Promise<boolean> {
  const rows = await selectAdmins(tx, orgId)
  return rows.some((row) => row.id !== id && userFromRow(serviceKey, row).authentic)
}

/** Refuses with LAST_ADMIN if no other admin can sign in. The organization is locked. */
export async function requireAdminBesides(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  params: { orgId: string; id: string },
): Promise<void> {
  if (await hasAdminBesides(tx, serviceKey, params)) return
  throw new Refusal('LAST_ADMIN', { userId: params.id })
}
