import { SWEEP_WAITS } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealEverything, tamper } from '../../test/support/audit-log.ts'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  toChainId,
  toTokenId,
} from '../../test/support/door.ts'
import { addPerson, officeOf, type Person, signIn } from '../../test/support/sign-in.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { parseAddress } from '../chains/format-address.ts'
import { insertUnattributed } from '../deposits/unattributed-rows.ts'
import { insertWaiting, moveSweep, noteSpend, noteWaits } from '../sweeps/rows.ts'
import { SWEEP_MOVES } from '../sweeps/sweep.ts'

const XRPL = toChainId('xrpl:0')
const GAS_LOW = { code: 'gas.low', subject: 'wallet-1' } as const

let door: Door
let approver: Person
let asApprover: Awaited<ReturnType<typeof signIn>>
let asViewer: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  door = await openDoor()
  const { orgId } = door.a
  approver = await addPerson(officeOf(door), { orgId, role: 'approver' })
  asApprover = await signIn(door, approver)
  const viewer = await addPerson(officeOf(door), { orgId, role: 'viewer' })
  asViewer = await signIn(door, viewer)
})
afterAll(() => door.close())

type Row = Record<string, unknown>

async function list(path: string, key: string, tenant = door.a): Promise<Row[]> {
  const { status, json } = await door.ask(path, { key: tenant.key })
  expect(status).toBe(200)
  return json[key] as Row[]
}

describe('GET /ledger-entries', () => {
  let address = ''
  beforeAll(async () => {
    const query = `chainId=${ETHEREUM}&tokenId=${ETHER}&userId=ann`
    const { text } = await door.ask(`/payments/deposit-address?${query}`)
    address = /0x[0-9a-fA-F]{40}/.exec(text)?.[0] ?? ''
    await door.pay(address, [1n, 2n, 3n])
  })
  const entries = (query = '', tenant = door.a) =>
    list(`/ledger-entries${query}`, 'ledgerEntries', tenant)

  test('returns the postings of the organization, each on one page', async () => {
    const all = await entries()
    expect(all.map(({ amount }) => amount)).toEqual(['3', '2', '1'])
    expect(all[0]).toMatchObject({
      chainId: ETHEREUM,
      tokenId: ETHER,
      credit: 'claim:unconfirmed',
      reason: 'deposit.detected',
      reversal: false,
      Token: { symbol: 'ETH' },
    })
    expect(await entries('', door.b)).toEqual([])
    const paged: Row[] = []
    let cursor = ''
    for (let pages = 0; pages < 3; pages += 1) {
      const { json } = await door.ask(`/ledger-entries?limit=1${cursor}`)
      paged.push(...(json['ledgerEntries'] as Row[]))
      cursor = `&cursor=${String(json['nextCursor'])}`
    }
    expect(paged).toEqual(all)
    expect(cursor).toBe('&cursor=null')
  })

  test('selects by account, token, chain and record', async () => {
    const [{ referenceId } = { referenceId: '' }] = await entries()
    expect(await entries('?account=claim:unconfirmed')).toHaveLength(3)
    expect(await entries('?account=place:deposits')).toHaveLength(3)
    expect(await entries('?account=claim:held')).toEqual([])
    expect(await entries(`?tokenId=${ETHER}`)).toHaveLength(3)
    expect(await entries('?chainId=eip155:11155111')).toEqual([])
    expect(await entries(`?referenceId=${String(referenceId)}`)).toHaveLength(1)
    expect(await entries('?to=2020-01-01')).toEqual([])
    const uuidCursor = Buffer.from('ledgerEntries.1.019b76da-a800-727f-9c1f-726b6803abac')
    const path = `/ledger-entries?cursor=${uuidCursor.toString('base64url')}`
    expect(await door.ask(path)).toMatchObject({ status: 400 })
  })
})

test('GET /sweeps returns the sweeps of the organization', async () => {
  const chainId = toChainId(ETHEREUM)
  const address = parseAddress(chainId, '0x00000000000000000000000000000000000000aa')
  if (address === null) throw new Error('no address')
  const sweep = { orgId: door.a.orgId, chainId, tokenId: toTokenId(ETHER), address, amount: 5n }
  await door.harness.database.transaction((tx) => insertWaiting(tx, [sweep]))
  const unsigned = { txnHash: null, fee: null, maxFee: null, error: '', failureCode: null }
  const planned = { amount: '5', moved: '0', status: 'Waiting', ...unsigned }
  const [found] = await list('/sweeps?status=Waiting', 'sweeps')
  expect(found).toMatchObject({ ...planned, waitingFor: null, waitingReason: '' })
  const id = String(found?.['id'])
  await door.harness.database.transaction((tx) => noteWaits(tx, [{ id, waitingFor: 'gas' }]))
  const waits = {
    waitingFor: 'gas',
    waitingReason: SWEEP_WAITS.gas,
    waitingSince: new Date(door.harness.clock.now()).toISOString(),
  }
  expect(await list('/sweeps', 'sweeps')).toMatchObject([{ ...planned, ...waits }])
  expect(await list('/sweeps?status=Done', 'sweeps')).toEqual([])
  await sign(id)
  expect(await list('/sweeps?status=Sent', 'sweeps')).toMatchObject([
    { txnHash: '0xabc', fee: null, maxFee: '21000', waitingFor: null, waitingSince: null },
  ])
  await tamper(door.harness, `update spends set fee = 20000 where id = '${id}'`)
  const csv = await door.ask('/sweeps', { headers: { accept: 'text/csv' } })
  expect(csv.text).toContain(',20000,0.00000000000002,21000,0.000000000000021,')
  const move = { orgId: door.a.orgId, id, move: SWEEP_MOVES.fail, cause: 'It failed.' }
  await door.harness.database.transaction((tx) =>
    moveSweep(tx, { ...move, failureCode: 'REVERTED' }),
  )
  expect(await list('/sweeps?status=Failed', 'sweeps')).toMatchObject([
    { fee: '20000', error: 'It failed.', failureCode: 'REVERTED' },
  ])
  expect(await list('/sweeps', 'sweeps', door.b)).toEqual([])
})

/** Stores a signed transaction of a waiting sweep. */
async function sign(id: string): Promise<void> {
  const { orgId } = door.a
  await tamper(
    door.harness,
    `insert into senders
     select chain_id, address, org_id, 'deposit', 1, 0, 1, null, '', now(), now()
       from sweeps where id = '${id}';
     insert into spends (org_id, id, chain_id, purpose, subject_id, sender, nonce, token_id,
                         recipient, amount, state, max_fee, txn_hash, created_at, updated_at)
     select org_id, id, chain_id, 'sweep', id, address, 0, token_id, address, amount, 'Sent',
            21000, '0xabc', now(), now()
       from sweeps where id = '${id}'`,
  )
  await door.harness.database.transaction(async (tx) => {
    await moveSweep(tx, { orgId, id, move: SWEEP_MOVES.send })
    await noteSpend(tx, { orgId, id, spendId: id })
  })
}

describe('GET /alerts', () => {
  test('returns alerts of the organization, which acknowledging leaves open', async () => {
    const { database } = door.harness
    await database.transaction(async (tx) => {
      await raiseAlert(tx, { ...GAS_LOW, message: 'Low.', orgId: door.a.orgId })
      await raiseAlert(tx, { code: 'chain.halted', subject: ETHEREUM, message: 'Halted.' })
    })
    const [alert, ...others] = await list('/alerts?open=true', 'alerts')
    expect(others).toEqual([])
    expect(alert).toMatchObject({ ...GAS_LOW, resolvedAt: null, acknowledgedAt: null })
    expect(await list('/alerts', 'alerts', door.b)).toEqual([])
    const single = `/alerts/${String(alert?.['id'])}`
    expect((await door.ask(single, asViewer)).json).toEqual({ alert })
    const unknown = { status: 404, json: { error: 'NOT_FOUND' } }
    expect(await door.ask(single, { key: door.b.key })).toMatchObject(unknown)
    expect(await door.ask('/alerts/no-id')).toMatchObject(unknown)
    const path = `${single}/acknowledge`
    const method = 'POST'
    expect(await door.ask(path, { method, key: door.b.key })).toMatchObject({ status: 404 })
    expect(await door.ask(path, { method, ...asViewer })).toMatchObject({ status: 403 })
    const { json } = await door.ask(path, { method, ...asApprover })
    const seen = { acknowledgedBy: approver.userId, acknowledgedAt: expect.any(String) }
    expect(json['alert']).toMatchObject({ ...seen, resolvedAt: null })
    const again = await door.ask(path, { method })
    expect(again.json).toEqual(json)
    expect(await list('/alerts?open=true&code=gas.low', 'alerts')).toMatchObject([seen])
    const entries = await list('/audit-log?action=alert.acknowledge', 'entries')
    expect(entries).toMatchObject([{ actor: `user:${approver.userId}`, object: alert?.['id'] }])
    await database.transaction((tx) => resolveAlert(tx, GAS_LOW))
    expect(await list('/alerts?open=true', 'alerts')).toEqual([])
    const resolved = await list('/alerts?open=false', 'alerts')
    expect(resolved).toMatchObject([{ ...seen, resolvedAt: expect.any(String) }])
    expect((await door.ask(single)).json).toEqual({ alert: resolved[0] })
  })
})

describe('GET /audit-log', () => {
  const verification = async () =>
    (await door.ask('/audit-log/verification')).json['verification'] as Row

  test('returns entries of the organization, and whether they match their seals', async () => {
    const { orgId } = door.a
    const { database } = door.harness
    await database.transaction(async (tx) => {
      const entry = { orgId, actor: 'cli:test', action: 'test.write', object: 'object-1' }
      await writeAudit(tx, entry)
      await writeAudit(tx, { ...entry, orgId: door.b.orgId, object: 'object-2' })
    })
    expect(await list('/audit-log?actor=cli:test&object=object-1', 'entries')).toMatchObject([
      { actor: 'cli:test', action: 'test.write', object: 'object-1', details: {} },
    ])
    expect(await list('/audit-log?object=object-2', 'entries')).toEqual([])
    expect(Number((await verification())['waiting'])).toBeGreaterThan(0)
    const head = await sealEverything(door.harness)
    const whole = await list('/audit-log', 'entries')
    expect(await verification()).toEqual({
      verified: true,
      checked: whole.length,
      waiting: 0,
      head: `${head.sequence}:${head.hash}`,
    })
    await tamper(door.harness, "update audit_log set actor = 'x' where object = 'object-1'")
    expect(await verification()).toMatchObject({ verified: false })
  })
})

describe('GET /unattributed', () => {
  test('returns payments without a known tag; a refused assignment changes nothing', async () => {
    const { orgId } = door.a
    const address = parseAddress(XRPL, 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH')
    if (address === null) throw new Error('no address')
    const id = '019b76da-a800-727f-9c1f-726b6803abac'
    const parked = {
      orgId,
      id,
      chainId: XRPL,
      txnHash: 'A'.repeat(64),
      position: 'tx',
      tokenId: toTokenId('xrpl:0/slip44:144'),
      address,
      tag: 7,
      senderAddress: '',
      amount: 25n,
      netMovement: 25n,
      block: { height: 1, hash: 'B'.repeat(64) },
      state: 'Waiting' as const,
      externalUserId: '',
      proposedBy: '',
      assignedBy: '',
      depositId: null,
      createdAt: 0,
    }
    await door.harness.database.transaction((tx) => insertUnattributed(tx, [parked]))
    const [found] = await list('/unattributed', 'unattributed')
    expect(found).toMatchObject({ id, amount: '25', destinationTag: 7, status: 'Waiting' })
    expect(await list('/unattributed', 'unattributed', door.b)).toEqual([])
    const assign = async (of: string, totpCode: string) =>
      door.ask(`/unattributed/${of}/assign`, {
        method: 'POST',
        key: null,
        headers: { ...asApprover.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ externalUserId: 'ann', reason: 'Ticket 1', totpCode }),
      })
    const code = await approver.code()
    // Refusals roll the use of the code back.
    expect(await assign(id, code)).toMatchObject({ status: 400, json: { error: 'BAD_REQUEST' } })
    const nobody = '019b76da-0000-7000-8000-000000000000'
    expect(await assign(nobody, code)).toMatchObject({ status: 404 })
    expect(await assign('no-id', code)).toMatchObject({ status: 404 })
    const wrong = code === '000000' ? '000001' : '000000'
    expect(await assign(id, wrong)).toMatchObject({ status: 401, json: { error: 'INVALID_TOTP' } })
    expect(await list('/unattributed', 'unattributed')).toEqual([found])
  })
})
