import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { shut } from '../listen.ts'
import { type SandboxChain, startChain } from './chains.ts'
import { writeConfig } from './config.ts'
import { serveControl } from './control.ts'
import { requireFreePorts } from './free-ports.ts'
import { foundTenant } from './tenant.ts'
import { type ServiceProcess, sluice, startService } from './service.ts'
import type { SandboxSettings } from './settings.ts'
import { type SandboxState, forget, readState, writeState } from './state.ts'
import { type WebhookLog, startWebhookLog } from './webhook-log.ts'

/** A running sandbox. */
export interface Sandbox {
  state: SandboxState
  /** Resolves when the service ends by itself. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/**
 * Starts everything, on 127.0.0.1 only: two chains, the service on its embedded database, a webhook receiver and the
 * control endpoint. A second start goes on where the last one ended; `fresh` forgets it. Throws a sentence where a port
 * is taken.
 */
export async function startSandbox(
  settings: SandboxSettings,
  tell: (line: string) => void,
): Promise<Sandbox> {
  const { folder, ports } = settings
  await requireFreePorts(settings)
  if (settings.fresh) await forget(folder)
  await mkdir(folder, { recursive: true })
  const opened: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of opened.toReversed()) await close()
  }
  try {
    const chains = await startChains(settings)
    opened.push(
      ...chains.map(
        ({ anvil }) =>
          () =>
            anvil.stop(),
      ),
    )
    const webhooks = await startWebhookLog(ports.receiver.port, tell)
    opened.push(() => webhooks.stop())
    const baseUrl = `http://127.0.0.1:${ports.service.port}`
    const { service, configFile } = await startServiceOf(settings, chains, baseUrl)
    opened.push(() => service.stop())
    const state = await standingState(settings, { chains, webhooks, baseUrl, configFile })
    const control = await serveControl({ chains, webhooks, state }, ports.control.port)
    opened.push(() => shut(control))
    return { state, ended: service.ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function startChains({ folder, ports }: SandboxSettings): Promise<SandboxChain[]> {
  const sepolia = { reference: 11155111, port: ports.sepolia.port, nativeSymbol: 'ETH' }
  const bsc = { reference: 97, port: ports.bsc.port, nativeSymbol: 'tBNB' }
  return Promise.all([
    startChain({ ...sepolia, tokenDecimals: 6, folder }),
    startChain({ ...bsc, tokenDecimals: 18, folder }),
  ])
}

async function startServiceOf(
  settings: SandboxSettings,
  chains: readonly SandboxChain[],
  baseUrl: string,
): Promise<{ service: ServiceProcess; configFile: string }> {
  const configFile = await writeConfig(settings, chains)
  const hasSeed = await readState(settings.folder)
  if (hasSeed === null) {
    // Keys of a start that was cut short would be in the way of the new ones.
    await rm(join(settings.folder, 'data'), { recursive: true, force: true })
    await sluice(configFile, ['keys', 'init', '--yes'])
  }
  return { service: await startService(configFile, baseUrl), configFile }
}

/** The organization of last time, or a new one; the receiver learns the secret that verifies its webhooks. */
async function standingState(
  settings: SandboxSettings,
  given: {
    chains: readonly SandboxChain[]
    webhooks: WebhookLog
    baseUrl: string
    configFile: string
  },
): Promise<SandboxState> {
  const { chains, webhooks, baseUrl, configFile } = given
  const before = await readState(settings.folder)
  const tenant = before ?? (await foundTenant({ configFile, baseUrl, webhookUrl: webhooks.url }))
  const state: SandboxState = {
    baseUrl,
    controlUrl: `http://127.0.0.1:${settings.ports.control.port}`,
    apiKey: tenant.apiKey,
    organization: tenant.organization,
    users: tenant.users,
    chains: chains.map(({ chainId }) => chainId),
    tokens: chains.flatMap(({ native, token }) =>
      [native, token].map(({ id, chainId, symbol, decimals }) => ({
        id,
        chainId,
        symbol,
        decimals,
      })),
    ),
  }
  await writeState(settings.folder, state)
  const organization = await askService(baseUrl, state.apiKey, '/organisation')
  webhooks.expect(String(organization['webhookSigningSecret']))
  return state
}

async function askService(
  baseUrl: string,
  apiKey: string,
  path: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}
