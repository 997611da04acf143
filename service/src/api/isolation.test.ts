import { OPERATIONS } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  SEPOLIA,
  SEPOLIA_ETHER,
  type Tenant,
  toChainId,
  toTokenId,
} from '../../test/support/door.ts'
import { addPerson, officeOf, signIn } from '../../test/support/sign-in.ts'
import { IS_SHORT } from '../../test/support/tier.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { parseAddress } from '../chains/format-address.ts'
import { insertUnattributed } from '../deposits/unattributed-rows.ts'
import { insertWaiting } from '../sweeps/rows.ts'
import { formatCursor } from './http/paging.ts'

/** The same end users in two organizations, each with deposits on two chains. */
const USERS = ['ann', 'bob', 'shared']
const CHAINS = [
  [ETHEREUM, ETHER],
  [SEPOLIA, SEPOLIA_ETHER],
] as const

const XRPL = toChainId('xrpl:0')
/** Lists of records, each with the fields that belong to one organization. */
const RECORDS = [
  ['/alerts', 'alerts', ['id', 'subject']],
  ['/audit-log', 'entries', ['actor', 'object']],
  ['/sweeps', 'sweeps', ['id', 'address']],
  ['/unattributed', 'unattributed', ['id', 'txnHash']],
  ['/ledger-entries', 'ledgerEntries', ['referenceId']],
] as const
/** Marks of each list: each is tried in every parameter of every operation. */
const MARKS_MAX = 3

let door: Door
/** Texts of one organization that must not appear in any response to the other. */
const marks = new Map<Tenant, Set<string>>()

beforeAll(async () => {
  door = await openDoor()
  for (const tenant of [door.a, door.b]) marks.set(tenant, await live(tenant))
})
afterAll(() => door.close())

async function live(tenant: Tenant): Promise<Set<string>> {
  const { key } = tenant
  const found = new Set([tenant.orgId, key])
  await patchWebhook(tenant)
  for (const user of USERS)
    for (const [chainId, tokenId] of CHAINS) {
      const query = new URLSearchParams({ chainId, tokenId, userId: user }).toString()
      const { text } = await door.ask(`/payments/deposit-address?${query}`, { key })
      const address = /0x[0-9a-fA-F]{40}/.exec(text)?.[0] ?? ''
      await door.pay(address, [7n], { chainId: toChainId(chainId), tokenId: toTokenId(tokenId) })
    }
  await addPerson(officeOf(door), { orgId: tenant.orgId, role: 'viewer' })
  await leaveRecords(tenant)
  const lists = [
    '/accounts',
    '/payments',
    '/organisation',
    '/events',
    '/users',
    '/webhook-endpoints',
  ]
  for (const path of lists) {
    const { text } = await door.ask(path, { key })
    for (const pattern of [
      /"id":"[^"]+"/g,
      /"orgDepositAccountId":"[^"]+"/g,
      /"address":"0x[^"]+"/g,
    ])
      for (const [mark] of text.matchAll(pattern)) if (!mark.includes('/')) found.add(valueOf(mark))
    for (const [mark] of text.matchAll(/"txnHash":"[^"]+"/g)) found.add(valueOf(mark))
    for (const [mark] of text.matchAll(/"webhook[^"]+":"[^"]+"/g)) found.add(valueOf(mark))
  }
  for (const [path, , fields] of RECORDS) {
    const records = await recordsOf(tenant, path)
    for (const field of fields) {
      const values = new Set(records.map((record) => String(record[field])))
      const own = [...values].filter((value) => !value.startsWith('cli:'))
      for (const value of own.slice(0, MARKS_MAX)) found.add(value)
    }
  }
  return found
}

/** An alert, a sweep and an unattributed payment; deposits and settings leave the others. */
async function leaveRecords({ orgId, key }: Tenant): Promise<void> {
  const { text } = await door.ask('/accounts', { key })
  const [chainId, tokenId] = [toChainId(ETHEREUM), toTokenId(ETHER)]
  const address = parseAddress(chainId, /0x[0-9a-fA-F]{40}/.exec(text)?.[0] ?? '')
  const base = parseAddress(XRPL, 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH')
  if (address === null || base === null) throw new Error('no address')
  const hash = orgId.replaceAll('-', '').toUpperCase().padEnd(64, '0')
  await door.harness.database.transaction(async (tx) => {
    const subject = `wallet of ${orgId}`
    await raiseAlert(tx, { code: 'gas.low', subject, message: 'Low.', orgId })
    await insertWaiting(tx, [{ orgId, chainId, tokenId, address, amount: 5n }])
    const payment = {
      orgId,
      id: tx.ids.next(),
      chainId: XRPL,
      txnHash: hash,
      position: 'tx',
      tokenId: toTokenId('xrpl:0/slip44:144'),
      address: base,
      tag: 7,
      senderAddress: '',
      amount: 25n,
      netMovement: 25n,
      block: { height: 1, hash },
      state: 'Waiting' as const,
      externalUserId: '',
      proposedBy: '',
      assignedBy: '',
      depositId: null,
      createdAt: 0,
    }
    await insertUnattributed(tx, [payment])
  })
}

async function recordsOf({ key }: Tenant, path: string): Promise<Record<string, unknown>[]> {
  const { json } = await door.ask(path, { key })
  const [, name = ''] = RECORDS.find(([one]) => one === path) ?? []
  return json[name] as Record<string, unknown>[]
}

async function patchWebhook({ orgId, key }: Tenant): Promise<void> {
  await door.ask('/organisation/webhook', {
    key,
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhookUrl: `https://${orgId}.example.org/` }),
  })
  await door.ask('/webhook-endpoints', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `https://second.${orgId}.example.org/` }),
  })
}

function valueOf(mark: string): string {
  return mark.slice(mark.indexOf(':') + 1).replaceAll('"', '')
}

describe('two organizations', () => {
  test('a user id in both organizations has different addresses and deposits [S10]', async () => {
    const [a, b] = [marks.get(door.a), marks.get(door.b)]
    expect(a?.size).toBeGreaterThan(20)
    expect([...(a ?? [])].filter((mark) => b?.has(mark))).toEqual([])
    for (const { orgId, key } of [door.a, door.b]) {
      const { json } = await door.ask('/accounts?userId=shared', { key })
      expect(json['accounts']).toMatchObject([{ orgId }, { orgId }])
      const list = await door.ask('/payments/shared/deposits', { key })
      expect(list.json['deposits']).toHaveLength(2)
    }
  })

  test('a request with an id of the other organization reveals no data of it [S09]', async () => {
    let pairs = 0
    const both = [
      [door.a, door.b],
      [door.b, door.a],
    ] as const
    for (const [asking, other] of IS_SHORT ? both.slice(0, 1) : both) {
      const theirs = [...(marks.get(other) ?? [])].filter((mark) => mark !== other.key)
      const paths = [...theirs, ...USERS].flatMap((mark) => questionsWith(mark))
      for (const path of new Set(paths)) {
        const { status, text, json } = await door.ask(path, { key: asking.key })
        pairs += 1
        expect(status).toBeLessThan(500)
        // A refusal may repeat the id; a list must not have it.
        const answer = status === 200 ? text : JSON.stringify({ ...json, details: {} })
        expect(theirs.filter((mark) => answer.includes(mark))).toEqual([])
      }
    }
    expect(pairs).toBeGreaterThan(IS_SHORT ? 250 : 500)
  }, 300_000)

  test.each(RECORDS)(
    'GET %s has records of each, and no record of the other [S09]',
    async (path) => {
      const [ours, theirs] = [await recordsOf(door.a, path), await recordsOf(door.b, path)]
      expect(ours.length).toBeGreaterThan(0)
      expect(theirs).toHaveLength(ours.length)
      const marked = JSON.stringify(ours)
      const isMarked = (tenant: Tenant) =>
        [...(marks.get(tenant) ?? [])].some((mark) => marked.includes(mark))
      expect([isMarked(door.a), isMarked(door.b)]).toEqual([true, false])
    },
  )

  test('an action on a record of the other organization changes nothing [S09]', async () => {
    const [alert] = await recordsOf(door.b, '/alerts')
    const acknowledge = { method: 'POST', key: door.a.key } as const
    const path = `/alerts/${String(alert?.['id'])}`
    expect(await door.ask(path, { key: door.a.key })).toMatchObject({ status: 404 })
    expect(await door.ask(`${path}/acknowledge`, acknowledge)).toMatchObject({ status: 404 })
    expect(await recordsOf(door.b, '/alerts')).toEqual([alert])
    const [payment] = await recordsOf(door.b, '/unattributed')
    const person = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'approver' })
    const { headers, key } = await signIn(door, person)
    const body = { externalUserId: 'ann', reason: 'theirs', totpCode: await person.code() }
    const assigned = await door.ask(`/unattributed/${String(payment?.['id'])}/assign`, {
      key,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(assigned).toMatchObject({ status: 404 })
    expect(await recordsOf(door.b, '/unattributed')).toEqual([payment])
  })

  test('an id of the other organization is answered like an unknown id [S09]', async () => {
    const nobody = '019b76da-0000-7000-8000-000000000000'
    const [theirs = ''] = [...(marks.get(door.b) ?? [])].filter((mark) => /^0x.{64}$/.test(mark))
    const unknown = `0x${'0'.repeat(64)}`
    expect(await told(`/payments?txnHash=${theirs}`)).toEqual(
      await told(`/payments?txnHash=${unknown}`),
    )
    const cursorOf = (id: string) => formatCursor('payments', { createdAt: 9_999_999_999_999, id })
    const own = await told(`/payments?limit=500&cursor=${cursorOf(nobody)}`)
    expect(own[0]).toBe(200)
    expect(await told(`/payments?limit=500&cursor=${cursorOf(door.b.orgId)}`)).toEqual(own)
  })

  async function told(path: string): Promise<[number, string]> {
    const { status, text } = await door.ask(path)
    return [status, text]
  }
})

/** Every operation that reads, with the mark in every parameter. */
function questionsWith(mark: string): string[] {
  const text = encodeURIComponent(mark)
  return Object.values(OPERATIONS)
    .filter(({ method, credential }) => method === 'GET' && credential !== 'none')
    .flatMap((operation) => {
      const path = operation.path.replace(/:[a-zA-Z]+/, text)
      const names = 'query' in operation ? Object.keys(operation.query.properties) : []
      // Deposit-address would create an account of that name for the calling organization.
      const asked = operation.path.endsWith('deposit-address') ? ['chainId', 'tokenId'] : names
      return [path, ...asked.map((name) => `${path}?${name}=${text}`)]
    })
}
