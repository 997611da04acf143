import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../test/support/door.ts'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'
import { createOrganization } from './create-organization.ts'
import { setMinHumans, setMinSigners, setThresholds } from './signers.ts'
import { macOfThresholds, minHumansOf } from './thresholds.ts'

const PATH = '/organisation/min-withdrawal-signers'

let desk: Desk
let admin: Signer
beforeAll(async () => {
  desk = await openDesk()
  admin = await desk.signer('admin')
  await desk.signer()
  await desk.fund(10_000n)
})
afterAll(() => desk.close())
beforeEach(() => desk.threshold(2, 1))

/** An attacker who writes to the database without the service key. */
const CHANGES: [what: string, change: string][] = [
  ['fewer signers', 'min_withdrawal_signers = 1'],
  ['more signers', 'min_withdrawal_signers = 3'],
  ['no people', 'min_human_approvals = 0'],
  ['another MAC', "mac = sha256('x')"],
  ['no MAC', "mac = ''"],
]

describe('tampered thresholds', () => {
  test.each(CHANGES)('tampered thresholds (%s) refuse withdrawals [A13]', async (_what, change) => {
    const before = await standing()
    await forge(change)
    expect(refusalIn(await desk.create())).toMatchObject(TAMPERED())
    expect(refusalIn(await admin.ask(PATH, 'PATCH', { minWithdrawalSigners: 1 }))).toMatchObject(
      TAMPERED(),
    )
    expect(await standing()).toEqual(before)
    expect(await desk.alerts('organization.tampered')).toEqual([desk.orgId])
    await heal()
  })

  test('tampered thresholds refuse concurrent withdrawals [A13]', async () => {
    const before = await standing()
    await forge('min_withdrawal_signers = 1')
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.create()))
    for (const answer of answers) expect(refusalIn(answer)).toMatchObject(TAMPERED())
    expect(await standing()).toEqual(before)
    await heal()
  })

  test('thresholds with the MAC of another organization are refused [A13]', async () => {
    const { organization } = await desk.database.transaction((tx) =>
      createOrganization(tx, desk.serviceKey, {
        name: 'Other',
        actor: 'cli:test',
        random: desk.door.deps.random,
      }),
    )
    await forge(`(min_withdrawal_signers, min_human_approvals, mac) = (
      select min_withdrawal_signers, min_human_approvals, mac
        from organizations
       where id = '${organization.id}')`)
    expect(refusalIn(await desk.create())).toMatchObject(TAMPERED())
    await heal()
  })

  test('earlier withdrawals keep their thresholds and are paid [A12]', async () => {
    const id = await desk.created()
    await forge('min_withdrawal_signers = 1')
    await admin.approve(id)
    expect((await desk.read(id)).status).toBe('Pending')
    await heal()
  })

  test('tampered thresholds can only be replaced together, by an operator [A13]', async () => {
    await forge('min_human_approvals = 0')
    const { orgId, serviceKey } = desk
    const given = { orgId, value: 2, actor: 'cli:test' }
    for (const set of [setMinSigners, setMinHumans]) {
      await expect(
        desk.database.transaction<unknown>((tx) => set(tx, serviceKey, given)),
      ).rejects.toMatchObject({ code: 'INTERNAL_ERROR', details: { reason: 'tampered' } })
    }
    for (const [signers, humans] of [
      [0, 0],
      [3, 0],
      [1, 3],
      [1.5, 0],
    ] as const) {
      const both = { orgId, signers, humans, actor: 'cli:test' }
      await expect(
        desk.database.transaction((tx) => setThresholds(tx, serviceKey, both)),
      ).rejects.toMatchObject({ code: 'INVALID_MIN_SIGNERS' })
    }
    expect(refusalIn(await desk.create())).toMatchObject(TAMPERED())
    await heal()
    expect((await desk.create()).status).toBe(201)
    expect(await desk.alerts('organization.tampered')).toEqual([])
  })

  test('the MAC covers the organization, each number and the version [A13]', () => {
    const one = { id: desk.orgId, minWithdrawalSigners: 1, minHumanApprovals: 2, version: null }
    const macs = [
      one,
      { ...one, id: 'x' },
      { ...one, version: 'x' },
      { ...one, minWithdrawalSigners: 2 },
      { ...one, minHumanApprovals: 1 },
      { ...one, minWithdrawalSigners: 2, minHumanApprovals: 1 },
    ].map((given) => Buffer.from(macOfThresholds(desk.serviceKey, given)).toString('hex'))
    expect(new Set(macs).size).toBe(macs.length)
  })
})

const TAMPERED = () => ({
  error: 'INTERNAL_ERROR',
  details: { id: desk.orgId, reason: 'tampered' },
})

function forge(change: string): Promise<void> {
  return desk.tamper(`update organizations set ${change} where id = '${desk.orgId}'`)
}

async function heal(): Promise<void> {
  const given = { orgId: desk.orgId, signers: 2, humans: 1, actor: 'cli:test' }
  await desk.database.transaction((tx) => setThresholds(tx, desk.serviceKey, given))
}

async function standing() {
  return { available: await desk.available(), reserved: await desk.reserved() }
}

describe('minHumansOf', () => {
  test.each([
    { signers: 1, set: null, people: 3, needed: 0 },
    { signers: 2, set: null, people: 2, needed: 2 },
    { signers: 2, set: null, people: 5, needed: 2 },
    { signers: 3, set: null, people: 3, needed: 3 },
    { signers: 5, set: null, people: 5, needed: 5 },
    { signers: 3, set: null, people: 2, needed: 2 },
    { signers: 2, set: null, people: 1, needed: 1 },
    { signers: 2, set: 0, people: 3, needed: 0 },
    { signers: 1, set: 2, people: 3, needed: 2 },
    { signers: 3, set: 3, people: 3, needed: 3 },
  ])('people needed are $needed for $signers of $people signers when set to $set', (one) => {
    const thresholds = { minWithdrawalSigners: one.signers, minHumanApprovals: one.set }
    expect(minHumansOf(thresholds, one.people)).toBe(one.needed)
  })

  test('two people must approve by default when an API key needs two approvals', async () => {
    const fresh = await openDesk()
    await fresh.fund(10_000n)
    const [ann, ben] = [await fresh.signer('admin'), await fresh.signer()]
    const set = await ann.ask(PATH, 'PATCH', { minWithdrawalSigners: 2 })
    expect(set.status).toBe(200)
    expect((await fresh.door.ask('/organisation')).json).toMatchObject({ minHumanApprovals: 2 })
    const id = await fresh.created()
    await ann.approve(id)
    expect((await fresh.read(id)).status).toBe('PendingApproval')
    await ben.approve(id)
    expect(await fresh.read(id)).toMatchObject({ status: 'Pending', requiredHumans: 2 })
    await fresh.close()
  })

  test('three people must approve by default when an API key needs three approvals', async () => {
    const fresh = await openDesk()
    await fresh.fund(10_000n)
    const [ann, ben, cai] = [
      await fresh.signer('admin'),
      await fresh.signer(),
      await fresh.signer(),
    ]
    expect((await ann.ask(PATH, 'PATCH', { minWithdrawalSigners: 3 })).status).toBe(200)
    const byKey = await fresh.created()
    await ann.approve(byKey)
    await ben.approve(byKey)
    expect((await fresh.read(byKey)).status).toBe('PendingApproval')
    await cai.approve(byKey)
    expect((await fresh.read(byKey)).status).toBe('Pending')
    await fresh.close()
  })
})
