import { Command } from 'commander'
import { showOwnAddresses } from '../accounts/own-address.ts'
import { type TamperedRow, raiseTampered } from '../accounts/tampered.ts'
import type { Ground } from '../app/ground.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { openChainsOf } from '../app/open-chains.ts'
import { Refusal } from '../base/fault.ts'
import { displayAddress } from '../chains/format-address.ts'
import { releaseFunding } from '../fundings/release.ts'
import { correctGas } from '../gas/correct.ts'
import { place } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import { listOrganizations } from '../orgs/settings.ts'
import { gasOf } from '../transactions/core/funds.ts'
import { actor, onGround, parseId, print, table } from './context.ts'
import { findChain } from './find-chain.ts'

/** `sluice gas`: the organizations' own addresses, and what pays their fees. */
export function gasCommands(): Command {
  const gas = new Command('gas')
  gas
    .command('list')
    .description('settlement and gas addresses, what they hold, and how to fund them')
    .option('--org <id>', 'of one organization', parseId)
    .action(list)
  gas
    .command('correct <chain>')
    .description('book what a gas wallet holds more or less than the ledger says, after a look')
    .requiredOption('--org <id>', 'the organization', parseId)
    .requiredOption('--reason <text>', 'how that came; kept in the audit log')
    .action(correct)
  gas
    .command('release')
    .argument('<funding>', 'its id', parseId)
    .description('let money go on that was held at a settlement or gas address')
    .requiredOption('--reason <text>', 'why it may go on; kept in the audit log')
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
      'There are none yet: the role spender opens them once a chain has been reached.',
    ),
    '',
    'To fund a gas wallet, send the coin to its address: it pays the fees of withdrawals and',
    'sweeps. What is sent to a settlement address is available for withdrawals. Amounts are in',
    'base units; both count when they have the confirmations that a deposit needs.',
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
    const chains = openChainsOf(ground, null)
    try {
      const adapter = chains.get(entry.id)
      if (adapter === null) throw new Refusal('BAD_REQUEST', { chainId: id }, `${id} has no nodes.`)
      const given = { catalogue, entry, orgId: org, actor: actor(), reason }
      const { address, ledger, chain } = await correctGas(database, adapter, given)
      return {
        chainId: entry.id,
        address: displayAddress(entry.id, address),
        before: ledger.toString(),
        balance: chain.toString(),
      }
    } finally {
      await chains.close()
    }
  })
  print(command, shown, () => [
    shown.before === shown.balance
      ? `${shown.address} holds what the ledger says: ${shown.balance}.`
      : `${shown.address} holds ${shown.balance}; the ledger said ${shown.before} and agrees now.`,
  ])
}

async function release(
  fundingId: string,
  { reason }: { reason: string },
  command: Command,
): Promise<void> {
  const shown = await onGround(async ({ database }) => {
    const given = { fundingId, actor: actor(), reason }
    const { status } = await database.transaction((tx) => releaseFunding(tx, given))
    return { fundingId, status }
  })
  print(command, shown, () => [`${fundingId} goes on: it is credited by the next step.`])
}
