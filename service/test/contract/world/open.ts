import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  deploy,
  devWallet,
  endow,
  freePort,
  invoke,
  mined,
  startAnvil,
  testTokenInitCode,
} from '@sluice/simulator'
import { foundTenants } from './found.ts'
import { command, serve } from './programs.ts'
import {
  ANVIL_PAYERS,
  BITCOIN_CHAIN,
  CHAIN,
  type ContractWorld,
  payerWallet,
  TAG_CHAIN,
  TRON_CHAIN,
  WEBHOOK_PORTS,
} from './state.ts'
import { startStillChains } from './still-chains.ts'
import { startTagChain } from './tag-chain.ts'

const CONFIRMATIONS = 2
const NAMES = new URL('names.mjs', import.meta.url).href
const BLOCK_SECONDS = 1
const SUPPLY = 10n ** 36n
/** Paying wallets of anvil, each for one test file. */
const PAYERS = 16
const payer = devWallet(0)

/** A hundred times what the service allows by default; of log-ins a hundred times that. */
const WIDE_LIMITS = {
  limitReads: 60_000,
  limitWrites: 12_000,
  limitDepositAddresses: 30_000,
  limitLogInsPerUser: 50_000,
  limitLogInsPerAddress: 200_000,
}

/** The product as an operator starts it, one chain, and organizations with people. */
export async function openContractWorld(): Promise<{
  world: ContractWorld
  close(): Promise<void>
}> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-contract-'))
  // The embedded database runs as another user where the tests run as root.
  chmodSync(home, 0o755)
  const closers: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })]
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one()
  }
  try {
    const anvil = await startAnvil({ chainId: 11_155_111, blockTimeSeconds: BLOCK_SECONDS })
    closers.push(() => anvil.stop())
    const tokens = await makeTokens(anvil)
    const ledgers = await startTagChain()
    closers.push(() => ledgers.stop())
    const still = await startStillChains()
    closers.push(() => still.stop())
    const port = await freePort()
    const webhookPorts = await Promise.all(WEBHOOK_PORTS.map(() => freePort()))
    const nodes = {
      [CHAIN]: anvil.url,
      [TAG_CHAIN]: ledgers.url,
      [TRON_CHAIN]: still.tronUrl,
      [BITCOIN_CHAIN]: still.bitcoinUrl,
    }
    const config = writeConfig(home, { port, nodes, tokens, webhookPorts })
    await command(config, ['keys', 'init', '--yes'])
    const service = await serve(config, { port, env: { NODE_OPTIONS: `--import=${NAMES}` } })
    closers.push(() => service.stop())
    still.solidify()
    const { baseUrl } = service
    const { tenants, databaseUrls } = await foundTenants(config, baseUrl)
    const world = {
      baseUrl,
      config,
      nodeUrl: anvil.url,
      databaseUrls,
      webhookPorts,
      tokens,
      tagged: ledgers.tagged,
      ledgersUrl: ledgers.url,
      bitcoinUrl: still.bitcoinUrl,
      tronContract: still.tronContract,
      tenants,
    }
    return { world, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Coins of the payers that anvil opens without money. */
const COINS = 10n ** 22n

/** Three tokens: an ordinary one, one with limits, and one that no organization is offered. */
async function makeTokens(anvil: Anvil): Promise<ContractWorld['tokens']> {
  const made: string[] = []
  for (const symbol of ['TUSD', 'LTD', 'OFF']) {
    const plan = { name: `Test ${symbol}`, symbol, decimals: 6 }
    const { address, ...sent } = await deploy(anvil, payer, testTokenInitCode(plan))
    await anvil.mine()
    await mined(anvil, sent)
    for (let at = 0; at < PAYERS; at += 1) {
      if (at >= ANVIL_PAYERS) await endow(anvil, payerWallet(at).address, COINS)
      const minted = [payerWallet(at).address, SUPPLY]
      await invoke(anvil, payer, address, 'mint(address,uint256)', minted)
    }
    await anvil.mine()
    made.push(`${CHAIN}/erc20:${address}`)
  }
  const [usd = '', limited = '', off = ''] = made
  return { coin: `${CHAIN}/slip44:60`, usd, limited, off }
}

function writeConfig(
  home: string,
  options: {
    port: number
    nodes: Readonly<Record<string, string>>
    tokens: ContractWorld['tokens']
    webhookPorts: readonly number[]
  },
): string {
  const { usd, limited, off } = options.tokens
  const token = (id: string, symbol: string) => ({
    id,
    name: `Test ${symbol}`,
    symbol,
    decimals: 6,
  })
  const config = {
    environment: 'development',
    dataFolder: join(home, 'data'),
    seedPassphrase: 'a passphrase for tests alone',
    metricsPort: 0,
    port: options.port,
    publicUrl: `http://localhost:${options.port}`,
    pollMs: 200,
    logLevel: 'warn',
    apiKeyMayConfigure: true,
    webhookDevOrigins: options.webhookPorts.map((port) => `http://127.0.0.1:${port}`),
    ...WIDE_LIMITS,
    chains: Object.fromEntries(
      Object.entries(options.nodes).map(([id, url]) => [
        id,
        { nodes: [url], ...(id === CHAIN && { confirmations: CONFIRMATIONS, startHeight: 1 }) },
      ]),
    ),
    tokens: [
      { ...token(usd, 'TUSD'), sweepAmount: '1000' },
      { ...token(limited, 'LTD'), minimumAmount: '100', maximumWithdrawalAmount: '5000' },
      token(off, 'OFF'),
    ],
  }
  const path = join(home, 'sluice.config.json')
  writeFileSync(path, JSON.stringify(config))
  return path
}
