import { Command } from 'commander'
import { type Recovered, recoverAddresses } from '../accounts/recover.ts'
import { catalogueOf } from '../app/ground.ts'
import { openSeed } from '../app/keys.ts'
import { systemClock } from '../base/clock.ts'
import { systemRandom } from '../base/random.ts'
import { Misconfigured, Outage } from '../base/fault.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Keyring } from '../keys/keyring.ts'
import { commandLog, parseCount, print, readConfig, table, withChains } from './context.ts'
import { EXIT } from './exit.ts'

interface RecoverOptions {
  gap: number
  wallets: number
}

type Row = Recovered & { chainId: string }

/** Addresses found, chains searched, and chains not searched with the reason. */
interface Report {
  searched: string[]
  found: Row[]
  notSearched: { chainId: string; why: string }[]
}

const GAP = 100
const WALLET_GAP = 20

/** `sluice keys recover`: finds the money of the seed, without database and service key. */
export function recoverCommand(): Command {
  return new Command('recover')
    .description('find the money of the seed on the chains, without a database')
    .option('--gap <count>', 'unused addresses that end the search of a wallet', parseCount, GAP)
    .option('--wallets <count>', 'unused wallets that end the search', parseCount, WALLET_GAP)
    .action(async (options: RecoverOptions, command: Command) => {
      const report = await recover(options)
      // On standard error in every format, so that an incomplete result is not taken as complete.
      for (const line of gaps(report)) console.error(line)
      print(command, report, () => lines(report))
      if (report.notSearched.length > 0) process.exitCode = EXIT.unhealthy
    })
}

function gaps({ found, notSearched }: Report): string[] {
  return notSearched.map(({ chainId, why }) => {
    const hasSome = found.some((one) => one.chainId === chainId)
    return `NOT SEARCHED${hasSome ? ' TO ITS END' : ''}: ${chainId}: ${why}`
  })
}

function lines({ searched, found }: Report): string[] {
  return table(
    ['chain', 'address', 'path', 'holds'],
    found.map(({ chainId, address, path, holds }) => [
      chainId,
      address,
      path,
      holds.map(({ tokenId, amount }) => `${amount} of ${tokenId}`).join(', ') || 'nothing',
    ]),
    searched.length === 0
      ? 'No chain was searched.'
      : `No address of this seed was ever used on ${searched.join(', ')}.`,
  )
}

async function recover(options: RecoverOptions): Promise<Report> {
  const config = readConfig()
  const catalogue = catalogueOf(config)
  const keyring = await openSeed(config, systemRandom)
  const log = commandLog(config)
  const deps = { config, catalogue, clock: systemClock, random: systemRandom, log }
  try {
    return await withChains(deps, async (chains) => {
      const adapters = chains.all()
      if (adapters.length === 0) {
        throw new Misconfigured('No chain has nodes in the configuration: add chains.<id>.nodes.')
      }
      const report: Report = { searched: [], found: [], notSearched: [] }
      for (const adapter of adapters) await search(report, adapter, { catalogue, keyring, options })
      return report
    })
  } finally {
    keyring.destroy()
  }
}

/** Adds one chain to the report; a failing chain does not stop the others. */
async function search(
  { searched, found, notSearched }: Report,
  adapter: ChainAdapter,
  deps: { catalogue: Catalogue; keyring: Keyring; options: RecoverOptions },
): Promise<void> {
  const { catalogue, keyring, options } = deps
  const { chainId } = adapter
  const entry = catalogue.chain(chainId)
  if (entry === null) return
  const tokens = catalogue.tokensOf(chainId).map(({ id }) => id)
  const { gap, wallets: walletGap } = options
  try {
    await adapter.identify()
    for await (const one of recoverAddresses(adapter, keyring, { entry, tokens, gap, walletGap }))
      found.push({ chainId, ...one })
    searched.push(chainId)
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    notSearched.push({ chainId, why: whyOf(error, chainId) })
  }
}

/** The message of an outage without the chain's id in front. */
function whyOf({ message }: Outage, chainId: string): string {
  const named = `${chainId}: `
  return message.startsWith(named) ? message.slice(named.length) : message
}
