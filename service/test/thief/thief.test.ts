import { describe, expect, onTestFinished, test } from 'vitest'
import { Bug } from '../../src/base/assert.ts'
import { closeByOperator } from '../../src/audit-log/close-alert.ts'
import { LEDGER_BROKEN } from '../../src/audit-log/signing-halt.ts'
import type { Attack } from './attack.ts'
import { APPROVED, ATTACKS } from './attacks.ts'
import { type Outward, type Scene, openScene } from './scene.ts'

const REFUSED_BY_DATABASE = /permission denied|row-level security|append-only/

test.each(ATTACKS.map((attack) => [titleOf(attack), attack] as const))(
  'a thief with the rights of %s',
  async (_title, attack) => {
    const scene = await openScene()
    onTestFinished(() => scene.desk.close())
    const { expectation } = attack
    const stolen = await steal(scene, attack)
    if (expectation.is === 'refused by grants') expect(stolen).toMatch(REFUSED_BY_DATABASE)
    else expect(stolen).toBeNull()
    await attack.afterwards?.(scene)
    if (attack.stopsSpender === true) await expect(scene.spend()).rejects.toThrow(Bug)
    else await scene.spend()
    await scene.receive()
    expect((await scene.credited()).filter(({ to, paidTo }) => to !== paidTo)).toEqual([])
    if (expectation.is === 'noticed')
      expect(await scene.desk.alerts(expectation.alert)).not.toEqual([])
    if (expectation.is === 'only the signer stops this') expect(expectation.pays(scene)).toBe(true)
    else expect(beyondApproved(scene.outward)).toEqual([])
  },
)

test('an untouched installation pays once, credits deposits and raises no alert', async () => {
  const scene = await openScene()
  onTestFinished(() => scene.desk.close())
  await scene.audit()
  await scene.spend()
  expect(scene.outward.map(({ amount }) => amount)).toEqual([...APPROVED.values()])
  await scene.receive()
  const credited = (await scene.credited()).map(({ to, amount }) => `${to} ${amount}`)
  expect(credited.sort()).toEqual(['ann 3', 'ann 5', 'bob 5'])
  const open = await scene.desk.rows('select code from alerts where resolved_at is null')
  expect(open).toEqual([])
})

describe('signing halted by a broken ledger', () => {
  const change = (by: number) =>
    `update balances set amount = amount + ${by} where account = 'claim:available'`

  async function openBroken(): Promise<Scene> {
    const scene = await openScene()
    onTestFinished(() => scene.desk.close())
    await scene.steal('sluice_owner', change(1))
    await scene.audit()
    await scene.spend()
    const waiting = { status: 'Pending', waitingFor: 'operator' }
    expect(await scene.desk.read(scene.ids.pending)).toMatchObject(waiting)
    return scene
  }

  test('signing resumes when the next audit finds a correct ledger', async () => {
    const scene = await openBroken()
    await scene.steal('sluice_owner', change(-1))
    await scene.audit()
    await scene.spend()
    const paid = { status: 'Processing', waitingFor: 'confirmations' }
    expect(await scene.desk.read(scene.ids.pending)).toMatchObject(paid)
  })

  test('signing resumes after an operator closes the alert, until the next audit', async () => {
    const scene = await openBroken()
    const by = { actor: 'cli:test', reason: 'known', openKey: () => scene.serviceKey }
    await scene.desk.database.transaction((tx) => closeByOperator(tx, { ...LEDGER_BROKEN, ...by }))
    await scene.spend()
    expect(await scene.desk.read(scene.ids.pending)).toMatchObject({ status: 'Processing' })
    await scene.audit()
    expect(await scene.desk.alerts('ledger.broken')).toEqual(['ledger'])
  })
})

test('at least twenty attacks are tried, with each of the three roles', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(20)
  const roles = new Set(ATTACKS.map(({ role }) => role))
  expect(roles).toEqual(new Set(['sluice_api', 'sluice_engine', 'sluice_owner']))
  expect(new Set(ATTACKS.map(({ role, name }) => `${role} ${name}`)).size).toBe(ATTACKS.length)
})

function titleOf({ role, name, expectation }: Attack): string {
  return `${role} ${name}: ${expectation.is}`
}

/** The error of the database if it refused; null if the statements succeeded. */
function steal(scene: Scene, { role, sql }: Attack): Promise<string | null> {
  return scene.steal(role, sql(scene)).then(
    () => null,
    (error: unknown) => String(error),
  )
}

/** Payments beyond the approved amount of their recipient; also the second of two equal ones. */
function beyondApproved(outward: readonly Outward[]): Outward[] {
  const left = new Map(APPROVED)
  return outward.filter(({ to, amount }) => {
    const rest = (left.get(to.toLowerCase()) ?? 0n) - amount
    left.set(to.toLowerCase(), rest)
    return rest < 0n
  })
}
