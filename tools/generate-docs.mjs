// Writes docs/errors.md, docs/events.md and docs/llms.txt from the tables that the program itself
// answers by. Run it after a change of an error, an event or a page.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('build.mjs', import.meta.url)), '--if-stale'],
  { stdio: 'inherit' },
)
if (built.status !== 0) process.exit(built.status ?? 1)

const { errorsPage } = await import('../service/dist/api/docs/error-catalogue.js')
const { eventsPage } = await import('../service/dist/api/docs/event-catalogue.js')
const { contentsText } = await import('../service/dist/api/docs/contents.js')
const { readPages } = await import('../service/dist/api/docs/files.js')

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('errors.md', docs), errorsPage())
writeFileSync(new URL('events.md', docs), eventsPage())
writeFileSync(new URL('llms.txt', docs), contentsText(readPages()))
