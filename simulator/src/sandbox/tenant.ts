import { sluice } from './launch.ts'
import type { SandboxState } from './state.ts'

const NAME = 'Sandbox Inc.'
const PEOPLE = [
  { username: 'sandbox-admin', role: 'admin' },
  { username: 'sandbox-approver-1', role: 'approver' },
  { username: 'sandbox-approver-2', role: 'approver' },
] as const

/** Makes the sandbox's organization as an operator would: with the command line. */
export async function foundTenant(
  configFile: string,
): Promise<Pick<SandboxState, 'apiKey' | 'organization' | 'users'>> {
  const made = await sluice(configFile, ['org', 'create', '--name', NAME])
  const { id: orgId = '', apiKey = '' } = made
  const users = await Promise.all(
    PEOPLE.map(async ({ username, role }) => {
      const user = ['user', 'create', '--org', orgId, '--username', username, '--role', role]
      const { id = '', password = '', totpSecret = '' } = await sluice(configFile, user)
      return { id, username, password, totpSecret, role }
    }),
  )
  return { apiKey, organization: { id: orgId, name: NAME }, users }
}

/** Sets the webhook URL to the receiver. */
export async function setWebhookUrl(
  { baseUrl, apiKey }: Pick<SandboxState, 'baseUrl' | 'apiKey'>,
  webhookUrl: string,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/organisation/webhook`, {
    method: 'PATCH',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ webhookUrl }),
  })
  if (!answer.ok) throw new Error(`The webhook URL was refused: ${await answer.text()}`)
}

/** The organization, as the service answers it to its key. */
export async function readOrganization({
  baseUrl,
  apiKey,
}: Pick<SandboxState, 'baseUrl' | 'apiKey'>): Promise<Record<string, unknown>> {
  const answer = await fetch(`${baseUrl}/organisation`, { headers: { 'x-api-key': apiKey } })
  if (!answer.ok) throw new Error(`GET /organisation answered ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}
