import { expect, onTestFinished, test } from 'vitest'
import { uuids } from '../../src/base/id.ts'
import { verifyAudit } from '../../src/audit-log/verify-audit.ts'
import { readBackup } from '../../src/store/backup.ts'
import { openDatabase } from '../../src/store/database.ts'
import { restoreBackup } from '../../src/store/restore.ts'
import { sealEverything, writeEntries } from '../support/audit-log.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { makeEmptyDatabase, openTestDatabase } from '../support/database.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)

const log = silentLog()

/** A database without tables, and the way in. */
async function open() {
  const empty = await makeEmptyDatabase()
  const { urls } = empty
  const clock = new ManualClock()
  const ids = uuids(clock, new SeededRandom('sealed'))
  const database = openDatabase({ urls, clock, ids, log })
  onTestFinished(async () => {
    await database.close()
    await empty.drop()
  })
  return { database, urls, clock, target: { ownerUrl: urls.owner, folder: MIGRATIONS, log } }
}

test('the chain continues after a restore, and lost heads do not match [O03]', async () => {
  const before = await openTestDatabase()
  onTestFinished(() => before.close())
  await writeEntries(before, 3)
  const saved = await sealEverything(before)
  await writeEntries(before, 1)
  const lines: string[] = []
  const options = { ownerUrl: before.urls.owner, program: '1.2.3', seed: '00c0ffee', now: 0 }
  await readBackup(options, async (line) => void lines.push(line))
  await writeEntries(before, 2)
  const lost = await sealEverything(before)

  const after = await open()
  const restoring = { isVacant: async () => true, settle: async () => undefined }
  await restoreBackup({ ...after.target, ...restoring }, each(lines))
  await sealEverything(after)
  const verify = async (head: typeof lost) =>
    (await verifyAudit(after.database, { heads: [saved, head] })).wrong
  expect(await verify(saved)).toBeNull()
  expect(await verify(lost)).toMatchObject({ reason: 'truncated', sequence: 5, until: 6 })
  await after.clock.advance(1_000)
  await writeEntries(after, 3)
  await sealEverything(after)
  expect(await verify(saved)).toBeNull()
  expect(await verify(lost)).toMatchObject({ reason: 'rewritten', sequence: 6, since: 3 })
})

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
