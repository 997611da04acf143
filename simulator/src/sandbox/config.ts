import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type BitcoinPlan, bitcoinIdOf, bitcoinUrlOf } from './bitcoin.ts'
import { PLANS } from './plans.ts'
import type { SandboxSettings } from './settings.ts'
import { TRON_ID } from './tron.ts'
import { XRPL_ID } from './xrpl.ts'

/** Blocks above a deposit's own that settle it. */
export const CONFIRMATIONS = 3
const POLL_MS = 200
const AUDIT_MS = 10_000

/** The Bitcoin chain that the settings choose. */
export function bitcoinPlan({ folder, ports, bitcoind }: SandboxSettings): BitcoinPlan {
  return { folder, port: ports.bitcoin.port, bitcoind }
}

/** From the first block on, so that a chain is never read from the middle of a payment. */
function followed(node: string) {
  return { nodes: [node], confirmations: CONFIRMATIONS, startHeight: 1, explorer: null }
}

/** Writes the service's configuration, an ordinary one, and returns its path. */
export async function writeConfig(settings: SandboxSettings): Promise<string> {
  const { folder, ports } = settings
  const coins = bitcoinPlan(settings)
  const path = resolve(join(folder, 'sluice.config.json'))
  const config = {
    environment: 'development',
    dataFolder: resolve(join(folder, 'data')),
    seedPassphrase: 'the sandbox keeps nothing of worth',
    port: ports.service.port,
    publicUrl: `http://localhost:${ports.service.port}`,
    metricsPort: ports.metrics.port,
    logLevel: 'warn',
    apiKeyMayConfigure: true,
    webhookDevOrigins: [`http://127.0.0.1:${ports.receiver.port}`, ...settings.webhookOrigins],
    testCodesUrl: `http://127.0.0.1:${ports.control.port}/totp`,
    pollMs: POLL_MS,
    auditMs: AUDIT_MS,
    // A hundred times what the service allows by default: a play must not be stopped by haste.
    limitReads: 60_000,
    limitWrites: 12_000,
    limitDepositAddresses: 30_000,
    limitLogInsPerUser: 500,
    limitLogInsPerAddress: 2_000,
    chains: {
      ...Object.fromEntries(
        (['sepolia', 'bsc'] as const).map((name) => [
          `eip155:${PLANS[name].reference}`,
          followed(`http://127.0.0.1:${ports[name].port}`),
        ]),
      ),
      [bitcoinIdOf(coins)]: followed(bitcoinUrlOf(coins)),
      [TRON_ID]: followed(`http://127.0.0.1:${ports.tron.port}`),
      [XRPL_ID]: {
        nodes: [
          {
            url: `http://127.0.0.1:${ports.xrpl.port}`,
            ws: `ws://127.0.0.1:${ports.xrpl.port}`,
          },
        ],
        startHeight: 3,
        explorer: null,
      },
    },
  }
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  return path
}
