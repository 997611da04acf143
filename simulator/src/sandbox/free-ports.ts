import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { SandboxSettings } from './settings.ts'

/** Processes of an earlier sandbox end within this time. */
const GONE_MS = 3_000
/** After a kill, its service has ten seconds to stop before it is killed. */
const KILLED_MS = 15_000
const LOOK_MS = 200

/** Throws a sentence that names every port in use and the variable that changes it. */
export async function requireFreePorts(settings: SandboxSettings): Promise<void> {
  const patience = wasKilled(settings) ? KILLED_MS : GONE_MS
  for (let waited = 0; ; waited += LOOK_MS) {
    const taken = await takenOf(settings)
    if (taken.length === 0) return
    if (waited >= patience) throw new Error(taken.join('\n'))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Its database was not stopped, or not yet. */
function wasKilled({ folder }: SandboxSettings): boolean {
  return existsSync(join(folder, 'data', 'data', 'postmaster.pid'))
}

async function takenOf({ ports }: SandboxSettings): Promise<string[]> {
  const taken: string[] = []
  for (const { port, variable } of Object.values(ports)) {
    if (!(await isFree(port))) taken.push(`Port ${port} is in use: set ${variable} to another one.`)
  }
  return taken
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
