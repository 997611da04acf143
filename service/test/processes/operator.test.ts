import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '@sluice/simulator'
import { withSession } from '../../src/store/connection.ts'
import { install } from './installation.ts'
import { CHAIN, CONFIRMATIONS, makePaidHarness } from './paid-harness.ts'
import { build, serve, sluice, sluiceJson, until, untilReady } from './program.ts'

beforeAll(build)

test('R04 a chain that froze goes on once an operator has said why', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  await harness.pay(await harness.addressOf('alice'), 0)
  await harness.anvil.mine(CONFIRMATIONS)
  await harness.confirmed(1)
  await harness.anvil.reorg(CONFIRMATIONS + 2)
  const isFrozen = async () => {
    const alerts = await sluiceJson<{ code: string }[]>(harness.config, ['alert', 'list'])
    return alerts.some(({ code }) => code === 'chain.frozen')
  }
  await until('the freeze', async () => ((await isFrozen()) ? true : null))
  const chains = await sluice(harness.config, ['chain', 'list'])
  expect(chains.stdout).toMatch(new RegExp(`${CHAIN} .* frozen`))
  expect(await sluice(harness.config, ['doctor'])).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/BAD +eip155:11155111: frozen/),
  })
  const { body } = await readyOf(harness.baseUrl)
  expect(body).toMatchObject({ status: 'degraded', checks: { [CHAIN]: 'stopped' } })
  const resume = ['chain', 'resume', CHAIN, '--reason', 'reported to the exchange']
  expect(await sluice(harness.config, resume)).toMatchObject({ code: 0 })
  expect(await sluice(harness.config, resume)).toMatchObject({ code: 4 })
  expect(await isFrozen()).toBe(false)
  const log = await sluiceJson<unknown[]>(harness.config, ['audit-log', 'list', '--limit', '1'])
  expect(log).toMatchObject([
    { action: 'chain.resume', object: CHAIN, details: { reason: 'reported to the exchange' } },
  ])
  expect(await service.end()).toBe(0)
})

test('a doctor asked before the first start finds the token that is no contract', async () => {
  const anvil = await startAnvil({ chainId: 11155111 })
  onTestFinished(() => anvil.stop())
  const id = `${CHAIN}/erc20:0x70997970C51812dc3A010C7d01b50e0d17dc79C8`
  const { config } = await install({
    chains: { [CHAIN]: { nodes: [anvil.url] } },
    tokens: [{ id, name: 'Not a token', symbol: 'NOT', decimals: 6 }],
  })
  const stdout = expect.stringMatching(new RegExp(`^BAD +tokens: .*${id}`, 'm'))
  expect(await sluice(config, ['doctor'])).toMatchObject({ code: 3, stdout })
  await anvil.stop()
  expect(await sluice(config, ['doctor'])).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^BAD +tokens: 0 of \d+ .*no node answers for/m),
  })
})

test('an audit is clean only if it has compared all balances', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  await harness.addressOf('alice')
  await harness.anvil.mine(1)
  const clean = await sluice(harness.config, ['audit'])
  expect(clean).toMatchObject({ code: 0 })
  const [, compared, due] = /, (\d+) of (\d+) balances compared, 0 diff/.exec(clean.stdout) ?? []
  expect(Number(due)).toBeGreaterThan(1)
  expect(compared).toBe(due)
  expect(await service.end()).toBe(0)
  // As before its first block: nothing says at which block the node is to be asked.
  await withSession(harness.databaseUrl, (session) => session.script('delete from chain_states'))
  const ran = await sluice(harness.config, ['--json', 'audit'])
  expect(ran.code).toBe(3)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    chains: [{ balances: Number(due), comparisons: 0, findings: [] }],
  })
  expect(await sluice(harness.config, ['audit'])).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(new RegExp(`, 0 of ${due} balances compared[^]*Not clean: `)),
  })
})

async function readyOf(baseUrl: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${baseUrl}/readyz`)
  return { status: answer.status, body: await answer.json() }
}

test('a rescan is done by the service, or by the command where none runs', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  await harness.pay(await harness.addressOf('alice'), 0)
  await harness.anvil.mine(CONFIRMATIONS)
  await harness.confirmed(1)
  const rescan = ['chain', 'rescan', CHAIN, '--from', '1', '--to', '5']
  expect(await sluiceJson(harness.config, rescan)).toMatchObject({ state: 'done', found: 0 })
  expect(await service.end()).toBe(0)
  const alone = await sluice(harness.config, rescan)
  expect(alone).toMatchObject({ code: 0, stderr: expect.stringContaining('100 %') })
  const beyond = await sluice(harness.config, [...rescan.slice(0, -1), '5000'])
  expect(beyond).toMatchObject({ code: 4, stderr: expect.stringContaining('last block scanned') })
  const nowhere = await sluice(
    harness.config,
    rescan.map((word) => (word === CHAIN ? 'x:1' : word)),
  )
  expect(nowhere).toMatchObject({ code: 4, stderr: expect.stringContaining('Unknown chain x:1') })
})

test('a rescan of a halted chain says what it waits for, and begins after a resume', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  await harness.anvil.mine(CONFIRMATIONS)
  expect(await service.end()).toBe(0)
  await withSession(harness.databaseUrl, (session) =>
    session.script(
      `update chain_states set condition = 'halted', condition_cause = 'its node lied'`,
    ),
  )
  const waiting = sluice(harness.config, ['chain', 'rescan', CHAIN, '--from', '1', '--to', '2'])
  const list = ['audit-log', 'list', '--object', CHAIN]
  await until('the rescan', async () => {
    const asked = await sluiceJson<unknown[]>(harness.config, list)
    return asked.length > 0 ? asked : null
  })
  const resume = ['chain', 'resume', CHAIN, '--reason', 'another node was named']
  expect(await sluice(harness.config, resume)).toMatchObject({ code: 0 })
  expect(await waiting).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/is halted \(its node lied\)[^]*100 %/),
  })
  const [all, cut] = await Promise.all([
    sluice(harness.config, list),
    sluice(harness.config, [...list, '--limit', '1']),
  ])
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(cut).toMatchObject({ code: 0, stderr: expect.stringContaining('more than 1 rows') })
})

test('a deposit is held and released by hand, and both are written down', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  await harness.pay(await harness.addressOf('alice'), 0)
  const [found] = await until('the deposit', async () => {
    const all = await harness.deposits()
    return all.length > 0 ? all : null
  })
  const id = found?.id ?? ''
  const hold = ['deposit', 'hold', id, '--reason', 'screening']
  expect(await sluiceJson(harness.config, hold)).toEqual({ id, status: 'Held' })
  await harness.anvil.mine(CONFIRMATIONS)
  const listed = await sluice(harness.config, ['deposit', 'list', '--org', harness.orgId])
  expect(listed.stdout).toContain('Held (screening)')
  const release = ['deposit', 'release', id, '--reason', 'cleared']
  expect(await sluiceJson(harness.config, release)).toMatchObject({ id })
  await harness.confirmed(1)
  expect(await sluice(harness.config, hold)).toMatchObject({ code: 4 })
  const log = await sluiceJson<{ action: string }[]>(harness.config, ['audit-log', 'list'])
  expect(log.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['deposit.hold', 'deposit.release']),
  )
  await sealed(harness.config, log.length)
  expect(await service.end()).toBe(0)
})

/** O03: the service seals what was done, and the head that it had is known again. */
async function sealed(config: string, entries: number): Promise<void> {
  const { head } = await until('the seals', async () => {
    const last = await sluiceJson<{ head: string; sequence: number }>(config, ['audit-log', 'head'])
    return last.sequence === entries ? last : null
  })
  const verify = ['audit-log', 'verify', '--head', head]
  expect(await sluice(config, verify)).toMatchObject({ code: 0 })
  const beyond = `${entries + 5}:${'0'.repeat(64)}`
  const cut = await sluice(config, [...verify, '--head', beyond, '--json'])
  expect(cut.code).toBe(3)
  expect(JSON.parse(cut.stdout)).toMatchObject({
    head,
    wrong: {
      reason: 'truncated',
      sequence: entries + 1,
      message: expect.stringContaining('are missing'),
    },
  })
  expect(await sluice(config, ['audit-log', 'verify', '--head', '12'])).toMatchObject({ code: 2 })
  expect(await sluice(config, ['audit-log', 'verify', '--accepted'])).toMatchObject({ code: 0 })
  const accept = ['audit-log', 'accept', '--reason', 'the standby took over']
  expect(await sluice(config, accept)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('No alert'),
  })
  expect(await sluice(config, accept.slice(0, 2))).toMatchObject({ code: 2 })
}

function to({ orgId }: { orgId: string }): string[] {
  return ['--org', orgId]
}

test('a disabled chain or token is no longer offered', async () => {
  const harness = await makePaidHarness()
  const service = serve(harness.config)
  await untilReady(harness.port, service)
  await harness.addressOf('alice')
  const off = ['chain', 'enable', CHAIN, '--org', harness.orgId, '--off']
  expect(await sluice(harness.config, off)).toMatchObject({ code: 0 })
  const query = `chainId=${CHAIN}&tokenId=${harness.token}&userId=bob`
  const refused = await harness.get(`/payments/deposit-address?${query}`)
  expect(refused.body).toMatchObject({ error: 'CHAIN_NOT_ENABLED' })
  const chains = await sluiceJson<unknown[]>(harness.config, ['chain', 'list', ...to(harness)])
  const decisions = { enabledByOperator: false, enabledByOrganization: true }
  expect(chains).toContainEqual(
    expect.objectContaining({ id: CHAIN, offered: false, ...decisions }),
  )
  expect(await sluice(harness.config, off.slice(0, -1))).toMatchObject({ code: 0 })
  const tokenOff = ['token', 'enable', harness.token, '--org', harness.orgId, '--off']
  expect(await sluice(harness.config, tokenOff)).toMatchObject({ code: 0 })
  const again = await harness.get(`/payments/deposit-address?${query}`)
  expect(again.body).toMatchObject({ error: 'TOKEN_NOT_ENABLED' })
  const listed = await sluice(harness.config, ['token', 'list', ...to(harness)])
  expect(listed.stdout).toMatch(/^token .* suspended +offered +operator +organization$/m)
  expect(listed.stdout).toMatch(new RegExp(`^${harness.token} .* verified +- +no +no +yes$`, 'm'))
  expect(listed.stdout).toMatch(new RegExp(`^${CHAIN}/slip44:60 .* native +- +yes +yes +yes$`, 'm'))
  const nobody = [
    'token',
    'list',
    '--org',
    harness.orgId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ]
  expect(await sluice(harness.config, nobody)).toMatchObject({ code: 4, stdout: '' })
  // The organization's own switch is another one, which the operator sees and cannot set.
  const own = await harness.patch('/organisation/tokens', {
    tokenId: harness.token,
    enabled: false,
  })
  expect(own).toMatchObject({ status: 200, body: { token: { enabledByOrganization: false } } })
  expect(await sluice(harness.config, tokenOff.slice(0, -1))).toMatchObject({
    code: 0,
    stdout:
      `${harness.token} is enabled by the operator. ` +
      'The organization has switched it off, and it stays off.\n',
  })
  const both = await sluice(harness.config, ['token', 'list', ...to(harness)])
  expect(both.stdout).toMatch(new RegExp(`^${harness.token} .* verified +- +no +yes +no$`, 'm'))
  expect(await service.end()).toBe(0)
})
