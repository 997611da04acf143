import type { TestProject } from 'vitest/node'
import { openContractWorld } from './open.ts'
import { build } from './programs.ts'

/** One product for a whole run of the suite, started before its first test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  build()
  const opened = await openContractWorld()
  project.provide('contractWorld', opened.world)
  return () => opened.close()
}
