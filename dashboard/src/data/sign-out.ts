import { client, queries } from './client.ts'
import { closeSession } from './session.ts'

/** Ends the session at the service too; without an answer it ends here at least. */
export async function signOut(): Promise<void> {
  await client.auth.logout({ retries: 0 }).catch(() => undefined)
  closeSession()
  queries.clear()
}
