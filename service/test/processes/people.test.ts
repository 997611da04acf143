import { beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { codeOf } from '../contract/world/sign-in.ts'
import { addUser } from './add-user.ts'
import { install, type Installation } from './installation.ts'
import { build, serve, sluice, sluiceJson, until } from './program.ts'

beforeAll(build)

interface Invited {
  id: string
  token: string
}

async function post(
  { baseUrl }: Installation,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: parse(await answer.text()) }
}

/** Accepts an invitation over HTTP. Returns the access token. */
async function accept(harness: Installation, token: string): Promise<unknown> {
  const shown = await post(harness, '/auth/invitation', { token })
  const totpSecret = String(shown.body['totpSecret'])
  const credentials = { password: 'a long enough password', totpCode: codeOf({ totpSecret }) }
  const accepted = await post(harness, '/auth/invitation/accept', { token, ...credentials })
  expect(accepted.status).toBe(200)
  return accepted.body['accessToken']
}

async function profile({ baseUrl }: Installation, token: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${String(token)}` }
  return (await fetch(`${baseUrl}/auth/profile`, { headers })).status
}

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}

test('an operator invites the first admin, and another after all are lost [S02]', async () => {
  const harness = await install()
  const { config, orgId } = harness
  const invite = ['user', 'invite-admin', '--org', orgId, '--username']
  const first = await sluiceJson<Invited>(config, [...invite, 'ann'])
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
  const anns = await accept(harness, first.token)
  expect(await profile(harness, anns)).toBe(200)
  for (const name of ['ann', 'bob'])
    expect(await sluice(config, [...invite, name])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('--reason'),
    })

  const lost = ['--reason', 'all telephones were stolen']
  const again = await sluiceJson<Invited>(config, [...invite, 'ANN', ...lost])
  expect(again.id).toBe(first.id)
  expect(await profile(harness, anns)).toBe(401)
  expect(await profile(harness, await accept(harness, again.token))).toBe(200)
  const bob = await sluiceJson<Invited>(config, [...invite, 'bob', ...lost])
  const bobs = await accept(harness, bob.token)
  expect(await sluiceJson(config, ['user', 'disable', 'BOB'])).toMatchObject({
    id: bob.id,
    status: 'disabled',
  })
  expect(await profile(harness, bobs)).toBe(401)
  const last = await sluice(config, ['user', 'disable', 'ann'])
  expect(last).toMatchObject({ code: 4, stderr: expect.stringContaining('0 signers') })
  expect(await sluice(config, ['user', 'disable', 'nobody'])).toMatchObject({ code: 4 })
  const people = await sluice(config, ['user', 'list'])
  expect(people.stdout).toMatch(/ann +admin +active/)
  expect(people.stdout).toMatch(/bob +admin +disabled/)
  const log = await sluiceJson<{ action: string; actor: string; details: object }[]>(config, [
    'audit-log',
    'list',
  ])
  const byOperator = log.filter(
    ({ action, actor }) => action.startsWith('user.') && actor.startsWith('cli:'),
  )
  expect(byOperator.map(({ action }) => action)).toEqual([
    'user.disable',
    'user.invite',
    'user.reset',
    'user.invite',
  ])
  expect(byOperator[2]?.details).toMatchObject({ reason: 'all telephones were stolen' })
  expect(await service.end()).toBe(0)
})

test('a person is disabled despite a changed database; the change is named [A13]', async () => {
  const harness = await install()
  const { config, orgId } = harness
  const waiting = '01990000-0000-7000-8000-000000000001'
  for (const name of ['ann', 'bob', 'cem']) await addUser(harness, name, 'approver')
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
  const another = await sluice(config, ['user', 'disable', 'bob'])
  expect(another.stdout).toMatch(/^User bob is disabled\.$/m)
  expect(another.stdout).toMatch(/^The required approvals were changed in the database/m)
  expect(another.stdout).toContain(`sluice org set-thresholds <signers> <humans> --org ${orgId}`)
  expect(another.stdout).toMatch(new RegExp(`^Withdrawal ${waiting} was changed`, 'm'))
  const open = await sluiceJson<{ code: string }[]>(config, ['alert', 'list'])
  expect(open.map(({ code }) => code).toSorted()).toEqual([
    'organization.tampered',
    'withdrawal.tampered',
  ])
})

test('an operator sets thresholds again that were changed in the database [A13]', async () => {
  const harness = await install()
  const { config, orgId } = harness
  await addUser(harness, 'ann', 'admin')
  await addUser(harness, 'bob', 'approver')
  const both = ['org', 'set-thresholds', '2', '1', '--org', orgId]
  const set = { orgId, minWithdrawalSigners: 2, minHumanApprovals: 1 }
  expect(await sluiceJson(config, both)).toEqual(set)
  await withSession(harness.databaseUrl, (session) =>
    session.script('update organizations set min_human_approvals = 0'),
  )
  const one = await sluice(config, ['org', 'require-humans', '2', '--org', orgId])
  expect(one).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('were changed in the database'),
  })
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
  // Each event has the numbers, and says that an operator changed them. The newest is first.
  const events = ['event', 'list', '--org', orgId, '--type', 'settings.changed']
  const payloads = []
  for (const { id } of await sluiceJson<{ id: string }[]>(config, events)) {
    const { body } = await sluiceJson<{ body: string }>(config, ['event', 'show', id])
    payloads.push(Object(parse(body)).payload)
  }
  const by = { previous: '1', current: '2', changedBy: '', credential: 'commandLine' }
  expect(payloads).toMatchObject([
    { setting: 'minHumanApprovals', ...by },
    { setting: 'minWithdrawalSigners', ...by },
  ])
})
