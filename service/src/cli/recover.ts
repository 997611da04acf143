import { Command } from 'commander'
import { type Recovered, recoverAddresses } from '../accounts/recover.ts'
import { catalogueOf } from '../app/ground.ts'
import { openKeys } from '../app/keys.ts'
import { openChainsOf } from '../app/open-chains.ts'
import { systemClock } from '../base/clock.ts'
import { systemDice } from '../base/dice.ts'
import { Outage } from '../base/fault.ts'
import { commandLog, parseCount, print, readConfig, table } from './context.ts'

interface RecoverOptions {
  gap: number
  wallets: number
}

type Row = Recovered & { chainId: string }

const GAP = 100
const WALLET_GAP = 20

/** `sluice keys recover`: what the seed owns on the configured chains; no database is touched. */
export function recoverCommand(): Command {
  return new Command('recover')
    .description('find the money of the seed on the chains, without a database')
    .option('--gap <count>', 'unused addresses that end the search of a wallet', parseCount, GAP)
    .option('--wallets <count>', 'unused wallets that end the search', parseCount, WALLET_GAP)
    .action(async (options: RecoverOptions, command: Command) => {
      const { found, untold } = await recover(options)
      print(command, found, () =>
        table(
          ['chain', 'address', 'path', 'holds'],
          found.map(({ chainId, address, path, holds }) => [
            chainId,
            address,
            path,
            holds.map(({ tokenId, amount }) => `${amount} of ${tokenId}`).join(', ') || 'nothing',
          ]),
          'No address of this seed was ever used on the chains that could be searched.',
        ),
      )
      const [first] = untold
      if (first !== undefined) throw first
    })
}

/** What was found, and why chains could not be searched: one that fails hides no other. */
async function recover({
  gap,
  wallets: walletGap,
}: RecoverOptions): Promise<{ found: Row[]; untold: Outage[] }> {
  const config = readConfig()
  const catalogue = catalogueOf(config)
  const { keyring } = await openKeys(config, systemDice)
  const log = commandLog(config)
  const means = { config, catalogue, clock: systemClock, dice: systemDice, log }
  const chains = openChainsOf(means, null)
  const found: Row[] = []
  const untold: Outage[] = []
  try {
    for (const adapter of chains.all()) {
      const entry = catalogue.chain(adapter.chainId)
      if (entry === null) continue
      await adapter.identify()
      const tokens = catalogue.tokensOf(entry.id).map(({ id }) => id)
      const options = { entry, tokens, gap, walletGap }
      try {
        for await (const one of recoverAddresses(adapter, keyring, options))
          found.push({ chainId: entry.id, ...one })
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        untold.push(error)
      }
    }
  } finally {
    await chains.close()
    keyring.destroy()
  }
  return { found, untold }
}
