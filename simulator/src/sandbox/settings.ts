import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Listening ports and the folder of the sandbox. */
export interface SandboxSettings {
  folder: string
  /** Each port with the variable that changes it. */
  ports: Record<PortName, { port: number; variable: string }>
  fresh: boolean
  /** Receivers of webhooks that the service lets through beside the sandbox's own. */
  webhookOrigins: string[]
  /** The program of a real Bitcoin node; null for the simulated one. */
  bitcoind: string | null
}

export type PortName =
  | 'service'
  | 'metrics'
  | 'control'
  | 'receiver'
  | 'sepolia'
  | 'bsc'
  | 'bitcoin'
  | 'xrpl'
  | 'tron'

const PORTS: Record<PortName, [variable: string, port: number]> = {
  service: ['SLUICE_PORT', 8080],
  metrics: ['SLUICE_METRICS_PORT', 9464],
  control: ['SANDBOX_CONTROL_PORT', 8090],
  receiver: ['SANDBOX_RECEIVER_PORT', 8091],
  sepolia: ['SANDBOX_SEPOLIA_PORT', 8545],
  bsc: ['SANDBOX_BSC_PORT', 8546],
  bitcoin: ['SANDBOX_BITCOIN_PORT', 18332],
  xrpl: ['SANDBOX_XRPL_PORT', 5005],
  tron: ['SANDBOX_TRON_PORT', 8190],
}

/** The variables that change the ports. */
export const PORT_VARIABLES = Object.values(PORTS).map(([variable]) => variable)

const OPTIONS = ['--fresh', '--bitcoind']

/**
 * Reads the command line and the variables. Throws a sentence that names the variable that is
 * wrong.
 */
export function readSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SandboxSettings {
  const unknown = args.find((arg) => !OPTIONS.includes(arg))
  if (unknown !== undefined) {
    const known = '--fresh, to start over, and --bitcoind, for a real Bitcoin node'
    throw new Error(`${unknown} is no option of the sandbox; there is ${known}`)
  }
  const ports = Object.entries(PORTS).map(([name, [variable, standard]]) => [
    name,
    { variable, port: readPort(variable, env[variable], standard) },
  ])
  return {
    folder: env['SANDBOX_FOLDER'] ?? '.sluice',
    ports: Object.fromEntries(ports) as SandboxSettings['ports'],
    fresh: args.includes('--fresh'),
    webhookOrigins: readOrigins(env),
    bitcoind: args.includes('--bitcoind') ? findBitcoind(env) : null,
  }
}

/** The program that `tools/get-bitcoind.sh` brings, or the one that the environment names. */
function findBitcoind(env: Readonly<Record<string, string | undefined>>): string {
  const cache = env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache')
  const program = env['SLUICE_BITCOIND'] ?? join(cache, 'sluice', 'bitcoind', 'bitcoind')
  if (existsSync(program)) return program
  throw new Error(`There is no bitcoind at ${program}; bash tools/get-bitcoind.sh brings one.`)
}

const ORIGINS = 'SANDBOX_WEBHOOK_ORIGINS'

/** Origins between commas, as the service compares them: with no path. */
function readOrigins(env: Readonly<Record<string, string | undefined>>): string[] {
  const origins = (env[ORIGINS] ?? '').split(',').map((text) => text.trim())
  return origins
    .filter((text) => text !== '')
    .map((text) => {
      const url = URL.canParse(text) ? new URL(text) : null
      if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
        return url.origin
      throw new Error(`${ORIGINS} must be origins like http://127.0.0.1:3000, not ${text}`)
    })
}

function readPort(variable: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard
  const port = Number(text)
  if (/^[0-9]{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new Error(`${variable} must be a port from 1 to 65535, not ${text}`)
}
