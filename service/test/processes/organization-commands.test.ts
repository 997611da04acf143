import { startReceiver } from '@sluice/simulator'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { type Installation, install } from './installation.ts'
import { build, serve, sluice, sluiceJson, untilReady } from './program.ts'

const CHAIN = 'eip155:11155111'
const UNKNOWN = '019b76da-0000-7000-8000-000000000000'

beforeAll(build)

interface Listed {
  id: string
  name?: string
  revokedAt?: string | null
  state?: string
  pending?: number
}

test('sluice api-key lists, revokes and rotates the keys of an organization', async () => {
  const { config, orgId, apiKey } = await install()
  const list = ['api-key', 'list', '--org', orgId]
  const [key, ...others] = await sluiceJson<Listed[]>(config, list)
  expect(others).toEqual([])
  expect(key).toMatchObject({
    isDefault: true,
    lastFour: apiKey.slice(-4),
    scopes: ['read', 'deposits', 'withdrawals', 'configure'],
    allowedCidrs: [],
    expiresAt: null,
    revokedAt: null,
  })
  const { apiKey: rotated } = await sluiceJson<{ apiKey: string }>(config, [
    'api-key',
    'rotate',
    '--org',
    orgId,
  ])
  const [fresh] = (await sluiceJson<Listed[]>(config, list)).filter((one) => one.revokedAt === null)
  expect(fresh).toMatchObject({ lastFour: rotated.slice(-4), isDefault: true })
  const revoke = ['api-key', 'revoke', fresh?.id ?? '', '--org', orgId]
  expect(await sluice(config, revoke)).toMatchObject({
    code: 0,
    stdout: `API key ${fresh?.id} is revoked.\n`,
  })
  const { stdout } = await sluice(config, list)
  expect(stdout).toMatch(/^key +name +last four +scopes +networks +expires +revoked +last used\n/)
  expect(stdout).not.toContain(rotated)
  expect(stdout.match(/ 20\d\d-\S+Z/g)?.length).toBeGreaterThanOrEqual(2)
  for (const [id, org] of [
    [UNKNOWN, orgId],
    [fresh?.id ?? '', UNKNOWN],
  ] as const)
    expect(await sluice(config, ['api-key', 'revoke', id, '--org', org])).toMatchObject({
      code: 4,
      stdout: '',
    })
})

test('sluice webhook lists, tests, pauses and resumes an endpoint', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const harness = await install({ webhookDevOrigins: [receiver.url] })
  const { config, orgId } = harness
  await setUrl(harness, `${receiver.url}/hook`)
  const to = ['--org', orgId]
  expect(await sluiceJson<Listed[]>(config, ['webhook', 'list', ...to])).toMatchObject([
    { id: orgId, url: `${receiver.url}/hook`, eventTypes: [], state: 'active' },
  ])
  const tested = await sluice(config, ['webhook', 'test', orgId, ...to])
  expect(tested).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The endpoint accepted the test with 2\d\d in \d+ ms\.\n/),
  })
  const [, shown = ''] = /`?sluice event show (\S+)/.exec(tested.stdout) ?? []
  expect(await sluice(config, ['event', 'show', shown])).toMatchObject({ code: 0 })
  for (const [verb, state] of [
    ['pause', 'paused'],
    ['resume', 'active'],
  ] as const) {
    expect(await sluice(config, ['webhook', verb, orgId, ...to])).toMatchObject({
      code: 0,
      stdout: `The webhook endpoint ${orgId} is ${state}.\n`,
    })
    const { stdout } = await sluice(config, ['webhook', 'list', ...to])
    expect(stdout).toMatch(new RegExp(`^${orgId} .* all +${state} +\\d+ `, 'm'))
  }
  for (const verb of ['test', 'pause', 'resume'])
    expect(await sluice(config, ['webhook', verb, UNKNOWN, ...to])).toMatchObject({
      code: 4,
      stdout: '',
    })
  const tamper = `update webhook_endpoints set url = 'https://thief.example.com/'`
  await withSession(harness.databaseUrl, (session) => session.script(tamper))
  const [changed] = await sluiceJson<Listed[]>(config, ['webhook', 'list', ...to])
  expect(changed).toMatchObject({ state: 'tampered' })
})

/** Through the service, which validates and authenticates the URL. */
async function setUrl(harness: Installation, webhookUrl: string): Promise<void> {
  const service = serve(harness.config, { args: ['--roles', 'api'] })
  await untilReady(harness.port, service)
  const answer = await harness.patch('/organisation/webhook', { webhookUrl })
  expect(answer).toMatchObject({ status: 200 })
  expect(await service.end()).toBe(0)
}

test('sluice chain status shows tip, head and nodes', async () => {
  const harness = await install({ chains: { [CHAIN]: { nodes: ['http://127.0.0.1:1'] } } })
  const { config } = harness
  const status = ['chain', 'status']
  expect(await sluice(config, [...status, CHAIN])).toMatchObject({
    code: 0,
    stdout: `${CHAIN}: never contacted\n  The scanner has not queried its nodes yet.\n`,
  })
  await withSession(harness.databaseUrl, (session) =>
    session.script(`
      insert into chain_nodes (chain_id, position, node, state, head, latency_ms, error, checked_at)
      values ('${CHAIN}', 0, '127.0.0.1:1', 'unreachable', null, 12, 'connection refused', now())`),
  )
  const [chain, ...others] = await sluiceJson<object[]>(config, status)
  expect(others).toEqual([])
  expect(chain).toMatchObject({
    id: CHAIN,
    condition: 'never contacted',
    nodes: [{ node: '127.0.0.1:1', state: 'unreachable', head: null, error: 'connection refused' }],
  })
  const { stdout } = await sluice(config, status)
  expect(stdout).toMatch(/^ {2}node +state +head +latency +checked +last error$/m)
  expect(stdout).toMatch(/^ {2}127\.0\.0\.1:1 +unreachable +- +12 ms +20\S+Z +connection refused$/m)
  expect(await sluice(config, [...status, 'eip155:2'])).toMatchObject({ code: 4, stdout: '' })
})

test('sluice audit-log list names the users who acted and who were changed', async () => {
  const { config, orgId, databaseUrl } = await install()
  const invite = ['user', 'invite-admin', '--org', orgId, '--username', 'alice']
  const { id } = await sluiceJson<Listed>(config, invite)
  await withSession(databaseUrl, (session) =>
    session.script(`
      insert into audit_log (at, org_id, actor, action, object)
      values (now(), '${orgId}', 'user:${id}', 'switch.set', '${CHAIN}')`),
  )
  const list = ['audit-log', 'list', '--org', orgId, '--limit', '2']
  expect(await sluiceJson(config, list)).toMatchObject([
    { actor: `user:${id}`, actorName: 'alice', object: CHAIN, objectName: null },
    { actor: expect.stringMatching(/^cli:/), actorName: null, object: id, objectName: 'alice' },
  ])
  const { stdout } = await sluice(config, list)
  expect(stdout).toMatch(new RegExp(` user:alice +switch\\.set +${CHAIN} `, 'm'))
  expect(stdout).toMatch(new RegExp(` user\\.invite +${id} \\(alice\\) `, 'm'))
})
