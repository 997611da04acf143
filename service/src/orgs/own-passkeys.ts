import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import type { Caller } from './caller.ts'
import { type Passkey, passkeyFromRow } from './passkey.ts'
import { deletePasskey, selectPasskeys, updatePasskeyName } from './passkey-rows.ts'

type Owner = Pick<Caller, 'orgId' | 'userId'>

/** The passkeys of the caller, the oldest first. */
export async function listPasskeys(tx: Tx, { orgId, userId }: Owner): Promise<Passkey[]> {
  return (await selectPasskeys(tx, { orgId, userId })).map(passkeyFromRow)
}

/** Renames a passkey of the caller. Refuses with NOT_FOUND, also for one of another person. */
export async function renamePasskey(
  tx: Tx,
  { orgId, userId }: Owner,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const row = isId(id) ? await updatePasskeyName(tx, { orgId, userId, id, name }) : null
  if (row === null) return refuseUnknown(id)
  const details = { passkeyId: id, name }
  await writePasskeyAudit(tx, { orgId, userId }, { action: 'user.rename-passkey', details })
  return passkeyFromRow(row)
}

/** Removes a passkey of the caller. Refuses with NOT_FOUND, also for one of another person. */
export async function removePasskey(tx: Tx, { orgId, userId }: Owner, id: string): Promise<void> {
  const name = isId(id) ? await deletePasskey(tx, { orgId, userId, id }) : null
  if (name === null) return refuseUnknown(id)
  const details = { passkeyId: id, name }
  await writePasskeyAudit(tx, { orgId, userId }, { action: 'user.remove-passkey', details })
}

function writePasskeyAudit(
  tx: Tx,
  { orgId, userId }: Owner,
  { action, details }: { action: string; details: Record<string, unknown> },
): Promise<void> {
  return writeAudit(tx, { orgId, actor: `user:${userId}`, action, object: userId, details })
}

function refuseUnknown(id: string): never {
  throw new Refusal('NOT_FOUND', { id }, 'None of your passkeys has this id.')
}
