import { connect } from 'node:net'
import { OPERATIONS, type Operation, type OperationName } from '@sluice/wire'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SoftAuthenticator } from '../../test/support/authenticator.ts'
import { type Answered, listenLow } from '../../test/support/door.ts'
import { type Desk, openDesk, RECIPIENT, type Signer } from '../../test/support/withdrawal-desk.ts'
import { rotateApiKey } from '../orgs/change-api-key.ts'
import { disableUser } from '../orgs/change-user.ts'
import { resetCredentials } from '../orgs/reset-credentials.ts'
import { pendingThresholds } from '../withdrawals/approve/pending-thresholds.ts'

/** Every operation that changes data, with each kind of credential that may call it. */
const CHANGES = Object.entries<Operation>(OPERATIONS)
  .filter(([, { method }]) => method !== 'GET')
  .flatMap(([name, { method, path, credential }]) =>
    (['apiKey', 'bearer'] as const)
      .filter((by) => credential === 'either' || credential === by)
      .map((by) => ({ name, method, path, by })),
  )
/** Tables that `expectNothingDone` checks. */
const TABLES = [
  'withdrawals',
  'withdrawal_approvals',
  'api_keys',
  'signing_secrets',
  'events',
  'users',
  'invitations',
  'passkeys',
]
const CODE = '000000'
/** Requests with a code that one person sends. */
const CODES_MAX = 8

let desk: Desk
let origin: string
let admin: Signer
let waiting: string
let event: string

beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(1_000n)
  await desk.addGas(10n ** 18n)
  admin = await desk.signer('admin')
  await desk.signer('admin')
  await desk.threshold(2)
  waiting = await desk.created()
  const events = Object((await desk.door.ask('/events')).json['events']) as { id: string }[]
  event = events[0]?.id ?? ''
  const url = { webhookUrl: 'https://receiver.example/in' }
  expect(await admin.ask('/organisation/webhook', 'PATCH', url)).toMatchObject({ status: 200 })
  origin = await listenLow(desk.door)
})
afterAll(() => desk.close())

test('a request is refused when its credential is revoked before its body [S08 S02]', async () => {
  // More than ten requests with a code of one person would be refused as guesses.
  const people: Signer[] = []
  for (let from = 0; from < CHANGES.length; from += CODES_MAX)
    people.push(await desk.signer('admin'))
  const other = await desk.signer('admin')
  const old = desk.door.a.key
  const credentialOf = (by: 'apiKey' | 'bearer', at: number) =>
    by === 'apiKey'
      ? `x-api-key: ${old}`
      : `authorization: ${people[Math.floor(at / CODES_MAX)]?.authorization}`
  const take = vi.spyOn(desk.door.deps.limits, 'take')
  const asked = [
    ...CHANGES.map(({ by, ...change }, at) => holdBack(credentialOf(by, at), change)),
    holdBack(`authorization: ${other.authorization}`, {
      name: 'postWithdrawals',
      method: 'POST',
      path: '/withdrawals',
    }),
  ]
  // Counted requests were admitted; now the credentials are revoked, and the bodies arrive.
  await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(asked.length), 10_000)
  const { database, serviceKey } = desk
  const by = { actor: 'cli:test' }
  for (const { userId } of people)
    await database.transaction((tx) =>
      disableUser(tx, serviceKey, { user: userId, ...by }, pendingThresholds),
    )
  await database.transaction((tx) =>
    resetCredentials(tx, serviceKey, { user: other.userId, ...by, random: desk.door.deps.random }),
  )
  const rotated = await admin.ask('/organisation/api-key', 'PATCH')
  expect(rotated.status).toBe(200)
  const before = await standing()
  const answers = await Promise.all(asked.map(({ finish }) => finish()))
  expect(answers.map(({ what, status, error }) => ({ what, status, error }))).toEqual(
    asked.map(({ what, isKey }) => ({
      what,
      status: 401,
      error: isKey ? 'INVALID_API_KEY' : 'INVALID_TOKEN',
    })),
  )
  expect(await standing()).toEqual(before)
  desk.door.a.key = String(rotated.json['apiKey'])
  take.mockRestore()
})

test('a waiting change is refused when its user is disabled meanwhile [S02]', async () => {
  for (const { name, path } of CHANGES.filter(isSetting)) {
    const someone = await desk.signer('admin')
    const { database, serviceKey } = desk
    const late: Promise<Answered>[] = []
    await database.transaction(async (tx) => {
      const user = { user: someone.userId, actor: 'cli:test' }
      await disableUser(tx, serviceKey, user, pendingThresholds)
      late.push(someone.ask(path.replace(':id', waiting), 'PATCH', bodyOf(name)))
      await vi.waitFor(async () => expect(await desk.waiting()).toBe(1), 10_000)
    })
    const before = await standing()
    expect([name, ...(await Promise.all(late))]).toMatchObject([name, { status: 401 }])
    expect(await standing()).toEqual(before)
  }
})

test('a waiting withdrawal is refused when its key is rotated meanwhile [S08]', async () => {
  const { database } = desk
  const key = desk.door.a.key
  const late: Promise<Answered>[] = []
  await database.transaction(async (tx) => {
    const { orgId } = desk
    const given = { orgId, actor: 'cli:test', random: desk.door.deps.random }
    desk.door.a.key = (await rotateApiKey(tx, desk.serviceKey, given)).reveal()
    late.push(desk.create({}, { key }))
    await vi.waitFor(async () => expect(await desk.waiting()).toBe(1), 10_000)
  })
  expect(await Promise.all(late)).toMatchObject([{ status: 401 }])
  expect((await desk.create({}, { key: desk.door.a.key })).status).toBe(201)
})

test('no address is created for a credential that is revoked meanwhile [S08 S02]', async () => {
  const someone = await desk.signer('admin')
  const { database, orgId, serviceKey } = desk
  const { key } = desk.door.a
  const byKey = (userId: string) => desk.door.ask(addressOf(userId), { key })
  expect((await byKey('early')).status).toBe(201)
  const before = await desk.door.count('accounts')
  const late: Promise<Answered>[] = []
  await database.transaction(async (tx) => {
    const user = { user: someone.userId, actor: 'cli:test' }
    await disableUser(tx, serviceKey, user, pendingThresholds)
    const given = { orgId, actor: 'cli:test', random: desk.door.deps.random }
    desk.door.a.key = (await rotateApiKey(tx, serviceKey, given)).reveal()
    // They arrive together, so they wait in one transaction.
    late.push(byKey('late-1'), byKey('late-2'), someone.ask(addressOf('late-3'), 'GET'))
    await vi.waitFor(async () => expect(await desk.waiting()).toBe(1), 10_000)
  })
  const answers = await Promise.all(late)
  expect(answers.map(({ status, json }) => [status, json['error']])).toEqual([
    [401, 'INVALID_API_KEY'],
    [401, 'INVALID_API_KEY'],
    [401, 'INVALID_TOKEN'],
  ])
  expect(await desk.door.count('accounts')).toBe(before)
  expect((await desk.door.ask(addressOf('late-1'), { key: desk.door.a.key })).status).toBe(201)
})

function addressOf(userId: string): string {
  return `/payments/deposit-address?chainId=eip155:1&tokenId=eip155:1/slip44:60&userId=${userId}`
}

/** Every setting is a PATCH; each is called once. Own credentials are no settings. */
function isSetting({ method, path, by }: { method: string; path: string; by: string }): boolean {
  return method === 'PATCH' && by === 'bearer' && !path.startsWith('/auth/')
}

function bodyOf(name: string): Record<string, unknown> {
  const bodies: Partial<Record<OperationName, Record<string, unknown>>> = {
    patchWebhook: { webhookUrl: 'https://thief.example/in', totpCode: CODE },
    patchMinWithdrawalSigners: { minWithdrawalSigners: 1, totpCode: CODE },
    patchSigningSecret: { totpCode: CODE },
    patchApiKey: { totpCode: CODE },
    postWithdrawals: {
      chainId: 'eip155:1',
      tokenId: 'eip155:1/slip44:60',
      amount: '60',
      recipient: RECIPIENT,
      reference: `held-back-${(references += 1)}`,
    },
    postWithdrawalsEstimate: {
      chainId: 'eip155:1',
      tokenId: 'eip155:1/slip44:60',
      amount: '60',
      recipient: RECIPIENT,
    },
    postWithdrawalApprove: { totpCode: CODE },
    postWithdrawalReject: { totpCode: CODE },
    postWithdrawalsApprove: { totpCode: CODE, ids: [waiting] },
    postEventsRedeliver: { after: 0 },
    postUsers: { username: 'held-back', role: 'viewer', totpCode: CODE },
    patchUser: { disabled: true, totpCode: CODE },
    postUserReset: { totpCode: CODE },
    deleteUserInvitation: { totpCode: CODE },
    patchPassword: { currentPassword: CODE, newPassword: 'a long password', totpCode: CODE },
    postTotp: { totpCode: CODE },
    postTotpConfirm: { totpCode: CODE },
    postRecoveryCodes: { totpCode: CODE },
    postPasskeyOptions: { totpCode: CODE },
    postPasskeys: { name: 'held back', credential: new SoftAuthenticator().create('AAAA') },
    patchPasskey: { name: 'held back', totpCode: CODE },
    deletePasskey: { totpCode: CODE },
    postApiKey: { name: 'held back', scopes: ['read'], totpCode: CODE },
    patchApiKeyTerms: { name: 'held back', totpCode: CODE },
    postApiKeyRotate: { totpCode: CODE },
    deleteApiKey: { totpCode: CODE },
    patchMinHumanApprovals: { minHumanApprovals: 1, totpCode: CODE },
    patchOrganisationChain: { chainId: 'eip155:1', enabled: false, totpCode: CODE },
    patchOrganisationToken: { tokenId: 'eip155:1/slip44:60', enabled: false, totpCode: CODE },
    postWebhookEndpoint: { url: 'https://thief.example/in', eventTypes: null, totpCode: CODE },
    patchWebhookEndpoint: { isPaused: true, totpCode: CODE },
    deleteWebhookEndpoint: { totpCode: CODE },
    postWebhookEndpointSecret: { totpCode: CODE },
    postUnattributedAssign: { externalUserId: 'ann', reason: 'late', totpCode: CODE },
  }
  return bodies[name as OperationName] ?? {}
}

let references = 0

/** Sends the headers of a request; the returned function sends its body. */
function holdBack(
  credential: string,
  { name, method, path }: { name: string; method: string; path: string },
) {
  const body = JSON.stringify(bodyOf(name))
  const { hostname, port } = new URL(origin)
  const target = path.replace(':id', path.startsWith('/events') ? event : waiting)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  const answered = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: sluice',
    'connection: close',
    credential,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const isKey = credential.startsWith('x-api-key')
  const what = `${name} by ${isKey ? 'key' : 'session'}`
  const finish = async () => {
    socket.write(body)
    const answer = await answered
    const json: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    return { what, status: Number(answer.split(' ')[1]), error: Object(json).error as unknown }
  }
  return { what, isKey, finish }
}

async function standing(): Promise<unknown> {
  const counts = await Promise.all(TABLES.map((table) => desk.door.count(table)))
  const [organization] = await desk.rows(`
    select w.url, o.min_withdrawal_signers
      from organizations o join webhook_endpoints w on w.id = o.id where o.id = '${desk.orgId}'`)
  return { counts, organization, status: (await desk.read(waiting)).status }
}
