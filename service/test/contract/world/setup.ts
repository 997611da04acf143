import type { TestProject } from 'vitest/node'
import { makeOnDemand } from '../../support/on-demand.ts'
import { openContractWorld } from './open.ts'
import { build } from './programs.ts'

/**
 * One product for a whole run of the suite, started when its first test asks: it follows two chains
 * from then on, which would take from the tests of other suites.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { door, close } = await makeOnDemand(async () => {
    await build()
    const opened = await openContractWorld()
    return { told: opened.world, close: () => opened.close() }
  })
  project.provide('contractWorldDoor', door)
  return close
}
