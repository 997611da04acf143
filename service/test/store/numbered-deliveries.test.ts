import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url))
const ORG = '01990000-0000-7000-8000-000000000000'

test('deliveries that an older version left have the numbers of their events', async () => {
  const empty = await makeEmptyDatabase()
  const { urls, adminUrl } = empty
  const folder = await mkdtemp(join(tmpdir(), 'sluice-older-'))
  onTestFinished(async () => {
    await rm(folder, { recursive: true })
    await empty.drop()
  })
  const files = (await readdir(MIGRATIONS)).filter((name) => /^000[1-4]-/.test(name))
  for (const name of files) await cp(join(MIGRATIONS, name), join(folder, name))
  await migrate({ ownerUrl: urls.owner, folder, log: silentLog() })
  await withSession(adminUrl, (session) => session.script(older()))
  await migrate({ ownerUrl: urls.owner, folder: MIGRATIONS, log: silentLog() })
  const rows = await withSession(adminUrl, (session) =>
    session.many(sql<Record<string, unknown>>`
      select d.sequence, d.state, d.attempts_max as "attemptsMax", d.url,
             a.response_headers as headers
        from deliveries d
        left join delivery_attempts a on a.event_id = d.event_id
       order by d.sequence`),
  )
  const plain = { attemptsMax: 6, url: null }
  expect(rows).toEqual([
    { ...plain, sequence: 1, state: 'failed', headers: '{}' },
    { ...plain, sequence: 3, state: 'pending', headers: null },
  ])
})

/** Three events, one of which nobody was to be told of. */
function older(): string {
  const id = (number: number) => `01990000-0000-7000-8000-00000000000${number}`
  const event = (number: number) => `('${ORG}', '${id(number)}', ${number}, 'x', 'x', '{}', now())`
  return `
    insert into organizations (id, name, created_at, updated_at)
    values ('${ORG}', 'Acme', now(), now());
    insert into events (org_id, id, sequence, type, subject_id, body, created_at)
    values ${event(1)}, ${event(2)}, ${event(3)};
    insert into deliveries (org_id, event_id, state)
    values ('${ORG}', '${id(1)}', 'failed'), ('${ORG}', '${id(3)}', 'pending');
    insert into delivery_attempts (org_id, event_id, number, url, request_headers, started_at,
                                   finished_at)
    values ('${ORG}', '${id(1)}', 1, 'https://hooks.example.com/', '{}', now(), now())`
}
