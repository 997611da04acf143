import { OPERATIONS, type Operation, type OperationName } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOwnAddress } from '../../accounts/own-address.ts'
import { Secret } from '../../base/secret.ts'
import { CLAIM, place } from '../../ledger/account.ts'
import { totpCode, totpStepAt } from '../../orgs/totp.ts'
import { SoftAuthenticator } from '../../../test/support/authenticator.ts'
import { listenLow, toChainId, toTokenId } from '../../../test/support/door.ts'
import { signWithdrawal } from '../../../test/support/signed-withdrawal.ts'
import { type Desk, type Signer, openDesk } from '../../../test/support/withdrawal-desk.ts'
import { Value } from 'typebox/value'

const SEPOLIA = 'eip155:11155111'
const ETHER = 'eip155:11155111/slip44:60'
const FUNDS = 10n ** 18n
/** Fields that differ between requests. */
const OTHER_ID = '019ab4f0-1111-7000-8000-000000000001'

let desk: Desk
let origin: string
let ann: Signer
let ben: Signer

beforeAll(async () => {
  desk = await openDesk()
  origin = await listenLow(desk.door)
  ann = await desk.signer('admin')
  ben = await desk.signer('admin')
  await fund()
})
afterAll(() => desk.close())

/** The examples use the network of the sandbox. */
async function fund(): Promise<void> {
  const { database, orgId, door } = desk
  const entry = door.deps.catalogue.chain(SEPOLIA)
  if (entry === null) throw new Error('no such chain')
  const chainId = toChainId(SEPOLIA)
  const open = (purpose: 'settlement' | 'gas') =>
    database.transaction((tx) =>
      openOwnAddress(tx, { keys: door.deps.accountKeys, entry, orgId, purpose }),
    )
  const { address } = await open('settlement')
  await open('gas')
  const debit = place('settlement', address)
  const booked = { chainId, tokenId: toTokenId(ETHER), debit, amount: FUNDS }
  await desk.book({ ...booked, credit: CLAIM.available })
  await desk.book({ ...booked, credit: CLAIM.gas })
}

interface Answer {
  status: number
  json: unknown
}

const sent = new Set<OperationName>()

/** Sends an example with ids, codes and names of this installation. */
async function send(
  name: OperationName,
  changes: Partial<Operation['example']> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  sent.add(name)
  const operation: Operation = OPERATIONS[name]
  const { params = {}, query = {}, body } = { ...operation.example, ...changes }
  const path = operation.path.replaceAll(/:(\w+)/g, (_all, one: string) =>
    encodeURIComponent(params[one] ?? ''),
  )
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const response = await fetch(`${origin}${path}?${search.toString()}`, {
    method: operation.method,
    headers: {
      ...credentialsFor(operation),
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}

function credentialsFor({ credential }: Operation): Record<string, string> {
  if (credential === 'none') return {}
  return credential === 'bearer'
    ? { authorization: ann.authorization }
    : { 'x-api-key': desk.door.a.key }
}

/** Checks that the response is documented and has the fields of its example. */
function expectDocumented(name: OperationName, { status, json }: Answer): void {
  const { responses, example }: Operation = OPERATIONS[name]
  const schema = responses[status]
  if (schema === undefined) expect.unreachable(`${name}: ${status} ${JSON.stringify(json)}`)
  expect([...Value.Errors(schema, json)]).toEqual([])
  expect(fieldsOf(json)).toEqual(fieldsOf(example.answers[status]))
}

/** A code of ann's that was not used before. */
async function freshCode(): Promise<{ totpCode: string }> {
  await desk.door.harness.clock.advance(60_000)
  return { totpCode: await ann.code() }
}

/** The names of the fields, in lists those of the first record; open objects are omitted. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(fieldsOf)
  if (typeof value !== 'object' || value === null) return typeof value === 'object' ? null : 'value'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OPEN.includes(key))
      .map(([key, inner]: [string, unknown]) => [key, inner === null ? 'value' : fieldsOf(inner)]),
  )
}

const OPEN = ['checks', 'payload', 'attempts', 'nextCursor']

async function withdrawal(threshold: number): Promise<string> {
  await desk.threshold(threshold)
  const body = {
    ...Object(OPERATIONS.postWithdrawals.example.body),
    reference: desk.door.harness.ids.next(),
  }
  const { json } = await send('postWithdrawals', { body })
  return String(Object(Object(json)['withdrawal'])['id'])
}

describe('the examples of the document, sent over HTTP', () => {
  test('an address is created once, and returned again', async () => {
    const made = await send('getDepositAddress')
    expect(made.status).toBe(201)
    expectDocumented('getDepositAddress', made)
    const found = await send('getDepositAddress')
    expect(found.status).toBe(200)
    expectDocumented('getDepositAddress', found)
    const address = String(Object(Object(Object(made.json)['address'])['properties'])['address'])
    const at = { chainId: toChainId(SEPOLIA), tokenId: toTokenId(ETHER) }
    await desk.door.pay(address, [7n], at)
  })

  test.each([
    'getProfile',
    'getOrganisation',
    'getAccounts',
    'getChains',
    'getChain',
    'getTokens',
    'getPortfolio',
    'getGasStation',
    'getStatement',
    'getStats',
    'getHealth',
    'getReadiness',
    'patchWebhook',
    'patchSigningSecret',
    'patchMinWithdrawalSigners',
    'getUserDeposits',
  ] as const)('%s', async (name) => {
    const answer = await send(name)
    expect(answer.status).toBe(200)
    expectDocumented(name, answer)
  })

  test('getPayments, with deposits in their current state', async () => {
    expect((await send('getPayments')).status).toBe(200)
    const query = { ...OPERATIONS.getPayments.example.query, status: 'Detected' }
    expectDocumented('getPayments', await send('getPayments', { query }))
  })

  test('getDeposit, before its credit', async () => {
    const { json } = await send('getPayments', { query: { limit: 1 } })
    const params = { id: String(Object(Object(Object(json)['payments'])[0])['id']) }
    const answer = await send('getDeposit', { params })
    expect([...Value.Errors(OPERATIONS.getDeposit.responses[200], answer.json)]).toEqual([])
    expect(answer.status).toBe(200)
  })

  test('getChainsStatus, after a reorg, with nodes', async () => {
    await desk.tamper(`
      insert into chain_nodes
      select chain_id, 0, 'http://127.0.0.1:1', 'serves', 7, 1, '', now() from chain_states;
      update chain_states set reorg_height = 7, reorg_depth = 1, reorg_at = now()`)
    const answer = await send('getChainsStatus')
    expect(answer.status).toBe(200)
    expectDocumented('getChainsStatus', answer)
  })

  test('postWithdrawalsEstimate', async () => {
    await desk.threshold(2)
    const answer = await send('postWithdrawalsEstimate')
    expect(answer.status).toBe(200)
    expectDocumented('postWithdrawalsEstimate', answer)
  })

  test('postWithdrawals, getWithdrawal, deleteWithdrawal', async () => {
    await desk.threshold(1)
    const made = await send('postWithdrawals')
    expect(made.status).toBe(201)
    expectDocumented('postWithdrawals', made)
    const params = { id: String(Object(Object(made.json)['withdrawal'])['id']) }
    expectDocumented('getWithdrawal', await send('getWithdrawal', { params }))
    const warned = await send('getWithdrawalWarnings', { params })
    expect(warned.status).toBe(200)
    expectDocumented('getWithdrawalWarnings', warned)
    expectDocumented('deleteWithdrawal', await send('deleteWithdrawal', { params }))
  })

  test('postWithdrawalSpeedUp, and getWithdrawal with a transaction', async () => {
    const id = await withdrawal(1)
    await signWithdrawal(desk, id)
    const params = { id }
    const single = await send('getWithdrawal', { params })
    expect(single.json).toMatchObject({ transactions: [{ maxFee: '21000' }] })
    expect([...Value.Errors(OPERATIONS.getWithdrawal.responses[200], single.json)]).toEqual([])
    expectDocumented('postWithdrawalSpeedUp', await send('postWithdrawalSpeedUp', { params }))
  })

  test('approvals and rejections of waiting withdrawals', async () => {
    const [first, second, third] = [await withdrawal(2), await withdrawal(2), await withdrawal(2)]
    expectDocumented('getWithdrawals', await send('getWithdrawals'))
    const approved = { params: { id: first }, body: await freshCode() }
    expectDocumented('postWithdrawalApprove', await send('postWithdrawalApprove', approved))
    const rejected = {
      params: { id: second },
      body: { ...OPERATIONS.postWithdrawalReject.example.body, ...(await freshCode()) },
    }
    expectDocumented('postWithdrawalReject', await send('postWithdrawalReject', rejected))
    const many = { body: { ids: [third, OTHER_ID], ...(await freshCode()) } }
    expectDocumented('postWithdrawalsApprove', await send('postWithdrawalsApprove', many))
  })

  test('passkeys, and an approval with one', async () => {
    const challengeIn = ({ json }: Answer) => String(Object(json)['challenge'])
    const begun = await send('postPasskeyOptions', { body: await freshCode() })
    expectDocumented('postPasskeyOptions', begun)
    const phone = new SoftAuthenticator()
    const body = { name: 'Phone', credential: phone.create(challengeIn(begun)) }
    const added = await send('postPasskeys', { body })
    expectDocumented('postPasskeys', added)
    expectDocumented('getPasskeys', await send('getPasskeys'))
    const params = { id: String(Object(Object(added.json)['passkey'])['id']) }
    const renamed = { params, body: { name: 'Laptop', ...(await freshCode()) } }
    expectDocumented('patchPasskey', await send('patchPasskey', renamed))
    const id = await withdrawal(2)
    const options = await send('getWithdrawalPasskeyOptions', { params: { id } })
    expectDocumented('getWithdrawalPasskeyOptions', options)
    const approval = { params: { id }, body: { assertion: phone.get(challengeIn(options)) } }
    expectDocumented('postWithdrawalApprove', await send('postWithdrawalApprove', approval))
    const headers = { 'x-totp-code': (await freshCode()).totpCode }
    expectDocumented('deletePasskey', await send('deletePasskey', { params }, headers))
  })

  test('events, redeliveries and a test event', async () => {
    expect((await send('getEvents')).status).toBe(200)
    const all = await send('getEvents', { query: { limit: 50 } })
    expectDocumented('getEvents', all)
    const [first]: unknown[] = Object(Object(all.json)['events'])
    const params = { id: String(Object(first)['id']) }
    expectDocumented('getEventsCount', await send('getEventsCount'))
    expectDocumented('getEvent', await send('getEvent', { params }))
    expectDocumented('postEventRedeliver', await send('postEventRedeliver', { params }))
    expectDocumented('postEventsRedeliver', await send('postEventsRedeliver'))
    expectDocumented('postWebhookTest', await send('postWebhookTest'))
  })

  test('a webhook endpoint lives and is deleted', async () => {
    const made = await send('postWebhookEndpoint')
    expect(made.status).toBe(201)
    expectDocumented('postWebhookEndpoint', made)
    const params = { id: String(Object(Object(made.json)['endpoint'])['id']) }
    expectDocumented('getWebhookEndpoints', await send('getWebhookEndpoints'))
    expectDocumented('getWebhookEndpoint', await send('getWebhookEndpoint', { params }))
    expectDocumented('patchWebhookEndpoint', await send('patchWebhookEndpoint', { params }))
    expectDocumented('postWebhookEndpointTest', await send('postWebhookEndpointTest', { params }))
    const secret = await send('postWebhookEndpointSecret', { params })
    expectDocumented('postWebhookEndpointSecret', secret)
    expectDocumented('deleteWebhookEndpoint', await send('deleteWebhookEndpoint', { params }))
  })

  test('getPaymentsTrace, of an unknown transaction', async () => {
    const { status, json } = await send('getPaymentsTrace')
    expect(status).toBe(200)
    expect([...Value.Errors(OPERATIONS.getPaymentsTrace.responses[200], json)]).toEqual([])
  })

  test('API keys and people who must approve', async () => {
    const fresh = async (body: object) => ({ body: { ...body, ...(await freshCode()) } })
    const { postApiKey, patchApiKeyTerms, postApiKeyRotate } = OPERATIONS
    const made = await send('postApiKey', await fresh(postApiKey.example.body))
    expectDocumented('postApiKey', made)
    expectDocumented('getApiKeys', await send('getApiKeys'))
    const idIn = ({ json }: Answer) => ({ id: String(Object(Object(json)['apiKey'])['id']) })
    const changed = await send('patchApiKeyTerms', {
      params: idIn(made),
      ...(await fresh(patchApiKeyTerms.example.body)),
    })
    expectDocumented('patchApiKeyTerms', changed)
    const rotated = await send('postApiKeyRotate', {
      params: idIn(made),
      ...(await fresh(postApiKeyRotate.example.body)),
    })
    expectDocumented('postApiKeyRotate', rotated)
    const revoked = await send('deleteApiKey', { params: idIn(rotated), ...(await fresh({})) })
    expectDocumented('deleteApiKey', revoked)
    const humans = await fresh(OPERATIONS.patchMinHumanApprovals.example.body)
    expectDocumented('patchMinHumanApprovals', await send('patchMinHumanApprovals', humans))
  })

  test.each(['patchOrganisationToken', 'patchOrganisationChain'] as const)('%s', async (name) => {
    expectDocumented(name, await send(name))
    const body = { ...OPERATIONS[name].example.body, enabled: true }
    expectDocumented(name, await send(name, { body }))
  })

  test.each([
    'getSweeps',
    'getUnattributed',
    'getLedgerEntries',
    'getAlerts',
    'getAuditLog',
    'getAuditLogVerification',
  ] as const)('%s', async (name) => {
    const { status, json } = await send(name)
    expect([...Value.Errors(OPERATIONS[name].responses[200], json)]).toEqual([])
    expect(status).toBe(200)
  })

  test('records that the organization does not have', async () => {
    expect(await send('getAlert')).toMatchObject({ status: 404 })
    expect(await send('postAlertAcknowledge')).toMatchObject({ status: 404 })
    expect(await send('postUnattributedAssign')).toMatchObject({ status: 401 })
  })

  test('postLogin', async () => {
    await desk.door.harness.clock.advance(60_000)
    const { username, password } = ben
    const body = { username, password, totpCode: await ben.code() }
    expectDocumented('postLogin', await send('postLogin', { body }))
  })

  test('people, and finally a new key and own credentials', async () => {
    const invited = await send('postUsers', {
      body: { username: 'example', role: 'approver', ...(await freshCode()) },
    })
    expectDocumented('postUsers', invited)
    const params = { id: String(Object(Object(invited.json)['user'])['id']) }
    expectDocumented('getUsers', await send('getUsers'))
    expectDocumented('getUser', await send('getUser', { params }))
    const change = { params, body: { role: 'operator', ...(await freshCode()) } }
    expectDocumented('patchUser', await send('patchUser', change))
    const headers = { 'x-totp-code': (await freshCode()).totpCode }
    const withdrawn = await send('deleteUserInvitation', { params }, headers)
    expectDocumented('deleteUserInvitation', withdrawn)
    const reset = await send('postUserReset', { params, body: await freshCode() })
    expectDocumented('postUserReset', reset)
    const token = String(Object(Object(reset.json)['invitation'])['token'])
    const shown = await send('postInvitation', { body: { token } })
    expectDocumented('postInvitation', shown)
    const accepted = await send('postInvitationAccept', {
      body: { token, password: 'a long enough password', totpCode: codeOf(shown) },
    })
    expectDocumented('postInvitationAccept', accepted)

    const rotation = { body: await freshCode() }
    expectDocumented('patchApiKey', await send('patchApiKey', rotation))
    expectDocumented(
      'postRecoveryCodes',
      await send('postRecoveryCodes', { body: await freshCode() }),
    )
    const passwords = { currentPassword: ann.password, newPassword: 'a much longer password' }
    const body = { ...passwords, ...(await freshCode()) }
    expectDocumented('patchPassword', await send('patchPassword', { body }))
    const offer = await send('postTotp', { body: await freshCode() })
    expectDocumented('postTotp', offer)
    const confirmed = { body: { totpCode: codeOf(offer) } }
    expectDocumented('postTotpConfirm', await send('postTotpConfirm', confirmed))
    const { username } = ann
    const again = { username, password: passwords.newPassword, totpCode: codeOf(offer, 1) }
    await send('postLogin', { body: again })
    const list = await send('getSessions')
    expectDocumented('getSessions', list)
    const [latest]: unknown[] = Object(Object(list.json)['sessions'])
    const other = { params: { id: String(Object(latest)['id']) } }
    expectDocumented('deleteSession', await send('deleteSession', other))
    expectDocumented('postLogout', await send('postLogout'))
  })

  /** A code of the secret in an answer, of this step or a later one. */
  function codeOf({ json }: Answer, steps = 0): string {
    const secret = new Secret(String(Object(json)['totpSecret']))
    return totpCode(secret, totpStepAt(desk.door.harness.clock.now()) + steps)
  }

  test('all examples were sent', () => {
    expect([...sent].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })
})
