import { Command } from 'commander'
import { listBaseAccounts } from '../accounts/base-account.ts'
import { showOwnAddresses } from '../accounts/own-address.ts'
import { raiseTampered } from '../accounts/tampered.ts'
import { feeCapsOf } from '../app/fee-caps.ts'
import type { Ground } from '../app/ground.ts'
import { openOwnServiceKey, openServiceKeyOf } from '../app/keys.ts'
import { openCommandSigner } from '../app/open-signer.ts'
import { openSpendHooks } from '../app/spend-hooks.ts'
import { spenderLease } from '../app/spender-loops.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import { ensureOwnAddresses } from '../gas/wallets.ts'
import { readyBaseAccounts } from '../transactions/ready-base.ts'
import { releaseLease, takeLease } from '../store/lease.ts'
import { onGround, print, table, withChains } from './context.ts'

const LEASE_MS = 60_000

/** `sluice xrpl`: sets up base accounts, which all users of an organization share. */
export function xrplCommands(): Command {
  const xrpl = new Command('xrpl')
  xrpl
    .command('setup')
    .description('open base accounts, require destination tags, and print what is missing')
    .action(setup)
  return xrpl
}

/** Leaves chains to a running service, because only one process signs on a chain. */
async function setup(_options: object, command: Command): Promise<void> {
  const shown = await onGround((ground) =>
    withChains(ground, async (chains) => {
      const rows = []
      for (const adapter of chains.all()) {
        const entry = ground.catalogue.chain(adapter.chainId)
        if (entry === null || !entry.sharesAddresses) continue
        const byService = await setUpChain(ground, adapter, entry)
        const bases = await authenticBases(ground, entry)
        rows.push(...bases.map((base) => ({ ...base, byService })))
      }
      return rows
    }),
  )
  print(command, shown, () =>
    table(
      ['organization', 'chain', 'base account', 'ready'],
      shown.map(({ orgId, chainId, address, missing }) => [
        orgId,
        chainId,
        address,
        missing === '' ? 'yes' : `no: ${missing}`,
      ]),
      'No base accounts: configure nodes of the chain and start the service once.',
    ),
  )
}

/** The base accounts without tampered ones, because users pay to these addresses. */
async function authenticBases(ground: Ground, { id: chainId }: ChainEntry) {
  const serviceKey = await openOwnServiceKey(ground)
  return ground.database.transaction(async (tx) => {
    const { own, tampered } = await showOwnAddresses(tx, serviceKey, { chainId })
    await raiseTampered(tx, tampered)
    const authentic = new Set(own.map(({ orgId, address }) => `${orgId} ${address}`))
    const bases = await listBaseAccounts(tx, chainId)
    return bases.filter(({ orgId, address }) => authentic.has(`${orgId} ${address}`))
  })
}

/** Whether a running service holds the chain's spender lease. */
async function setUpChain(
  ground: Ground,
  adapter: ChainAdapter,
  entry: ChainEntry,
): Promise<boolean> {
  const { database, catalogue, config, random, clock, log } = ground
  const wanted = { name: spenderLease(entry.id), holder: 'sluice xrpl setup', ttlMs: LEASE_MS }
  const lease = await takeLease(database, wanted)
  if (lease === null) return true
  try {
    const serviceKey = openServiceKeyOf(config, random)
    const { signer, close } = await openCommandSigner(ground)
    const keys = { serviceKey, signer }
    const caps = feeCapsOf(
      entry,
      config.chains.find(({ id }) => id === entry.id),
    )
    const hooks = openSpendHooks({ catalogue })
    const spending = { database, adapter, catalogue, entry, keys, lease, caps, clock, log, hooks }
    try {
      await ensureOwnAddresses(database, { keys, entry })
      await readyBaseAccounts(spending)
    } finally {
      await close()
    }
    return false
  } finally {
    await releaseLease(database, lease)
  }
}
