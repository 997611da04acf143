// Writes client-python/src/sluice/_generated.py from the service's OpenAPI document. With --check it
// writes nothing and fails if the file is stale.
import '../bench/typescript.mjs'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const TARGET = new URL('../client-python/src/sluice/_generated.py', import.meta.url)

const { isRepeatable } = await import('../client/src/retry.ts')
const { openApiDocument } = await import('../service/src/api/openapi/openapi.ts')
const { generatePython } = await import('./python/generate.ts')

const fresh = generatePython(openApiDocument(), ({ operationId, method }) =>
  isRepeatable(operationId, method),
)
if (!process.argv.includes('--check')) {
  writeFileSync(TARGET, fresh)
} else if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== fresh) {
  console.error(
    'client-python/src/sluice/_generated.py is stale; run `node tools/generate-python.mjs`',
  )
  process.exitCode = 1
}
