import { sluice } from './service.ts'
import type { SandboxState } from './state.ts'

const NAME = 'Sandbox Inc.'
const PEOPLE = [
  { username: 'sandbox-admin', role: 'admin' },
  { username: 'sandbox-approver-1', role: 'approver' },
  { username: 'sandbox-approver-2', role: 'approver' },
] as const

/** Makes the sandbox's organization as an operator would: with the command line, then over HTTP with its key. */
export async function foundTenant(given: {
  configFile: string
  baseUrl: string
  webhookUrl: string
}): Promise<Pick<SandboxState, 'apiKey' | 'organization' | 'users'>> {
  const { configFile, baseUrl, webhookUrl } = given
  const made = await sluice<{ id: string; name: string; apiKey: string }>(configFile, [
    ...['org', 'create', '--name', NAME],
  ])
  const users: SandboxState['users'] = []
  for (const { username, role } of PEOPLE) {
    const user = ['user', 'create', '--org', made.id, '--username', username, '--role', role]
    const { id, password, totpSecret } = await sluice<SandboxState['users'][number]>(
      configFile,
      user,
    )
    users.push({ id, username, password, totpSecret, role })
  }
  const answer = await fetch(`${baseUrl}/organisation/webhook`, {
    method: 'PATCH',
    headers: { 'x-api-key': made.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ webhookUrl }),
  })
  if (!answer.ok) throw new Error(`the webhook URL was refused: ${await answer.text()}`)
  return { apiKey: made.apiKey, organization: { id: made.id, name: made.name }, users }
}
