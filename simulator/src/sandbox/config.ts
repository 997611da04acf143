import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SandboxChain } from './chains.ts'
import type { SandboxSettings } from './settings.ts'

const CONFIRMATIONS = 3
const POLL_MS = 200

/** Writes the service's configuration, an ordinary one, and gives its path. */
export async function writeConfig(
  { folder, ports }: SandboxSettings,
  chains: readonly SandboxChain[],
): Promise<string> {
  const path = resolve(join(folder, 'sluice.config.json'))
  const data = resolve(join(folder, 'data'))
  const config = {
    environment: 'development',
    dataFolder: data,
    seedPassphrase: 'the sandbox keeps nothing of worth',
    port: ports.service.port,
    metricsPort: ports.metrics.port,
    apiKeyMayConfigure: true,
    webhookDevOrigins: [`http://127.0.0.1:${ports.receiver.port}`],
    pollMs: POLL_MS,
    auditMs: 10_000,
    chains: Object.fromEntries(
      chains.map(({ chainId, anvil }) => [
        chainId,
        // From the first block on, so that a chain is never read from the middle of a payment.
        { nodes: [anvil.url], confirmations: CONFIRMATIONS, startHeight: 1 },
      ]),
    ),
    tokens: chains.map(({ token: { id, name, symbol, decimals } }) => ({
      id,
      name,
      symbol,
      decimals,
    })),
  }
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  return path
}
