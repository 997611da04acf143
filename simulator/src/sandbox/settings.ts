/** Where the sandbox listens and keeps what it makes. */
export interface SandboxSettings {
  folder: string
  /** Each port with the variable that changes it. */
  ports: Record<PortName, { port: number; variable: string }>
  fresh: boolean
}

export type PortName = 'service' | 'metrics' | 'control' | 'receiver' | 'sepolia' | 'bsc'

const PORTS: Record<PortName, [variable: string, port: number]> = {
  service: ['SLUICE_PORT', 8080],
  metrics: ['SLUICE_METRICS_PORT', 9464],
  control: ['SANDBOX_CONTROL_PORT', 8090],
  receiver: ['SANDBOX_RECEIVER_PORT', 8091],
  sepolia: ['SANDBOX_SEPOLIA_PORT', 8545],
  bsc: ['SANDBOX_BSC_PORT', 8546],
}

/**
 * Reads the command line and the variables. Throws a sentence that names the variable that is
 * wrong.
 */
export function readSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SandboxSettings {
  const unknown = args.find((arg) => arg !== '--fresh')
  if (unknown !== undefined) {
    throw new Error(`${unknown} is no option of the sandbox; there is --fresh, to begin anew`)
  }
  const ports = Object.entries(PORTS).map(([name, [variable, standard]]) => [
    name,
    { variable, port: readPort(variable, env[variable], standard) },
  ])
  return {
    folder: env['SANDBOX_FOLDER'] ?? '.sluice',
    ports: Object.fromEntries(ports) as SandboxSettings['ports'],
    fresh: args.includes('--fresh'),
  }
}

function readPort(variable: string, given: string | undefined, standard: number): number {
  if (given === undefined) return standard
  const port = Number(given)
  if (/^[0-9]{1,5}$/.test(given) && port >= 1 && port <= 65_535) return port
  throw new Error(`${variable} must be a port from 1 to 65535, not ${given}`)
}
