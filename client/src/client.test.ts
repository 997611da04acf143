import { OPERATIONS } from '@sluice/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptedServer, patientClient, startScript } from '../test/scripted-server.ts'
import { type Client, type ClientOptions, createClient } from './client.ts'

let service: ScriptedServer

beforeEach(async () => {
  service = await startScript()
  service.will({ status: 200, body: { events: [] } })
})
afterEach(() => service.close())

const ID = '0193-id'
const CREDENTIAL = { id: 'a', response: { clientDataJSON: 'b', attestationObject: 'c' } }
const withdrawal = { chainId: 'c', tokenId: 't', amount: 5n, recipient: 'r', reference: 'x' }

/** One call for each operation of the interface, and what it sends. */
const CALLS: Record<
  keyof typeof OPERATIONS,
  [call: (client: Client) => Promise<unknown>, url: string, body?: unknown]
> = {
  postLogin: [
    ({ auth }) => auth.login({ username: 'u', password: 'p', totpCode: '1' }),
    '/auth/login',
    { username: 'u', password: 'p', totpCode: '1' },
  ],
  getProfile: [({ auth }) => auth.profile(), '/auth/profile'],
  postInvitation: [({ auth }) => auth.invitation('t'), '/auth/invitation', { token: 't' }],
  postInvitationAccept: [
    ({ auth }) => auth.acceptInvitation({ token: 't', password: 'p', totpCode: '1' }),
    '/auth/invitation/accept',
    { token: 't', password: 'p', totpCode: '1' },
  ],
  patchPassword: [
    ({ auth }) =>
      auth.changePassword({ currentPassword: 'a', newPassword: 'b' }, { totpCode: '1' }),
    '/auth/password',
    { currentPassword: 'a', newPassword: 'b', totpCode: '1' },
  ],
  postTotp: [({ auth }) => auth.offerTotp({ totpCode: '1' }), '/auth/totp', { totpCode: '1' }],
  postTotpConfirm: [({ auth }) => auth.confirmTotp('1'), '/auth/totp/confirm', { totpCode: '1' }],
  postRecoveryCodes: [
    ({ auth }) => auth.renewRecoveryCodes({ totpCode: '1' }),
    '/auth/recovery-codes',
    { totpCode: '1' },
  ],
  getPasskeys: [({ auth }) => auth.passkeys(), '/auth/passkeys'],
  postPasskeyOptions: [
    ({ auth }) => auth.offerPasskey({ totpCode: '1' }),
    '/auth/passkeys/options',
    { totpCode: '1' },
  ],
  postPasskeys: [
    ({ auth }) => auth.addPasskey({ name: 'n', credential: CREDENTIAL }),
    '/auth/passkeys',
    { name: 'n', credential: CREDENTIAL },
  ],
  patchPasskey: [
    ({ auth }) => auth.renamePasskey(ID, 'n', { totpCode: '1' }),
    `/auth/passkeys/${ID}`,
    { name: 'n', totpCode: '1' },
  ],
  deletePasskey: [({ auth }) => auth.removePasskey(ID), `/auth/passkeys/${ID}`],
  getSessions: [({ auth }) => auth.sessions(), '/auth/sessions?limit=100'],
  deleteSession: [({ auth }) => auth.endSession(ID), `/auth/sessions/${ID}`],
  postLogout: [({ auth }) => auth.logout(), '/auth/logout'],
  getUsers: [({ users }) => users.list(), '/users?limit=100'],
  postUsers: [
    ({ users }) => users.invite({ username: 'ann', role: 'viewer' }, { totpCode: '1' }),
    '/users',
    { username: 'ann', role: 'viewer', totpCode: '1' },
  ],
  getUser: [({ users }) => users.get(ID), `/users/${ID}`],
  patchUser: [
    ({ users }) => users.update(ID, { disabled: true }, { totpCode: '1' }),
    `/users/${ID}`,
    { disabled: true, totpCode: '1' },
  ],
  postUserReset: [
    ({ users }) => users.reset(ID, { totpCode: '1' }),
    `/users/${ID}/reset`,
    { totpCode: '1' },
  ],
  deleteUserInvitation: [
    ({ users }) => users.withdrawInvitation(ID, { totpCode: '1' }),
    `/users/${ID}/invitation`,
  ],
  patchApiKey: [({ organisation }) => organisation.rotateApiKey(), '/organisation/api-key'],
  getApiKeys: [({ apiKeys }) => apiKeys.list({ limit: 7 }), '/api-keys?limit=7'],
  postApiKey: [
    ({ apiKeys }) => apiKeys.create({ name: 'n', scopes: ['read'], totpCode: '1' }),
    '/api-keys',
    { name: 'n', scopes: ['read'], totpCode: '1' },
  ],
  patchApiKeyTerms: [
    ({ apiKeys }) => apiKeys.update(ID, { expiresAt: null, totpCode: '1' }),
    `/api-keys/${ID}`,
    { expiresAt: null, totpCode: '1' },
  ],
  postApiKeyRotate: [
    ({ apiKeys }) => apiKeys.rotate(ID, { overlapSeconds: 60, totpCode: '1' }),
    `/api-keys/${ID}/rotate`,
    { overlapSeconds: 60, totpCode: '1' },
  ],
  deleteApiKey: [({ apiKeys }) => apiKeys.revoke(ID, '1'), `/api-keys/${ID}`, { totpCode: '1' }],
  getOrganisation: [({ organisation }) => organisation.get(), '/organisation'],
  patchWebhook: [
    ({ organisation }) => organisation.setWebhook('https://a.b/c'),
    '/organisation/webhook',
    { webhookUrl: 'https://a.b/c' },
  ],
  patchSigningSecret: [
    ({ organisation }) => organisation.rotateSigningSecret(),
    '/organisation/webhook/signing-secret',
  ],
  patchMinWithdrawalSigners: [
    ({ organisation }) => organisation.setMinWithdrawalSigners(3),
    '/organisation/min-withdrawal-signers',
    { minWithdrawalSigners: 3 },
  ],
  patchMinHumanApprovals: [
    ({ organisation }) => organisation.setMinHumanApprovals(null, { totpCode: '1' }),
    '/organisation/min-human-approvals',
    { minHumanApprovals: null, totpCode: '1' },
  ],
  patchOrganisationChain: [
    ({ organisation }) => organisation.setChain('a:1', false, { totpCode: '1' }),
    '/organisation/chains',
    { chainId: 'a:1', enabled: false, totpCode: '1' },
  ],
  patchOrganisationToken: [
    ({ organisation }) => organisation.setToken('a:1/b:2', true),
    '/organisation/tokens',
    { tokenId: 'a:1/b:2', enabled: true },
  ],
  getDepositAddress: [
    ({ payments }) =>
      payments.depositAddress({ chainId: 'a:1', tokenId: 'a:1/b:2', userId: 'ž&=' }),
    '/payments/deposit-address?chainId=a%3A1&tokenId=a%3A1%2Fb%3A2&userId=%C5%BE%26%3D',
  ],
  getPayments: [
    ({ payments }) => payments.list({ status: 'Confirmed', from: new Date(0), userId: 'u 1' }),
    '/payments?status=Confirmed&from=1970-01-01T00%3A00%3A00.000Z&userId=u%201&limit=100',
  ],
  getDeposit: [({ payments }) => payments.deposit(ID), `/deposits/${ID}`],
  getUserDeposits: [
    ({ payments }) => payments.listOfUser('a/b?', { limit: 7, cursor: 'abc' }),
    '/payments/a%2Fb%3F/deposits?limit=7&cursor=abc',
  ],
  getPaymentsTrace: [
    ({ payments }) => payments.trace({ chainId: 'eip155:1', txnHash: '0xab' }),
    '/payments/trace?chainId=eip155%3A1&txnHash=0xab',
  ],
  getAccounts: [({ accounts }) => accounts.list({ userId: 'u' }), '/accounts?userId=u&limit=100'],
  getChains: [({ chains }) => chains.list({ enabledOnly: false }), '/chains?enabledOnly=false'],
  getChain: [({ chains }) => chains.get('eip155:1'), '/chains/eip155%3A1'],
  getChainsStatus: [({ chains }) => chains.status(), '/chains/status'],
  getTokens: [({ tokens }) => tokens.list({ chainId: 'eip155:1' }), '/tokens?chainId=eip155%3A1'],
  getWithdrawals: [
    ({ withdrawals }) => withdrawals.list({ reference: 'r' }),
    '/withdrawals?reference=r&limit=100',
  ],
  postWithdrawals: [
    ({ withdrawals }) => withdrawals.create(withdrawal),
    '/withdrawals',
    { ...withdrawal, amount: '5' },
  ],
  postWithdrawalsEstimate: [
    ({ withdrawals }) => withdrawals.estimate({ ...withdrawal, reference: null }),
    '/withdrawals/estimate',
    { ...withdrawal, amount: '5', reference: null },
  ],
  getWithdrawal: [({ withdrawals }) => withdrawals.get(ID), `/withdrawals/${ID}`],
  getWithdrawalWarnings: [
    ({ withdrawals }) => withdrawals.review(ID),
    `/withdrawals/${ID}/warnings`,
  ],
  deleteWithdrawal: [({ withdrawals }) => withdrawals.cancel(ID), `/withdrawals/${ID}`],
  postWithdrawalSpeedUp: [
    ({ withdrawals }) => withdrawals.speedUp(ID),
    `/withdrawals/${ID}/speed-up`,
  ],
  postWithdrawalApprove: [
    ({ withdrawals }) => withdrawals.approve(ID, '123456'),
    `/withdrawals/${ID}/approve`,
    { totpCode: '123456' },
  ],
  getWithdrawalPasskeyOptions: [
    ({ withdrawals }) => withdrawals.passkeyOptions(ID),
    `/withdrawals/${ID}/passkey-options`,
  ],
  postWithdrawalReject: [
    ({ withdrawals }) => withdrawals.reject(ID, { totpCode: '123456', reason: 'no' }),
    `/withdrawals/${ID}/reject`,
    { totpCode: '123456', reason: 'no' },
  ],
  postWithdrawalsApprove: [
    ({ withdrawals }) => withdrawals.approveMany([ID], '123456'),
    '/withdrawals/approve',
    { ids: [ID], totpCode: '123456' },
  ],
  getGasStation: [({ gasStation }) => gasStation.list(), '/gas-station'],
  getPortfolio: [({ portfolio }) => portfolio.list({ chainId: 'c' }), '/portfolio?chainId=c'],
  getStatement: [
    ({ reports }) => reports.statement({ month: '2026-01' }),
    '/reports/statement?month=2026-01',
  ],
  getStats: [({ reports }) => reports.stats({ chainId: 'c' }), '/stats?chainId=c'],
  getEvents: [
    ({ events }) => events.list({ after: 7, wait: 25, type: 'deposit.confirmed' }),
    '/events?after=7&wait=25&type=deposit.confirmed&limit=100',
  ],
  getEventsCount: [
    ({ events }) => events.count({ delivery: 'failed' }),
    '/events/count?delivery=failed',
  ],
  getEvent: [({ events }) => events.get(ID), `/events/${ID}`],
  postEventRedeliver: [({ events }) => events.redeliver(ID), `/events/${ID}/redeliver`],
  postEventsRedeliver: [
    ({ events }) => events.redeliverAll({ delivery: 'failed', from: new Date(0) }),
    '/events/redeliver',
    { delivery: 'failed', from: '1970-01-01T00:00:00.000Z' },
  ],
  postWebhookTest: [
    ({ organisation }) => organisation.sendTestEvent(),
    '/organisation/webhook/test',
  ],
  getWebhookEndpoints: [({ webhookEndpoints }) => webhookEndpoints.list(), '/webhook-endpoints'],
  postWebhookEndpoint: [
    ({ webhookEndpoints }) =>
      webhookEndpoints.create({ url: 'https://a.b/c', eventTypes: null }, { totpCode: '123456' }),
    '/webhook-endpoints',
    { url: 'https://a.b/c', eventTypes: null, totpCode: '123456' },
  ],
  getWebhookEndpoint: [
    ({ webhookEndpoints }) => webhookEndpoints.get(ID),
    `/webhook-endpoints/${ID}`,
  ],
  patchWebhookEndpoint: [
    ({ webhookEndpoints }) => webhookEndpoints.update(ID, { isPaused: true }),
    `/webhook-endpoints/${ID}`,
    { isPaused: true },
  ],
  deleteWebhookEndpoint: [
    ({ webhookEndpoints }) => webhookEndpoints.delete(ID),
    `/webhook-endpoints/${ID}`,
  ],
  postWebhookEndpointSecret: [
    ({ webhookEndpoints }) => webhookEndpoints.rotateSecret(ID),
    `/webhook-endpoints/${ID}/secret`,
  ],
  postWebhookEndpointTest: [
    ({ webhookEndpoints }) => webhookEndpoints.test(ID),
    `/webhook-endpoints/${ID}/test`,
  ],
  getSweeps: [({ sweeps }) => sweeps.list({ status: 'Failed' }), '/sweeps?status=Failed&limit=100'],
  getUnattributed: [({ unattributed }) => unattributed.list(), '/unattributed?limit=100'],
  postUnattributedAssign: [
    ({ unattributed }) =>
      unattributed.assign(ID, { externalUserId: 'u', reason: 'r', totpCode: '1' }),
    `/unattributed/${ID}/assign`,
    { externalUserId: 'u', reason: 'r', totpCode: '1' },
  ],
  getLedgerEntries: [
    ({ ledgerEntries }) => ledgerEntries.list({ account: 'claim:held' }),
    '/ledger-entries?account=claim%3Aheld&limit=100',
  ],
  getAlerts: [({ alerts }) => alerts.list({ open: true }), '/alerts?open=true&limit=100'],
  getAlert: [({ alerts }) => alerts.get(ID), `/alerts/${ID}`],
  postAlertAcknowledge: [({ alerts }) => alerts.acknowledge(ID), `/alerts/${ID}/acknowledge`],
  getAuditLog: [
    ({ auditLog }) => auditLog.list({ object: ID }),
    `/audit-log?object=${ID}&limit=100`,
  ],
  getAuditLogVerification: [({ auditLog }) => auditLog.verify(), '/audit-log/verification'],
  getHealth: [({ health }) => health.alive(), '/healthz'],
  getReadiness: [({ health }) => health.ready(), '/readyz'],
}

describe('a client', () => {
  test.each(Object.entries(CALLS))('%s is one method and sends its request', async (name, it) => {
    const [call, url, body] = it
    await call(patientClient(service.baseUrl).client)
    const [asked, ...more] = service.asked
    expect(more).toEqual([])
    expect(asked).toMatchObject({ url, method: operation(name).method })
    expect(asked?.body).toBe(body === undefined ? '' : JSON.stringify(body))
    const isOpen = operation(name).credential === 'none'
    expect(asked?.headers['x-api-key']).toBe(isOpen ? undefined : 'slk_test')
    expect(asked?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json')
  })

  test('every operation of the interface has exactly one method', () => {
    const { client } = patientClient(service.baseUrl)
    const methods = Object.values(client).flatMap((group: object) => Object.keys(group))
    const repeated = methods.filter((name) => name.startsWith('all') || name.startsWith('export'))
    expect(methods.length - repeated.length).toBe(Object.keys(OPERATIONS).length)
    expect(Object.keys(CALLS).sort()).toEqual(Object.keys(OPERATIONS).sort())
  })

  test('lists are returned as pages, and single records without a wrapper', async () => {
    const { client } = patientClient(service.baseUrl)
    service.will({ status: 200, body: { payments: [{ id: 'a' }], nextCursor: 'next' } })
    expect(await client.payments.list()).toEqual({ items: [{ id: 'a' }], nextCursor: 'next' })
    service.will({ status: 200, body: { payments: [] } })
    expect(await client.payments.list()).toEqual({ items: [], nextCursor: null })
    service.will({ status: 201, body: { withdrawal: { id: 'w' } } })
    expect(await client.withdrawals.create(withdrawal)).toEqual({ id: 'w' })
    service.will({ status: 200, body: { chain: { id: 'eip155:1' } } })
    expect(await client.chains.get('eip155:1')).toEqual({ id: 'eip155:1' })
    service.will({ status: 503, body: { status: 'starting' } })
    expect(await client.health.ready()).toEqual({ status: 'starting' })
  })

  test('a list with an undefined limit is one page', async () => {
    const { client } = patientClient(service.baseUrl)
    const filter: { limit?: number } = JSON.parse('{}')
    await client.payments.list({ ...filter, ...Object.fromEntries([['limit', undefined]]) })
    expect(service.asked[0]?.url).toBe('/payments?limit=100')
  })

  test('a base address keeps its path and loses a final slash', async () => {
    const client = createClient({ baseUrl: `${service.baseUrl}/sluice/` })
    await client.health.alive()
    expect(service.asked[0]?.url).toBe('/sluice/healthz')
  })

  test('an access token is sent as a bearer token and read before each request', async () => {
    let count = 0
    const accessToken = async () => {
      count += 1
      return `token-${count}`
    }
    const client = createClient({ baseUrl: service.baseUrl, accessToken })
    await client.auth.profile()
    await client.organisation.get()
    expect(service.asked.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ])
    expect(service.asked[0]?.headers['x-api-key']).toBeUndefined()
  })

  test.each(['', ' ', 'a b', 'slk_\n', 'klíč'])('the key %j is not sent', async (apiKey) => {
    const client = createClient({ baseUrl: service.baseUrl, apiKey })
    const error = await client.organisation.get().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toContain(apiKey.trim() || 'undefined')
    expect(service.asked).toEqual([])
  })

  test('a printed client does not show its key', () => {
    const client = createClient({ baseUrl: service.baseUrl, apiKey: 'slk_secret' })
    expect(JSON.stringify(client)).not.toContain('slk_secret')
  })

  test.each(['', '.', '..'])(
    'the id %j, which a path cannot say, is refused unsent',
    async (id) => {
      const { client } = patientClient(service.baseUrl)
      await expect(client.withdrawals.get(id)).rejects.toThrow(RangeError)
      await expect(client.payments.listOfUser(id)).rejects.toThrow(RangeError)
      expect(service.asked).toEqual([])
    },
  )

  test('a user id with half a surrogate pair is refused', async () => {
    const { client } = patientClient(service.baseUrl)
    await expect(client.payments.list({ userId: 'a\ud800' })).rejects.toThrow(URIError)
    await expect(client.payments.listOfUser('\udc00')).rejects.toThrow(URIError)
    expect(service.asked).toEqual([])
  })

  test.each<[string, Partial<ClientOptions>]>([
    ['an address of another scheme', { baseUrl: 'ftp://sluice.example.com' }],
    ['no address', { baseUrl: 'sluice' }],
    ['an address with a password', { baseUrl: 'https://a:b@sluice.example.com' }],
    ['an address with a query', { baseUrl: 'https://sluice.example.com/?a=1' }],
    ['an address with an empty query', { baseUrl: 'https://sluice.example.com/?' }],
    ['an address with an empty fragment', { baseUrl: 'https://sluice.example.com/#' }],
    ['two credentials', { apiKey: 'a', accessToken: 'b' }],
    ['no time', { timeoutMs: 0 }],
    ['a timeout that is not a number', { timeoutMs: Number.NaN }],
    ['a time no timer can count to', { timeoutMs: 2 ** 31 }],
    ['half a retry', { retries: 0.5 }],
    ['retries without end', { retries: Number.POSITIVE_INFINITY }],
    ['retries below none', { retries: -1 }],
  ])('%s is refused', (_what, options) => {
    const make = () => createClient({ baseUrl: service.baseUrl, ...options })
    expect(make).toThrow(/baseUrl|apiKey|timeoutMs|retries/)
  })
})

function operation(name: string): { method: string; credential: string } {
  const found = Object.entries(OPERATIONS).find(([one]) => one === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found[1]
}
