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
  '@sluice/json-scan': at('./json-scan/src/index.ts'),
  '@sluice/client': at('./client/src/index.ts'),
  '@sluice/simulator': at('./simulator/src/index.ts'),
}

/**
 * The long proofs. `npm test` (mode `short`) leaves them out; `npm run test:long` runs everything.
 * The short tier keeps every unit, store, adapter, contract and thief test, a deposit and a
 * withdrawal of each family from block to webhook, ten seeds of the simulation, and the program as
 * it is started.
 */
const LONG = [
  'service/test/crash/**',
  'service/test/reorgs/**',
  'service/test/faults/{alerts,audit,branches,database,forbidden-targets,incomplete}.test.ts',
  'service/test/faults/{missing-history,nonsense,shorter-branch,tenants,tron}.test.ts',
  'service/test/faults/{unserved-state,wrong-chain}.test.ts',
  'service/test/flows/{audit-tron,batch,coins-bitcoin,confirmations,dear-bitcoin}.test.ts',
  'service/test/flows/{dear-payments-evm,each-by-itself,energy-tron,event-order}.test.ts',
  'service/test/flows/{forgetful-node-evm,forgotten-bitcoin,forgotten-evm,joined-bitcoin}.test.ts',
  'service/test/flows/{kill-xrpl,kinds-bitcoin,kinds-of-transactions,long-answers-evm}.test.ts',
  'service/test/flows/{node-faults,office,operator,poisoned-evm,poisoned-others}.test.ts',
  'service/test/flows/{refused-xrpl,rescan,resume-tron,short-coins,sign-in-limits}.test.ts',
  'service/test/flows/{small-xrpl,spends-anvil,stuck-evm,submissions-xrpl}.test.ts',
  'service/test/flows/{sweep-killed,sweep-many,sweep-refused,taproot-bitcoin}.test.ts',
  'service/test/flows/{tickets-xrpl,twins-bitcoin,twins-tron,two-chains,unlisted-tron}.test.ts',
  'service/test/flows/{unswept-evm,untold-bitcoin,unusable-evm,waiting-bitcoin}.test.ts',
  'service/test/flows/{waiting-xrpl,withdrawal-parallel,withdrawal-races}.test.ts',
  'service/test/processes/{backup,failover,give-up,hostile-database,recover}.test.ts',
  'service/test/processes/{restore-drill,sandbox-bitcoin,service-key,trace-command}.test.ts',
  'service/test/simulation/{coverage,minimise}.test.ts',
  'service/test/simulation/planted/found.test.ts',
]

/** Files share their modules: to load them anew for each took half of the time (measured). */
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
  const suite = (name: string, testTimeout = 30_000, more: object = SHARED) =>
    project(name, [`service/test/${name}/**/*.test.ts`], { testTimeout, ...more })
  return {
    test: {
      maxWorkers: 2,
      globalSetup: [at('./service/test/support/postgres.ts')],
      reporters: ['default', at('./tools/closing-line.ts')],
      projects: [
        project('unit', ['{wire,json-scan,service,client,dashboard,simulator}/src/**/*.test.ts'], {
          testTimeout: 120_000,
          ...SHARED,
        }),
        project('tools', ['tools/**/*.test.ts'], {
          testTimeout: 120_000,
          // The hooks build and pack the client.
          hookTimeout: 300_000,
          ...SHARED,
        }),
        suite('adapters'),
        suite('store'),
        suite('fixtures'),
        suite('thief', 120_000),
        suite('flows', 120_000),
        suite('faults', 120_000),
        suite('soak', 30_000, {}),
        suite('simulation', 120_000, {}),
        suite('processes', 120_000),
        ...(isShort ? [] : [suite('reorgs', 900_000), suite('crash', 120_000)]),
        suite('contract', 90_000, {
          globalSetup: [at('./service/test/contract/world/setup.ts')],
          // After all others: the product that it starts runs on until the end.
          sequence: { groupOrder: 1 },
          ...SHARED,
        }),
      ],
    },
  }
})
