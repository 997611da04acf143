import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeOnDemand } from '../../support/on-demand.ts'
import { openContractWorld } from './open.ts'
import { build } from './programs.ts'

/**
 * One product for a whole run of the suite, started when its first test asks: it follows two chains
 * from then on, which would take from the tests of other suites.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-contract-door-'))
  const path = join(folder, 'door')
  const close = await makeOnDemand(path, async () => {
    await build()
    const opened = await openContractWorld()
    return { told: opened.world, close: () => opened.close() }
  })
  project.provide('contractWorldDoor', path)
  return async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
}
