import { createServer } from 'node:net'
import type { SandboxSettings } from './settings.ts'

/** What a sandbox that was killed has left behind goes away by itself in this time. */
const GONE_MS = 3_000
const LOOK_MS = 200

/** Throws a sentence that names every port in use and the variable that changes it. */
export async function requireFreePorts(settings: SandboxSettings): Promise<void> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const taken = await takenOf(settings)
    if (taken.length === 0) return
    if (waited >= GONE_MS) throw new Error(taken.join('\n'))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
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
