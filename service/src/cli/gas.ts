import { Command } from 'commander'
import { showOwnAddresses } from '../accounts/own-address.ts'
import { type TamperedRow, raiseTampered } from '../accounts/tampered.ts'
import type { Ground } from '../app/ground.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { Refusal } from '../base/fault.ts'
import { displayAddress } from '../chains/format-address.ts'
import { releaseFunding } from '../deposits/hold.ts'
import { correctGas } from '../gas/correct.ts'
import { place } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import { listOrganizations } from '../orgs/settings.ts'
import { gasOf } from '../transactions/core/funds.ts'
import { actor, onGround, parseId, print, table, withChains } from './context.ts'
import { findChain } from './find-chain.ts'

/** `sluice gas`: settlement addresses and gas wallets of organizations. */
export function gasCommands(): Command {
  const gas = new Command('gas')
  gas
    .command('list')
    .description('list settlement addresses and gas wallets with their balances')
    .option('--org <id>', 'of one organization', parseId)
    .action(list)
  gas
    .command('correct <chain>')
    .description("reconcile a gas wallet's ledger balance with the chain")
    .requiredOption('--org <id>', 'the organization', parseId)
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(correct)
  gas
    .command('release')
    .argument('<funding>', 'its id', parseId)
    .description('release held funding of a settlement address or gas wallet')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(release)
  return gas
}

const CHANGED =
  'were changed in the database; for their alerts (account.tampered): sluice alert list'

async function list({ org }: { org?: string }, command: Command): Promise<void> {
  const { rows: shown, tampered } = await onGround((ground) => readWallets(ground, org ?? null))
  if (tampered > 0) console.error(`Not shown: ${tampered} rows that ${CHANGED}`)
  print(command, shown, () => [
    ...table(
      ['organization', 'chain', 'account', 'address', 'holds', 'for gas', 'coin'],
      shown.map((one) => [
        one.organization,
        one.chainId,
        one.account,
        one.address,
        one.balance,
        one.spendable ?? '',
        one.nativeCurrency,
      ]),
      'No addresses yet: the role spender creates them after the first contact with a chain.',
    ),
    '',
    'To fund a gas wallet, send the native coin to its address; it pays fees of withdrawals and',
    'sweeps. Funds sent to a settlement address are available for withdrawals. Amounts are in',
    'base units. Funding needs as many confirmations as a deposit.',
  ])
}

async function readWallets(ground: Ground, org: string | null) {
  const { database, catalogue } = ground
  const serviceKey = await openOwnServiceKey(ground)
  return database.transaction(async (tx) => {
    const organizations = await listOrganizations(tx)
    const names = new Map(organizations.map(({ id, name }) => [id, name]))
    const rows = []
    const tampered: TamperedRow[] = []
    for (const entry of catalogue.chains.filter(({ id }) => catalogue.isConfigured(id))) {
      const chainId = entry.id
      const native = catalogue.nativeToken(chainId).id
      const whose = org === null ? { chainId } : { chainId, orgId: org }
      const shown = await showOwnAddresses(tx, serviceKey, whose)
      tampered.push(...shown.tampered)
      for (const { orgId, purpose, address } of shown.own) {
        const account = place(purpose, address)
        const balance = await readBalance(tx, { orgId, chainId, tokenId: native, account })
        const isGas = purpose === 'gas'
        rows.push({
          organization: names.get(orgId) ?? '',
          orgId,
          chainId,
          account: purpose,
          address: displayAddress(chainId, address),
          balance: balance.toString(),
          spendable: isGas ? (await gasOf(tx, { orgId, chainId, native })).toString() : null,
          nativeCurrency: entry.nativeCurrency,
        })
      }
    }
    await raiseTampered(tx, tampered)
    return { rows, tampered: tampered.length }
  })
}

async function correct(
  id: string,
  { org, reason }: { org: string; reason: string },
  command: Command,
): Promise<void> {
  const shown = await onGround(async (ground) => {
    const { catalogue, database } = ground
    const entry = findChain(catalogue, id)
    return withChains(ground, async (chains) => {
      const adapter = chains.get(entry.id)
      if (adapter === null) throw new Refusal('BAD_REQUEST', { chainId: id }, `${id} has no nodes.`)
      const request = { catalogue, entry, orgId: org, actor: actor(), reason }
      const { address, ledger, chain } = await correctGas(database, adapter, request)
      return {
        chainId: entry.id,
        address: displayAddress(entry.id, address),
        before: ledger.toString(),
        balance: chain.toString(),
      }
    })
  })
  print(command, shown, () => [
    shown.before === shown.balance
      ? `The ledger agrees with ${shown.address}: ${shown.balance}.`
      : `The ledger balance of ${shown.address} is now ${shown.balance}; it was ${shown.before}.`,
  ])
}

async function release(
  fundingId: string,
  { reason }: { reason: string },
  command: Command,
): Promise<void> {
  const shown = await onGround(async ({ database }) => {
    const request = { fundingId, actor: actor(), reason }
    const { status } = await database.transaction((tx) => releaseFunding(tx, request))
    return { fundingId, status }
  })
  print(command, shown, () => [`Funding ${fundingId} is released; the next round credits it.`])
}
