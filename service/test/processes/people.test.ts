import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { Secret } from '../../src/base/secret.ts'
import { totpCode, totpStepAt } from '../../src/orgs/totp.ts'
import { withSession } from '../../src/store/connection.ts'
import { install, type Installation } from './installation.ts'
import { build, serve, sluice, sluiceJson, until } from './program.ts'

beforeAll(build)

interface Made {
  id: string
  username: string
  password: string
  totpSecret: string
}

function create({ config, orgId }: Installation, username: string, role: string): Promise<Made> {
  const args = ['user', 'create', '--org', orgId, '--username', username, '--role', role]
  return sluiceJson<Made>(config, args)
}

/** Signs in over HTTP; a code of the step after the last one used, which the service takes. */
async function logIn(
  { baseUrl }: Installation,
  { username, password, totpSecret }: Made,
  stepsAhead = 0,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const step = totpStepAt(systemClock.now()) + stepsAhead
  const body = { username, password, totpCode: totpCode(new Secret(totpSecret), step) }
  const answer = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: parse(await answer.text()) }
}

async function profile({ baseUrl }: Installation, token: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${String(token)}` }
  return (await fetch(`${baseUrl}/auth/profile`, { headers })).status
}

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}

test('S02 people are added, changed and disabled while the service runs', async () => {
  const harness = await install()
  const { config } = harness
  const ann = await create(harness, 'ann', 'admin')
  const bob = await create(harness, 'bob', 'viewer')
  const service = serve(config)
  await until(
    'an answer',
    () =>
      fetch(`${harness.baseUrl}/readyz`).then(
        (answer) => answer.ok || null,
        () => null,
      ),
    () => service.output(),
  )
  const first = await logIn(harness, bob)
  expect(first.status).toBe(200)
  expect(await profile(harness, first.body['accessToken'])).toBe(200)

  const changed = await sluiceJson(config, ['user', 'set-role', 'BOB', '--role', 'approver'])
  const leftOut = { thresholds: false, withdrawals: [] }
  const bobNow = { id: bob.id, username: 'bob', role: 'approver', status: 'active' }
  expect(changed).toEqual({ ...bobNow, leftOut })
  expect(await profile(harness, first.body['accessToken'])).toBe(401)

  const renewed = await sluiceJson<Made>(config, ['user', 'reset-totp', bob.id])
  expect(renewed.totpSecret).not.toBe(bob.totpSecret)
  const { password } = await sluiceJson<Made>(config, ['user', 'reset-password', 'bob'])
  expect((await logIn(harness, bob)).status).toBe(401)
  const next = { ...bob, password, totpSecret: renewed.totpSecret }
  const second = await logIn(harness, next)
  expect(second.status).toBe(200)

  expect(await sluiceJson(config, ['user', 'disable', 'bob'])).toMatchObject({
    id: bob.id,
    status: 'disabled',
  })
  expect(await profile(harness, second.body['accessToken'])).toBe(401)
  expect((await logIn(harness, next, 1)).status).toBe(401)

  const last = await sluice(config, ['user', 'disable', 'ann'])
  expect(last).toMatchObject({ code: 4, stderr: expect.stringContaining('0 signers') })
  const dan = ['user', 'create', '--org', harness.orgId, '--username', 'dan', '--role', 'viewer']
  // It is good until it is reset, and not for one time alone.
  expect((await sluice(config, dan)).stdout).toMatch(/^Password \(shown only once\): \S{24}$/m)
  expect(await sluice(config, ['user', 'disable', 'nobody'])).toMatchObject({ code: 4 })
  const people = await sluice(config, ['user', 'list'])
  expect(people.stdout).toMatch(/ann +admin +active/)
  expect(people.stdout).toMatch(/bob +approver +disabled/)
  const log = await sluiceJson<{ action: string; object: string; actor: string }[]>(config, [
    'audit-log',
    'list',
  ])
  const ofBob = log.filter(({ object, actor }) => object === bob.id && actor.startsWith('cli:'))
  expect(ofBob.map(({ action }) => action)).toEqual([
    'user.disable',
    'user.reset-password',
    'user.reset-totp',
    'user.set-role',
    'user.create',
  ])
  expect(JSON.stringify(log)).not.toContain(password)
  expect(log.some(({ object }) => object === ann.id)).toBe(true)
  expect(await service.end()).toBe(0)
})

test('a person is disabled despite a changed database; the change is named [A13]', async () => {
  const harness = await install()
  const { config, orgId } = harness
  const waiting = '01990000-0000-7000-8000-000000000001'
  for (const name of ['ann', 'bob', 'cem']) await create(harness, name, 'approver')
  await withSession(harness.databaseUrl, (session) =>
    session.script(`
      update organizations set min_withdrawal_signers = 1000;
      insert into withdrawals
        (org_id, id, chain_id, token_id, amount, recipient, reference, status,
         required_approvals, required_humans, initiator, mac, created_at, updated_at)
      select org_id, '${waiting}', 'eip155:1', 'eip155:1/slip44:60', 60, '0xa1', 'one',
             'PendingApproval', 1000, 0, id, 'mac', now(), now()
        from users where role = 'api'`),
  )
  const leftOut = { thresholds: true, withdrawals: [waiting] }
  const disabled = await sluiceJson(config, ['user', 'disable', 'ann'])
  expect(disabled).toMatchObject({ username: 'ann', status: 'disabled', leftOut })
  const demoted = await sluice(config, ['user', 'set-role', 'bob', '--role', 'viewer'])
  expect(demoted.stdout).toMatch(/^User bob is viewer now\.$/m)
  expect(demoted.stdout).toMatch(/^Not counted, .* how many must approve a withdrawal\.$/m)
  expect(demoted.stdout).toContain(`sluice org set-thresholds <signers> <humans> --org ${orgId}`)
  expect(demoted.stdout).toMatch(new RegExp(`^Not counted, .* the withdrawal ${waiting}\\.$`, 'm'))
  const open = await sluiceJson<{ code: string }[]>(config, ['alert', 'list'])
  expect(open.map(({ code }) => code).toSorted()).toEqual([
    'organization.tampered',
    'withdrawal.tampered',
  ])
})

test('an operator sets thresholds again that were changed in the database [A13]', async () => {
  const harness = await install()
  const { config, orgId } = harness
  await create(harness, 'ann', 'admin')
  await create(harness, 'bob', 'approver')
  const both = ['org', 'set-thresholds', '2', '1', '--org', orgId]
  const set = { orgId, minWithdrawalSigners: 2, minHumanApprovals: 1 }
  expect(await sluiceJson(config, both)).toEqual(set)
  await withSession(harness.databaseUrl, (session) =>
    session.script('update organizations set min_human_approvals = 0'),
  )
  const one = await sluice(config, ['org', 'require-humans', '2', '--org', orgId])
  expect(one).toMatchObject({ code: 4, stderr: expect.stringContaining('was changed') })
  const open = () => sluiceJson<{ code: string }[]>(config, ['alert', 'list'])
  expect(await open()).toMatchObject([{ code: 'organization.tampered', subject: orgId }])
  expect(await sluiceJson(config, both)).toEqual(set)
  expect(await open()).toEqual([])
  expect(await sluiceJson(config, ['org', 'list'])).toMatchObject([
    { id: orgId, minWithdrawalSigners: 2, minHumanApprovals: 1 },
  ])
  expect(await sluice(config, ['org', 'require-humans', '2', '--org', orgId])).toMatchObject({
    code: 0,
  })
  // The event has the number of signers, and says that an operator changed it.
  const events = ['event', 'list', '--org', orgId, '--type', 'settings.changed']
  const [told, ...more] = await sluiceJson<{ id: string }[]>(config, events)
  expect(more).toEqual([])
  const { body } = await sluiceJson<{ body: string }>(config, ['event', 'show', told?.id ?? ''])
  const numbers = { setting: 'minWithdrawalSigners', previous: '1', current: '2' }
  const by = { changedBy: '', credential: 'commandLine' }
  expect(parse(body)).toMatchObject({ payload: { ...numbers, ...by } })
})
