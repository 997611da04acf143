import { join } from 'node:path'
import { shut } from '../listen.ts'
import { startBitcoin } from './bitcoin.ts'
import { type SandboxChain, openChain, startNode } from './chains.ts'
import { bitcoinPlan, writeConfig } from './config.ts'
import { serveControl } from './control.ts'
import { requireFreePorts } from './free-ports.ts'
import { GasKeeper } from './gas.ts'
import { launch, sluice } from './launch.ts'
import { PLANS } from './plans.ts'
import type { SandboxSettings } from './settings.ts'
import {
  type SandboxState,
  claim,
  forget,
  forgetInstallation,
  readState,
  writeState,
} from './state.ts'
import { late, untilTokensOffered } from './offered.ts'
import { foundTenant, readOrganization, setWebhookUrl } from './tenant.ts'
import { SYSTEM_TIME, TotpCodes } from './totp.ts'
import { type WebhookLog, startWebhookLog } from './webhook-log.ts'
import { startTron } from './tron.ts'
import { startXrpl } from './xrpl.ts'

/** A running sandbox. */
export interface Sandbox {
  state: SandboxState
  configFile: string
  /** The log of the service. */
  logFile: string
  /** Resolves when the service ends on its own. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/** The parts of a running sandbox. */
interface World {
  chains: readonly SandboxChain[]
  state: SandboxState
  configFile: string
}

/** Opened resources, closed in reverse order. */
class Opened {
  readonly #closers: (() => Promise<void>)[] = []

  async add<T>(opening: Promise<T>, close: (opened: T) => Promise<void>): Promise<T> {
    const opened = await opening
    this.#closers.push(() => close(opened))
    return opened
  }

  /** Closes all; failures, as of a removed folder, are thrown at the end. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closers.splice(0).toReversed()) {
      await close().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
}

/**
 * Starts everything, on 127.0.0.1 only: the chains, the service on its embedded database, a webhook
 * receiver and the control endpoint. A later start continues the last one; `fresh` deletes it.
 * Throws an Error if a port is taken.
 */
export async function startSandbox(
  settings: SandboxSettings,
  tell: (line: string) => void,
): Promise<Sandbox> {
  const { folder, ports } = settings
  await requireFreePorts(settings)
  tell('Starting the test chains (up to a minute in total)...')
  await claim(folder)
  if (settings.fresh) await forget(folder)
  const opened = new Opened()
  try {
    const configFile = await writeConfig(settings)
    const [chains] = await Promise.all([
      startChains(settings, opened),
      makeKeys(settings, configFile),
    ])
    tell(`Test chains are running: ${chains.length}. Starting the service...`)
    const receiver = startWebhookLog({ port: ports.receiver.port, folder }, tell)
    const webhooks = await opened.add(receiver, (log) => log.stop())
    const baseUrl = `http://127.0.0.1:${ports.service.port}`
    const logFile = join(folder, 'service.log')
    const launched = launch(configFile, { baseUrl, logFile })
    const service = await opened.add(launched, (one) => one.stop())
    tell('The service is running. Waiting for deposit addresses on every chain...')
    const codes = new TotpCodes()
    const state = await standingState(settings, { chains, baseUrl, configFile, codes })
    await connect(state, webhooks, tell)
    const world = { chains, state, configFile }
    const [gas] = await Promise.all([keepGas(world, opened, tell), untilOffered(world, tell)])
    const control = serveControl({ chains, webhooks, state, gas, codes }, ports.control.port)
    await opened.add(control, (server) => shut(server))
    return { state, configFile, logFile, ended: service.ended, stop: () => opened.close() }
  } catch (error) {
    await opened.close().catch(() => undefined)
    throw error
  }
}

async function startChains(settings: SandboxSettings, opened: Opened): Promise<SandboxChain[]> {
  const { folder, ports } = settings
  const selling = (['sepolia', 'bsc'] as const).map(async (name) => {
    const node = startNode(PLANS[name], { port: ports[name].port, folder })
    return openChain(await opened.add(node, (anvil) => anvil.stop()), PLANS[name])
  })
  const coins = opened.add(startBitcoin(bitcoinPlan(settings)), (one) => one.stop())
  const tagged = opened.add(startXrpl({ port: ports.xrpl.port, folder }), (one) => one.stop())
  const tron = opened.add(startTron({ port: ports.tron.port, folder }), (one) => one.stop())
  const others = [coins, tagged, tron].map(async (one) => (await one).chain)
  const chains = [...selling, ...others]
  // Waits for all, so that none starts after the others were closed.
  await Promise.allSettled(chains)
  return Promise.all(chains)
}

/** Waits until the service issues deposit addresses on every chain that it follows. */
async function untilOffered(
  { chains, state, configFile }: World,
  tell: (line: string) => void,
): Promise<void> {
  const prepared = chains.map(async (chain) => {
    await Promise.race([chain.prepare?.(state, configFile), late(chain.chainId)])
  })
  const results = await Promise.allSettled([...prepared, untilTokensOffered(state)])
  for (const result of results) {
    if (result.status === 'rejected') tell(`Not ready for deposits: ${String(result.reason)}`)
  }
}

/** The first start makes keys; leftovers of an interrupted start would be in their way. */
async function makeKeys({ folder }: SandboxSettings, configFile: string): Promise<void> {
  if ((await readState(folder)) !== null) return
  await forgetInstallation(folder)
  // The database too, here, that the service finds it made: all this goes on beside the chains.
  await Promise.all([
    sluice(configFile, ['keys', 'init', '--yes']),
    sluice(configFile, ['migrate']),
  ])
}

/** The organization of last time, or a new one. */
async function standingState(
  { folder, ports }: SandboxSettings,
  options: {
    chains: readonly SandboxChain[]
    baseUrl: string
    configFile: string
    codes: TotpCodes
  },
): Promise<SandboxState> {
  const { chains, codes, ...service } = options
  const { baseUrl } = service
  const { apiKey, organization, users } =
    (await readState(folder)) ?? (await foundTenant(service, codes, SYSTEM_TIME))
  const state: SandboxState = {
    baseUrl,
    controlUrl: `http://127.0.0.1:${ports.control.port}`,
    apiKey,
    organization,
    users,
    chains: chains.map(({ chainId }) => chainId),
    tokens: chains.flatMap(({ tokens }) =>
      tokens.map(({ id, chainId, symbol, decimals }) => ({ id, chainId, symbol, decimals })),
    ),
  }
  await writeState(folder, state)
  return state
}

/** Without the key everything else works; only the gas wallets have to be filled by hand. */
async function keepGas(
  world: World,
  opened: Opened,
  tell: (line: string) => void,
): Promise<GasKeeper | null> {
  try {
    return await opened.add(GasKeeper.start(world), (gas) => gas.stop())
  } catch (error) {
    const mend =
      'Put the organization’s API key into sandbox.json as apiKey, or start with --fresh.'
    tell(`The gas wallets are not kept filled: ${String(error)}. ${mend}`)
    return null
  }
}

/** The receiver, on any port; another URL is kept. */
const RECEIVER = /^http:\/\/127\.0\.0\.1:[0-9]+\/webhooks$/

/** Points the service to the receiver, and lets the receiver fetch the signing secret. */
async function connect(
  state: SandboxState,
  webhooks: WebhookLog,
  tell: (line: string) => void,
): Promise<void> {
  webhooks.verifyWith(async () => String((await readOrganization(state))['webhookSigningSecret']))
  try {
    const { webhookUrl } = await readOrganization(state)
    const isOurs = webhookUrl === '' || RECEIVER.test(String(webhookUrl))
    if (isOurs && webhookUrl !== webhooks.url) await setWebhookUrl(state, webhooks.url)
  } catch (error) {
    // The key was rotated: all else works, and --fresh makes a new one.
    tell(`The API key of sandbox.json does not open the service: ${String(error)}`)
  }
}
