import { createServer } from 'node:net'
import type { SandboxSettings } from './settings.ts'

/** Throws a sentence that names every port in use and the variable that changes it. */
export async function requireFreePorts({ ports }: SandboxSettings): Promise<void> {
  const taken: string[] = []
  for (const { port, variable } of Object.values(ports)) {
    if (!(await isFree(port))) taken.push(`Port ${port} is in use: set ${variable} to another one.`)
  }
  if (taken.length > 0) throw new Error(taken.join('\n'))
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
