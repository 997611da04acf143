import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { keepInMemory } from './tools/memory-folder.ts'

keepInMemory()

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests read the sources of the other workspaces, so that no build is needed after an edit. */
const alias = {
  '@sluice/wire': at('./wire/src/index.ts'),
  '@sluice/json-scan': at('./json-scan/src/index.ts'),
  '@sluice/client': at('./client/src/index.ts'),
  '@sluice/signer': at('./signer/src/index.ts'),
  '@sluice/simulator': at('./simulator/src/index.ts'),
}

const FAMILIES = ['bitcoin', 'evm', 'tron', 'xrpl']

/** The only files of these folders that `npm test` (mode `short`) runs; `test:long` runs all. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  flows: [
    ...FAMILIES.flatMap((family) => [`deposit-${family}`, `withdrawal-${family}`]),
    'docs-page',
    'sign-in',
    'sweep-evm',
    'tenancy',
    'trace',
    'webhooks',
  ],
  processes: ['commands', 'image', 'secrets', 'serve'],
  simulation: ['chains/*', 'planted/bugs', 'seeds', 'turns'],
}
/** Files that only `test:long` runs. */
const LONG = [
  'service/src/api/openapi/limits.test.ts',
  'service/src/orgs/names-in-case.test.ts',
  'service/src/transactions/{kill,once}.test.ts',
  'service/test/contract/{limits,tenants}.test.ts',
  'service/test/store/embedded.test.ts',
  'tools/samples/{client-package,client-readme,verify-webhooks}.test.ts',
]

const LONG_SUITES = [
  ['thief', 120_000],
  ['faults', 120_000],
  ['reorgs', 900_000],
  ['crash', 120_000],
] as const

/** Files share their modules: loading them again for each file took half of the time (measured). */
const SHARED = { isolate: false }

export default defineConfig(({ mode }) => {
  const isShort = mode === 'short'
  const project = (name: string, include: string[], more: object = {}) => ({
    resolve: { alias },
    test: {
      name,
      include,
      exclude: ['**/node_modules/**', '**/dist/**', ...(isShort ? LONG : [])],
      env: { SLUICE_TEST_TIER: isShort ? 'short' : 'long' },
      setupFiles: [at('./tools/vitest-worker.ts')],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      ...more,
    },
  })
  const suite = (name: string, testTimeout = 30_000, more: object = SHARED) => {
    const files = (isShort ? SHORT[name] : undefined) ?? ['**/*']
    const include = files.map((file) => `service/test/${name}/${file}.test.ts`)
    return project(name, include, { testTimeout, ...more })
  }
  return {
    test: {
      maxWorkers: 2,
      globalSetup: [at('./service/test/support/postgres.ts')],
      reporters: ['default', at('./tools/closing-line.ts')],
      projects: [
        project(
          'unit',
          ['{wire,json-scan,service,client,dashboard,simulator,signer}/src/**/*.test.ts'],
          {
            testTimeout: 120_000,
            ...SHARED,
          },
        ),
        project('tools', ['tools/**/*.test.ts'], {
          testTimeout: 120_000,
          // The hooks build and pack the client.
          hookTimeout: 300_000,
          ...SHARED,
        }),
        suite('adapters'),
        suite('store'),
        suite('fixtures'),
        suite('flows', 120_000),
        suite('soak', 30_000, {}),
        suite('simulation', 120_000, {}),
        suite('processes', 120_000),
        ...(isShort ? [] : LONG_SUITES.map(([name, limitMs]) => suite(name, limitMs))),
        suite('contract', 90_000, {
          globalSetup: [at('./service/test/contract/world/setup.ts')],
          // After all others: the product that it starts runs on until the end.
          sequence: { groupOrder: 1 },
          // Its tests wait for blocks and webhooks more than they compute.
          maxWorkers: 3,
          ...SHARED,
        }),
      ],
    },
  }
})
