// Writes config.example.json and docs/configuration.md from the settings that the program knows.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('build.mjs', import.meta.url)), '--if-stale'],
  { stdio: 'inherit' },
)
if (built.status !== 0) process.exit(built.status ?? 1)

const { configExample, configPage } = await import('../service/dist/app/config-docs.js')

const root = new URL('../', import.meta.url)
mkdirSync(new URL('docs/', root), { recursive: true })
writeFileSync(new URL('config.example.json', root), configExample())
writeFileSync(new URL('docs/configuration.md', root), configPage())
