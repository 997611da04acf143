import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, PORT_VARIABLES } from '@sluice/simulator'
import { ROOT, type Started, cleanEnvironment, makeHome, start, until } from './program.ts'

const MAIN = join(ROOT, 'simulator', 'dist', 'sandbox', 'main.js')

/** The state file of a sandbox, for programs. */
export interface State {
  baseUrl: string
  controlUrl: string
  apiKey: string
  organization: { id: string; name: string }
  users: { id: string; username: string; password: string; totpSecret: string; role: string }[]
  chains: string[]
  tokens: { id: string; chainId: string; symbol: string; decimals: number }[]
}

/** A folder and free ports. */
export interface Place {
  folder: string
  env: Record<string, string>
}

/** A new place for a sandbox. */
export async function makePlace(): Promise<Place> {
  const folder = makeHome()
  const env: Record<string, string> = { SANDBOX_FOLDER: folder }
  for (const name of PORT_VARIABLES) env[name] = String(await freePort())
  return { folder, env }
}

export function startSandbox({ env }: Place, args: readonly string[] = []): Started {
  return start([MAIN, ...args], { ...cleanEnvironment(), ...env })
}

/** Waits until the sandbox greets, and gives what it has written down. */
export async function untilUp({ folder }: Place, sandbox: Started): Promise<State> {
  await until(
    'the sandbox to be up',
    () => {
      if (sandbox.child.exitCode !== null) throw new Error(`it ended: ${sandbox.output()}`)
      return sandbox.output().includes('Sluice runs at') ? true : null
    },
    () => sandbox.output(),
  )
  return JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8')) as State
}
