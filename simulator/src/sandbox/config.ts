import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PLANS } from './plans.ts'
import type { SandboxSettings } from './settings.ts'

/** Blocks above a deposit's own that settle it. */
export const CONFIRMATIONS = 3
const POLL_MS = 200
const AUDIT_MS = 10_000

/** Writes the service's configuration, an ordinary one, and gives its path. */
export async function writeConfig({ folder, ports }: SandboxSettings): Promise<string> {
  const path = resolve(join(folder, 'sluice.config.json'))
  const config = {
    environment: 'development',
    dataFolder: resolve(join(folder, 'data')),
    seedPassphrase: 'the sandbox keeps nothing of worth',
    port: ports.service.port,
    metricsPort: ports.metrics.port,
    logLevel: 'warn',
    apiKeyMayConfigure: true,
    webhookDevOrigins: [`http://127.0.0.1:${ports.receiver.port}`],
    pollMs: POLL_MS,
    auditMs: AUDIT_MS,
    // A hundred times what the service allows by default: a play must not be stopped by haste.
    limitReads: 60_000,
    limitWrites: 12_000,
    limitDepositAddresses: 30_000,
    limitLogInsPerUser: 500,
    limitLogInsPerAddress: 2_000,
    chains: Object.fromEntries(
      (['sepolia', 'bsc'] as const).map((name) => [
        `eip155:${PLANS[name].reference}`,
        {
          nodes: [`http://127.0.0.1:${ports[name].port}`],
          confirmations: CONFIRMATIONS,
          // From the first block on, so that a chain is never read from the middle of a payment.
          startHeight: 1,
        },
      ]),
    ),
  }
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  return path
}
