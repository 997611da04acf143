// Writes service/migrations/schema.sql: what the migrations come to in a new database, read from
// its catalog.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const built = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('build.mjs', import.meta.url)), '--if-stale'],
  { stdio: 'inherit' },
)
if (built.status !== 0) process.exit(built.status ?? 1)

const { systemClock } = await import('../service/dist/base/clock.js')
const { openLog } = await import('../service/dist/base/log.js')
const { startEmbedded } = await import('../service/dist/store/embedded.js')
const { migrate } = await import('../service/dist/store/migrate.js')
const { readSchema } = await import('../service/dist/store/schema.js')

const migrations = new URL('../service/migrations/', import.meta.url)
const dataFolder = mkdtempSync(join(tmpdir(), 'sluice-schema-'))
chmodSync(dataFolder, 0o755)
const log = openLog({ level: 'warn', pretty: false })
const settings = { fsync: 'off' }
const server = await startEmbedded({ dataFolder, log, clock: systemClock, settings })
try {
  await migrate({ ownerUrl: server.urls.owner, folder: migrations, log })
  writeFileSync(new URL('schema.sql', migrations), await readSchema(server.urls.owner))
} finally {
  await server.stop()
  rmSync(dataFolder, { recursive: true, force: true })
}
