import { sluice } from './launch.ts'
import type { SandboxState } from './state.ts'
import { type Time, type TotpCodes, codeBefore } from './totp.ts'

const NAME = 'Sandbox Inc.'
const ADMIN = 'sandbox-admin'
const APPROVERS = ['sandbox-approver-1', 'sandbox-approver-2'] as const
/** The step of the code may end on the way; then the code is too old. */
const TRIES_MAX = 3

type User = SandboxState['users'][number]

/**
 * Makes the sandbox's organization as an operator would, with the command line; its admin invites
 * the others over HTTP, and each accepts.
 */
export async function foundTenant(
  { configFile, baseUrl }: { configFile: string; baseUrl: string },
  codes: TotpCodes,
  time: Time,
): Promise<Pick<SandboxState, 'apiKey' | 'organization' | 'users'>> {
  const made = await sluice(configFile, ['org', 'create', '--name', NAME])
  const { id: orgId = '', apiKey = '' } = made
  const first = ['user', 'invite-admin', '--org', orgId, '--username', ADMIN]
  const { id = '', token = '' } = await sluice(configFile, first)
  const { user: admin, accessToken } = await accept(baseUrl, { id, token }, time)
  const users = [admin]
  for (const username of APPROVERS) {
    const totpCode = await codes.take(ADMIN, admin.totpSecret, time)
    const invited = await post(baseUrl, '/users', {
      accessToken,
      body: { username, role: 'approver', totpCode },
    })
    const { user, invitation } = parseInvited(invited)
    users.push((await accept(baseUrl, { id: user.id, token: invitation.token }, time)).user)
  }
  return { apiKey, organization: { id: orgId, name: NAME }, users }
}

/** Accepts an invitation with the code before the current one, so that later codes are unused. */
async function accept(
  baseUrl: string,
  { id, token }: { id: string; token: string },
  time: Time,
): Promise<{ user: User; accessToken: string }> {
  const shown = await post(baseUrl, '/auth/invitation', { body: { token } })
  const { username, role, totpSecret } = parseOffer(shown)
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url')
  for (let tries = 1; ; tries += 1) {
    const totpCode = codeBefore(totpSecret, time.now())
    const body = { token, password, totpCode }
    try {
      const accepted = await post(baseUrl, '/auth/invitation/accept', { body })
      const { accessToken } = parseAccepted(accepted)
      return { user: { id, username, password, totpSecret, role }, accessToken }
    } catch (error) {
      if (tries === TRIES_MAX) throw error
    }
  }
}

function parseInvited(answer: unknown) {
  return answer as { user: { id: string }; invitation: { token: string } }
}

function parseOffer(answer: unknown) {
  return answer as Omit<User, 'id' | 'password'>
}

function parseAccepted(answer: unknown) {
  return answer as { accessToken: string }
}

async function post(
  baseUrl: string,
  path: string,
  { body, accessToken }: { body: Record<string, string>; accessToken?: string },
): Promise<unknown> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${path} answered ${await answer.text()}`)
  return answer.json()
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
