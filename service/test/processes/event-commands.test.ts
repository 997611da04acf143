import { beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { install } from './installation.ts'
import { build, sluice, sluiceJson } from './program.ts'

beforeAll(build)

const [FAILED, TOLD, NOBODYS] = [idOf(1), idOf(2), idOf(9)]

test('an operator lists events, reads why one failed, and redelivers it [W22]', async () => {
  const { config, orgId, databaseUrl } = await install()
  expect(await sluice(config, ['event', 'list', '--org', orgId])).toMatchObject({
    code: 0,
    stdout: 'No matching events.\n',
  })
  await withSession(databaseUrl, (session) => session.script(scriptOf(orgId)))
  const list = (...more: string[]) =>
    sluiceJson<{ id: string }[]>(config, ['event', 'list', '--org', orgId, ...more])
  expect((await list()).map(({ id }) => id)).toEqual([TOLD, FAILED])
  expect(await list('--delivery', 'failed')).toMatchObject([
    { id: FAILED, state: 'failed', attempts: 6, lastStatus: 502 },
  ])
  expect(await list('--type', 'chain.frozen')).toEqual([])
  expect(await list('--to', '2026-01-01T00:00:00Z')).toHaveLength(1)
  const shown = await sluiceJson<unknown>(config, ['event', 'show', FAILED])
  expect(shown).toMatchObject({
    id: FAILED,
    body: '{"payload":{}}',
    tries: [{ number: 6, status: 502, durationMs: 40, responseHeaders: { via: 'proxy' } }],
  })
  const lines = await sluice(config, ['event', 'show', FAILED])
  expect(lines.stdout).toMatch(
    /^\S+ +6 .* 40 +502 +https:\/\/hooks\.example\.com\/ +answered 502$/m,
  )
  expect(lines.stdout).toContain('attempt 6, request:\n  webhook-id: sent\n')
  expect(lines.stdout).toContain('attempt 6, answer:\n  via: proxy\n  no such host\n  \\u001b[2J\n')

  const redeliver = (...args: string[]) => sluice(config, ['event', 'redeliver', ...args])
  expect(await redeliver('--org', orgId, '--delivery', 'failed')).toMatchObject({ code: 4 })
  await withSession(databaseUrl, (session) =>
    session.script(`update webhook_endpoints set url = 'https://hooks.example.com/'`),
  )
  expect(await redeliver('--org', orgId, '--delivery', 'failed')).toMatchObject({
    code: 0,
    stdout: 'Redelivering 1 events; 0 were in delivery already.\n',
  })
  expect(await list('--delivery', 'pending')).toMatchObject([{ id: FAILED }])
  expect(await redeliver(TOLD)).toMatchObject({ code: 0 })
  expect(await list('--delivery', 'pending')).toHaveLength(2)
})

test('an event that is not there is refused, as is redelivering nothing at all', async () => {
  const { config, orgId } = await install()
  expect(await sluice(config, ['event', 'show', NOBODYS])).toMatchObject({ code: 4 })
  expect(await sluice(config, ['event', 'redeliver', NOBODYS])).toMatchObject({ code: 4 })
  const stderr = expect.stringContaining('An event id is missing. Give one, or --org and a filter')
  const nothing = ['event', 'redeliver']
  expect(await sluice(config, nothing)).toMatchObject({ code: 2, stdout: '', stderr })
  const everything = [...nothing, '--org', orgId]
  expect(await sluice(config, everything)).toMatchObject({ code: 2, stdout: '', stderr })
  const unknown = ['event', 'list', '--org', orgId, '--delivery', 'lost']
  expect(await sluice(config, unknown)).toMatchObject({ code: 2 })
})

function idOf(number: number): string {
  return `01990000-0000-7000-8000-00000000000${number}`
}

/** A failed event, and one without a recipient. */
function scriptOf(orgId: string): string {
  const at = (ms: string) => `'2026-01-01T00:00:00.${ms}Z'`
  return `
    insert into events (org_id, id, sequence, type, subject_id, body, created_at)
    values ('${orgId}', '${FAILED}', 1, 'gas.low', 'x', '{"payload":{}}', ${at('000')}),
           ('${orgId}', '${TOLD}', 2, 'gas.low', 'x', '{"payload":{}}', ${at('900')});
    update event_counters set last_sequence = 2 where org_id = '${orgId}';
    insert into deliveries (org_id, event_id, endpoint_id, sequence, state, attempts, finished_at)
    values ('${orgId}', '${FAILED}', '${orgId}', 1, 'failed', 6, ${at('100')});
    insert into delivery_attempts (org_id, event_id, endpoint_id, number, url, request_headers,
                                   status, response_headers, response_body, started_at,
                                   finished_at)
    values ('${orgId}', '${FAILED}', '${orgId}', 6, 'https://hooks.example.com/',
            '{"webhook-id":"sent"}', 502, '{"via":"proxy"}', E'no such host\\n\\x1b[2J',
            ${at('060')}, ${at('100')})`
}
