import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { keepInMemory } from './tools/memory-folder.ts'

keepInMemory()

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Tests read the sources of the other workspaces, so that no build stands between an edit and its
 * test.
 */
const alias = {
  '@sluice/wire': at('./wire/src/index.ts'),
  '@sluice/client': at('./client/src/index.ts'),
  '@sluice/simulator': at('./simulator/src/index.ts'),
}

const project = (name: string, include: string[], more: object = {}) => ({
  resolve: { alias },
  test: {
    name,
    include,
    setupFiles: [at('./tools/vitest-worker.ts')],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    ...more,
  },
})

/** Files share their modules: to load them anew for each took half of the time (measured). */
const SHARED = { isolate: false }
const UNIT = ['{wire,service,client,dashboard,simulator}/src/**/*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: [at('./service/test/support/postgres.ts')],
    reporters: ['default', at('./tools/closing-line.ts')],
    projects: [
      project('unit', UNIT, SHARED),
      project('tools', ['tools/**/*.test.ts'], { testTimeout: 120_000, ...SHARED }),
      project('adapters', ['service/test/adapters/**/*.test.ts'], SHARED),
      project('store', ['service/test/store/**/*.test.ts'], SHARED),
      project('fixtures', ['service/test/fixtures/**/*.test.ts'], SHARED),
      project('flows', ['service/test/flows/**/*.test.ts'], { testTimeout: 120_000, ...SHARED }),
      project('reorgs', ['service/test/reorgs/**/*.test.ts'], { testTimeout: 900_000, ...SHARED }),
      project('faults', ['service/test/faults/**/*.test.ts'], { testTimeout: 120_000, ...SHARED }),
      project('crash', ['service/test/crash/**/*.test.ts'], { testTimeout: 120_000, ...SHARED }),
      project('thief', ['service/test/thief/**/*.test.ts'], { testTimeout: 120_000, ...SHARED }),
      project('soak', ['service/test/soak/**/*.test.ts']),
      project('simulation', ['service/test/simulation/**/*.test.ts'], { testTimeout: 120_000 }),
      project('processes', ['service/test/processes/**/*.test.ts'], {
        testTimeout: 120_000,
        ...SHARED,
      }),
      project('contract', ['service/test/contract/**/*.test.ts'], {
        globalSetup: [at('./service/test/contract/world/setup.ts')],
        // After all others: the product that it starts runs on until the end.
        sequence: { groupOrder: 1 },
        testTimeout: 90_000,
        ...SHARED,
      }),
    ],
  },
})
