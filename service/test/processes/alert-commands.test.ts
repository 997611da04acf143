import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { type Installation, install } from './installation.ts'
import { build, sluice, sluiceJson } from './program.ts'

const CHAIN = 'eip155:11155111'
/** Of a token that the operator has taken off the configuration since. */
const TOKEN = `${CHAIN}/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3`
const WITHDRAWAL = '01990000-0000-7000-8000-000000000001'
const REASON = ['--reason', 'the intruder is out']

beforeAll(build)

test('an alert that only a human can judge is closed by hand, with a reason', async () => {
  const harness = await install({ chains: { [CHAIN]: { nodes: ['http://127.0.0.1:1'] } } })
  await raise(harness, 'withdrawal.tampered', WITHDRAWAL)
  await raise(harness, 'ledger.difference', `${TOKEN} 0x01`)
  const close = ['alert', 'close', 'withdrawal.tampered', WITHDRAWAL]
  expect(await sluice(harness.config, close)).toMatchObject({ code: 2 })
  expect(await sluice(harness.config, [...close, ...REASON])).toMatchObject({
    code: 0,
    stdout: `The alert withdrawal.tampered of ${WITHDRAWAL} is closed.\n`,
  })
  // Two words as the list prints them, and no quotes.
  const two = ['alert', 'close', 'ledger.difference', TOKEN, '0x01', ...REASON]
  expect(await sluiceJson(harness.config, two)).toMatchObject({
    subject: `${TOKEN} 0x01`,
    resolvedAt: expect.stringMatching(/Z$/),
  })
  expect(await sluice(harness.config, ['alert', 'list'])).toMatchObject({
    stdout: 'There are no open alerts.\n',
  })
  const all = await sluice(harness.config, ['alert', 'list', '--all'])
  expect(all.stdout).toMatch(/^last +code +subject +times +resolved +message\n/)
  expect(all.stdout).toMatch(/withdrawal\.tampered .* 1 +20\d\d-\S+Z +it was changed\n/)
  const log = await sluiceJson<unknown[]>(harness.config, ['audit-log', 'list', '--limit', '2'])
  expect(log[1]).toMatchObject({
    orgId: null,
    actor: expect.stringMatching(/^cli:/),
    action: 'alert.close',
    object: WITHDRAWAL,
    details: { alert: 'withdrawal.tampered', reason: 'the intruder is out' },
  })
})

test('no alert is closed that is not open, nor one that another command ends', async () => {
  const harness = await install({ chains: { [CHAIN]: { nodes: ['http://127.0.0.1:1'] } } })
  const close = (code: string, subject: string) =>
    sluice(harness.config, ['alert', 'close', code, subject, ...REASON])
  expect(await close('withdrawal.tampered', WITHDRAWAL)).toMatchObject({
    code: 4,
    stdout: '',
    stderr: `No alert withdrawal.tampered is open for ${WITHDRAWAL}. Run \`sluice alert list\`.\n`,
  })
  await raise(harness, 'chain.frozen', CHAIN)
  expect(await close('chain.frozen', CHAIN)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('`sluice chain resume <chain> --reason <text>`'),
  })
  await raise(harness, 'audit_log.broken', 'audit_log')
  expect(await close('audit_log.broken', 'audit_log')).toMatchObject({ code: 4 })
  // A chain without nodes cannot be resumed.
  await raise(harness, 'spend.foreign', 'eip155:1:0x01')
  expect(await close('spend.foreign', 'eip155:1:0x01')).toMatchObject({ code: 0 })
})

test('a token that was taken off the configuration does not make the doctor frown', async () => {
  const harness = await install({ chains: { [CHAIN]: { nodes: ['http://127.0.0.1:1'] } } })
  await withSession(harness.databaseUrl, (session) =>
    session.run(sql`
      insert into token_checks (token_id, chain_id, state, found, checked_at)
      values (${TOKEN}, ${CHAIN}, 'mismatch', '18 OWN', now())`),
  )
  const seen = await sluice(harness.config, ['doctor'])
  expect(seen.stdout).toMatch(/ tokens: /)
  expect(seen.stdout).not.toContain(TOKEN)
})

async function raise(harness: Installation, code: string, subject: string): Promise<void> {
  await withSession(harness.databaseUrl, (session) =>
    session.run(sql`
      insert into alerts (id, code, subject, message, raised_at, last_at)
      values (gen_random_uuid(), ${code}, ${subject}, 'it was changed', now(), now())`),
  )
}
