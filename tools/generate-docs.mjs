// Writes docs/errors.md, docs/events.md and docs/llms.txt from the definitions in `wire`. Run it
// after a change of an error, an event, an operation or a page.
import '../bench/typescript.mjs'
import { writeFileSync } from 'node:fs'

const { errorsPage } = await import('../service/src/api/docs/error-catalogue.ts')
const { eventsPage } = await import('../service/src/api/docs/event-catalogue.ts')
const { contentsText } = await import('../service/src/api/docs/contents.ts')
const { readPages } = await import('../service/src/api/docs/files.ts')

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('errors.md', docs), errorsPage())
writeFileSync(new URL('events.md', docs), eventsPage())
writeFileSync(new URL('llms.txt', docs), contentsText(readPages()))
