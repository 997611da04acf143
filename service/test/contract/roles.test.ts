import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Answer, type Json, ask, query } from './world/ask.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { expectRefusal } from './world/refusal.ts'
import { CHAIN } from './world/state.ts'

const roles = tenantOf('roles')
const { usd } = theWorld().tokens
const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057'

const COLUMNS = ['viewer', 'operator', 'approver', 'admin', 'API key'] as const
type Column = (typeof COLUMNS)[number]
type Cell = 'yes' | 'no'

/** The table of decisions, section 5, a line for each permission. */
const MAY: Readonly<Record<string, readonly Cell[]>> = {
  read: ['yes', 'yes', 'yes', 'yes', 'yes'],
  issue: ['no', 'yes', 'yes', 'yes', 'yes'],
  pay: ['no', 'yes', 'yes', 'yes', 'yes'],
  approve: ['no', 'no', 'yes', 'yes', 'no'],
  // Not in the table: to send again what was sent is more than to read, and changes no setting.
  send: ['no', 'yes', 'yes', 'yes', 'yes'],
  configure: ['no', 'no', 'no', 'yes', 'yes'],
  rotate: ['no', 'no', 'no', 'yes', 'no'],
  people: ['no', 'no', 'no', 'yes', 'no'],
  // Only people limit what an API key may do alone.
  admin: ['no', 'no', 'no', 'yes', 'no'],
  person: ['yes', 'yes', 'yes', 'yes', 'no'],
}

type Line = [kind: string, method: string, path: string, body: Json | undefined, right: number[]]

const address = query({ chainId: CHAIN, tokenId: usd, userId: 'ann' })
const code = { totpCode: '000000' }
const webhookUrl = 'https://hooks.unreachable.example.com/'

/** Every operation that needs a credential, and its answer if permitted. */
const OPERATIONS: Line[] = [
  ['person', 'GET', '/auth/profile', undefined, [200]],
  ['person', 'GET', '/auth/sessions', undefined, [200]],
  ['person', 'DELETE', `/auth/sessions/${NOBODY}`, undefined, [404]],
  ['person', 'POST', '/auth/totp', undefined, [401]],
  ['person', 'POST', '/auth/totp/confirm', code, [401]],
  ['person', 'POST', '/auth/recovery-codes', undefined, [401]],
  ['person', 'GET', '/auth/passkeys', undefined, [200]],
  ['person', 'POST', '/auth/passkeys/options', undefined, [401]],
  ['person', 'POST', '/auth/passkeys', { name: 'x' }, [400]],
  ['person', 'PATCH', `/auth/passkeys/${NOBODY}`, { name: 'x' }, [401]],
  ['person', 'DELETE', `/auth/passkeys/${NOBODY}`, undefined, [401]],
  ['read', 'GET', '/users', undefined, [200]],
  ['read', 'GET', `/users/${NOBODY}`, undefined, [404]],
  ['people', 'POST', '/users', { username: 'nobody', role: 'viewer' }, []],
  ['people', 'PATCH', `/users/${NOBODY}`, { disabled: true }, []],
  ['people', 'POST', `/users/${NOBODY}/reset`, undefined, []],
  ['people', 'DELETE', `/users/${NOBODY}/invitation`, undefined, []],
  ['read', 'GET', '/organisation', undefined, [200]],
  ['read', 'GET', '/withdrawals', undefined, [200]],
  ['read', 'GET', `/withdrawals/${NOBODY}`, undefined, [404]],
  ['read', 'GET', `/withdrawals/${NOBODY}/warnings`, undefined, [404]],
  ['read', 'GET', '/payments', undefined, [200]],
  ['read', 'GET', '/payments/ann/deposits', undefined, [200]],
  ['read', 'GET', `/payments/trace?chainId=${CHAIN}&txnHash=0x${'0'.repeat(64)}`, undefined, [200]],
  ['read', 'GET', `/deposits/${NOBODY}`, undefined, [404]],
  ['read', 'GET', '/accounts', undefined, [200]],
  ['read', 'GET', '/chains', undefined, [200]],
  ['read', 'GET', '/chains/status', undefined, [200]],
  ['read', 'GET', `/chains/${CHAIN}`, undefined, [200]],
  ['read', 'GET', '/tokens', undefined, [200]],
  ['read', 'GET', '/gas-station', undefined, [200]],
  ['read', 'GET', '/portfolio', undefined, [200]],
  ['read', 'GET', '/events', undefined, [200]],
  ['read', 'GET', '/events/count?delivery=failed', undefined, [200]],
  ['read', 'GET', `/events/${NOBODY}`, undefined, [404]],
  ['read', 'GET', '/alerts', undefined, [200]],
  ['read', 'GET', `/alerts/${NOBODY}`, undefined, [404]],
  ['read', 'GET', '/webhook-endpoints', undefined, [200]],
  ['read', 'GET', `/webhook-endpoints/${NOBODY}`, undefined, [404]],
  ['send', 'POST', `/webhook-endpoints/${NOBODY}/test`, undefined, [404]],
  ['issue', 'GET', `/payments/deposit-address${address}`, undefined, [200, 201]],
  ['pay', 'POST', '/withdrawals', { reference: randomUUID() }, [400]],
  ['pay', 'POST', '/withdrawals/estimate', { reference: randomUUID() }, [400]],
  ['pay', 'DELETE', `/withdrawals/${NOBODY}`, undefined, [404]],
  ['pay', 'POST', `/withdrawals/${NOBODY}/speed-up`, undefined, [404]],
  ['approve', 'GET', `/withdrawals/${NOBODY}/passkey-options`, undefined, [404]],
  ['approve', 'POST', `/withdrawals/${NOBODY}/approve`, code, [401, 404]],
  ['approve', 'POST', `/withdrawals/${NOBODY}/approve`, {}, [400]],
  ['approve', 'POST', `/withdrawals/${NOBODY}/reject`, code, [401, 404]],
  ['approve', 'POST', '/withdrawals/approve', { ids: [NOBODY], ...code }, [200, 401]],
  ['configure', 'PATCH', '/organisation/webhook', { webhookUrl }, [200]],
  ['configure', 'PATCH', '/organisation/webhook/signing-secret', undefined, [200]],
  ['configure', 'POST', '/webhook-endpoints', { url: webhookUrl }, [201]],
  ['configure', 'PATCH', `/webhook-endpoints/${NOBODY}`, { isPaused: true }, [404]],
  ['configure', 'DELETE', `/webhook-endpoints/${NOBODY}`, undefined, [404]],
  ['configure', 'POST', `/webhook-endpoints/${NOBODY}/secret`, undefined, [404]],
  [
    'configure',
    'PATCH',
    '/organisation/min-withdrawal-signers',
    { minWithdrawalSigners: 1 },
    [200],
  ],
  ['configure', 'PATCH', '/organisation/chains', { chainId: CHAIN, enabled: true }, [200]],
  ['configure', 'PATCH', '/organisation/tokens', { tokenId: usd, enabled: true }, [200]],
  ['send', 'POST', `/events/${NOBODY}/redeliver`, undefined, [404]],
  ['send', 'POST', '/events/redeliver', { type: 'nothing' }, [400]],
  ['send', 'POST', '/organisation/webhook/test', undefined, [200, 422]],
  ['rotate', 'PATCH', '/organisation/api-key', undefined, [401]],
  ['admin', 'GET', '/api-keys', undefined, [200]],
  ['rotate', 'POST', '/api-keys', { name: 'x', scopes: ['read'] }, [401]],
  ['rotate', 'PATCH', `/api-keys/${NOBODY}`, { name: 'x' }, [401]],
  ['rotate', 'POST', `/api-keys/${NOBODY}/rotate`, {}, [401]],
  ['rotate', 'DELETE', `/api-keys/${NOBODY}`, undefined, [401]],
  ['rotate', 'PATCH', '/organisation/min-human-approvals', { minHumanApprovals: 0 }, [401]],
]

const { apiKey } = roles

function askAs(column: Column, [, method, path, body]: Line): Promise<Answer> {
  const who =
    column === 'API key' ? { key: apiKey } : { token: personOf(roles, column).accessToken }
  return ask(path, { ...who, method, ...(body === undefined ? {} : { body }) })
}

describe.each(OPERATIONS)('S11 %s: %s %s', (...line) => {
  test.each(COLUMNS)('by %s', async (column) => {
    const [kind, , , , right] = line
    const may = MAY[kind]?.[COLUMNS.indexOf(column)]
    const answer = await askAs(column, line)
    if (may === 'no') {
      expectRefusal(answer, 'FORBIDDEN', { required: expect.any(String) })
      return
    }
    // A person who may configure is asked for a code.
    if (column === 'admin' && ['configure', 'rotate', 'people'].includes(kind))
      expectRefusal(answer, 'INVALID_TOTP', { reason: 'CODE_REQUIRED' })
    else expect(right).toContain(answer.status)
  })

  test('without credentials', async () => {
    const [, method, path, body] = line
    const answer = await ask(path, { method, ...(body === undefined ? {} : { body }) })
    expectRefusal(answer, 'UNAUTHORIZED')
  })
})

test('a permission is checked before the rest of the request', async () => {
  const viewer = { token: personOf(roles, 'viewer').accessToken, method: 'POST' }
  for (const raw of ['{', '[]', '{"amount":1}', ''])
    expectRefusal(await ask('/withdrawals', { ...viewer, raw }), 'FORBIDDEN')
  const answer = await ask('/payments/deposit-address', { token: viewer.token })
  expectRefusal(answer, 'FORBIDDEN')
})

test('a key as initiator is not a user who can sign in', async () => {
  const body = { username: 'api', password: roles.apiKey, totpCode: '000000' }
  expectRefusal(await ask('/auth/login', { method: 'POST', body }), 'UNAUTHORIZED')
})
