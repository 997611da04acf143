import { noncesOf } from '../chains/chain-adapter.ts'
import type { ChainId } from '@sluice/wire'
import { Command } from 'commander'
import type { Ground } from '../app/ground.ts'
import { iso } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import { displayAddress, parseAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { Chains } from '../chains/registry.ts'
import { listForeign, listSenders } from '../transactions/core/read.ts'
import type { Sender } from '../transactions/core/sender.ts'
import { resumeSender } from '../transactions/resume-sender.ts'
import { actor, onGround, print, table, withChains } from './context.ts'
import { findChain } from './find-chain.ts'

/** `sluice sender`: lists senders and resumes halted ones. */
export function senderCommands(): Command {
  const sender = new Command('sender')
  sender
    .command('list')
    .description('list senders, and their transactions that Sluice did not sign')
    .option('--chain <id>', 'of one chain')
    .option('--halted', 'halted senders only')
    .action(list)
  sender
    .command('resume <chain>')
    .description('resume halted senders after their payments are checked')
    .option('--address <address>', 'this sender only; default: all halted senders of the chain')
    .requiredOption('--reason <text>', 'the reason, recorded in the audit log')
    .action(resume)
  return sender
}

async function list(
  { chain, halted }: { chain?: string; halted?: boolean },
  command: Command,
): Promise<void> {
  const shown = await onGround(async ({ database, catalogue }) => {
    const chainId = chain === undefined ? null : findChain(catalogue, chain).id
    return database.transaction(async (tx) => {
      const senders = await listSenders(tx, { chainId, halted: halted === true })
      const foreign = senders.map(({ chainId: of, address: sender }) =>
        listForeign(tx, { chainId: of, sender }),
      )
      const found = await Promise.all(foreign)
      return senders.map((one, at) => ({ ...shownOf(one), foreign: found[at] ?? [] }))
    })
  })
  print(command, shown, () => [
    ...table(
      ['chain', 'address', 'purpose', 'next nonce', 'halted', 'cause'],
      shown.map((one) => [
        one.chainId,
        one.address,
        one.purpose,
        String(one.nextNonce),
        one.haltedAt ?? '-',
        one.cause || '-',
      ]),
      halted === true ? 'No halted senders.' : 'No senders.',
    ),
    ...shown.flatMap((one) => one.foreign.map((other) => `${one.address} ${lineOf(other)}`)),
  ])
}

function shownOf({ chainId, address, purpose, orgId, nextNonce, ...rest }: Sender) {
  const { haltedAt, haltedCause: cause } = rest
  const halted = haltedAt === null ? null : iso(haltedAt)
  const shown = displayAddress(chainId, address)
  return { chainId, address: shown, orgId, purpose, nextNonce, haltedAt: halted, cause }
}

function lineOf(foreign: { txnHash: string; nonce: number | null; height: number | null }): string {
  const where = foreign.height === null ? 'not in a block' : `block ${foreign.height}`
  const nonce = foreign.nonce === null ? '' : `nonce ${foreign.nonce}: `
  return `${nonce}${foreign.txnHash} was not signed by Sluice or is not in this database, ${where}`
}

async function resume(
  id: string,
  { address, reason }: { address?: string; reason: string },
  command: Command,
): Promise<void> {
  const resumed = await onGround(async (ground) => {
    const chainId = findChain(ground.catalogue, id).id
    const halted = await haltedOn(ground, chainId, address)
    return resumeAll(ground, halted, reason)
  })
  print(command, resumed, () =>
    resumed.map((one) => `${one.address} is resumed from nonce ${one.nextNonce}.`),
  )
}

async function haltedOn(
  { database }: Ground,
  chainId: ChainId,
  address: string | undefined,
): Promise<Sender[]> {
  const wanted = address === undefined ? null : parseAddress(chainId, address)
  if (address !== undefined && wanted === null)
    throw new Refusal('INVALID_ADDRESS', { chainId, providedAddress: address })
  const senders = await database.transaction((tx) => listSenders(tx, { chainId, halted: true }))
  const halted = senders.filter((one) => address === undefined || one.address === wanted)
  if (halted.length > 0) return halted
  const says = `No matching halted sender on ${chainId}. See: sluice sender list --halted`
  throw new Refusal('BAD_REQUEST', { chainId, address }, says)
}

/** Resumes each sender at the higher of its nonce in the ledger and on the chain. */
async function resumeAll(
  ground: Ground,
  halted: readonly Sender[],
  reason: string,
): Promise<{ chainId: ChainId; address: string; nextNonce: number }[]> {
  return withChains(ground, async (chains) => {
    const resumed = []
    for (const { chainId, address, nextNonce } of halted) {
      const adapter = chains.get(chainId)
      const chainNonce = await nonceOf(adapter, address, chainId)
      const account =
        adapter?.paymentModel === 'ticket' ? await adapter.accountState(address) : null
      const chainTickets = account?.tickets ?? []
      const request = { chainId, address, chainNonce, chainTickets, actor: actor(), reason }
      await ground.database.transaction((tx) => resumeSender(tx, request))
      const shown = displayAddress(chainId, address)
      resumed.push({ chainId, address: shown, nextNonce: Math.max(nextNonce, chainNonce) })
    }
    return resumed
  })
}

async function nonceOf(
  adapter: ReturnType<Chains['get']>,
  address: Address,
  chainId: ChainId,
): Promise<number> {
  if (adapter === null) {
    const says = `${chainId} has no nodes in the configuration.`
    throw new Refusal('CHAIN_NOT_ENABLED', { chainId }, says)
  }
  const { latest, pending } = await noncesOf(adapter, address)
  return Math.max(latest, pending)
}
