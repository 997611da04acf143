import { listOwnAddresses } from '../accounts/own-address.ts'
import { roleOn, signerPath } from '../accounts/signer-path.ts'
import { assert } from '../base/assert.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { forEachIsolated } from './core/for-each-isolated.ts'
import { haltSender } from './core/halt.ts'
import type { SpendDeps } from './core/payment-request.ts'
import { insertSender, selectSenderForUpdate, selectSenders } from './core/sender-rows.ts'
import type { Sender } from './core/sender.ts'
import { numbersOf } from './nonce/numbers-of.ts'
import { compareTickets } from './ticket/compare-tickets.ts'
import { upsertTickets } from './ticket/ticket-rows.ts'
import { compareCoins } from './utxo/compare-coins.ts'

/**
 * Compares the next nonce of a sender with the chain's, once in a term, and creates its row on
 * first use. If the chain or the nodes' pools know more of its transactions than we do, we have
 * forgotten some, for example after restoring an old backup: the sender is halted so that nothing
 * is paid twice (W25). Its tickets and coins are compared too. The chain is queried first, so
 * nonces that we take meanwhile do not matter. Returns false while its coins cannot be compared:
 * spending free coins must wait.
 */
export async function prepareSender(deps: SpendDeps, address: Address): Promise<boolean> {
  if (deps.compared?.has(address)) return true
  const { latest, pending } = await numbersOf(deps, address)
  const { adapter } = deps
  const account = adapter.paymentModel === 'ticket' ? await adapter.accountState(address) : null
  const prepared = await deps.database.transaction(async (tx) => {
    await assertLease(tx, deps.lease)
    const key = { chainId: deps.entry.id, address }
    const standing = await selectSenderForUpdate(tx, key)
    const tickets = account?.tickets ?? []
    const sender = standing ?? (await openSender(tx, deps, { address, latest, tickets }))
    const seen = Math.max(latest, pending)
    if (sender.nextNonce < seen) await haltForgotten(tx, sender, { latest, seen })
    else await compareTickets(tx, { sender, standing: account })
    return sender
  })
  const isCompared = await compareCoins(deps, prepared)
  if (isCompared) deps.compared?.add(address)
  return isCompared
}

/**
 * Compares the settlement addresses and gas wallets of the chain at the beginning of a term;
 * deposit addresses are compared before they sign.
 */
export async function compareSenders(deps: SpendDeps): Promise<void> {
  const chainId = deps.entry.id
  const senders = await deps.database.transaction((tx) => selectSenders(tx, { chainId, own: true }))
  for (const { address } of senders) await prepareSender(deps, address)
}

/**
 * Registers all platform addresses as senders on chains without nonces. There only the scanner can
 * find forgotten transactions, and it follows senders (W25).
 */
export async function registerOwnSenders(deps: SpendDeps): Promise<void> {
  if (deps.entry.accountNumbers !== 'none') return
  const chainId = deps.entry.id
  const own = await deps.database.transaction((tx) => listOwnAddresses(tx, { chainId }))
  await forEachIsolated(own, ({ address }) => prepareSender(deps, address))
}

async function openSender(
  tx: Tx,
  deps: SpendDeps,
  { address, latest, tickets }: { address: Address; latest: number; tickets: readonly number[] },
): Promise<Sender> {
  const { entry, keys } = deps
  const path = await signerPath(tx, keys, { entry, address })
  assert(path, 'sender is not an address of ours', { chainId: entry.id, address })
  const { orgId, walletNumber, pathIndex } = path
  const purpose = roleOn(path, entry.id)
  const where = { chainId: entry.id, address, orgId, purpose, walletNumber, pathIndex }
  // On other chains the chain defines the first number.
  await insertSender(tx, {
    ...where,
    nextNonce: entry.accountNumbers !== 'from-ledger' ? 0 : latest,
  })
  const sender = await selectSenderForUpdate(tx, where)
  assert(sender, 'sender is missing after its insert', { ...where })
  // Left over from before, as where everything but the seed was lost.
  if (tickets.length > 0) await upsertTickets(tx, { sender, numbers: tickets })
  return sender
}

async function haltForgotten(
  tx: Tx,
  { chainId, address, nextNonce }: Sender,
  { latest, seen }: { latest: number; seen: number },
): Promise<void> {
  const message =
    `The nodes know transactions of ${address} up to nonce ${seen - 1}, ` +
    `${latest} of them in blocks; we know ${nextNonce}.`
  const nonces = { from: nextNonce, to: seen - 1 }
  const details = { nonces, inBlocks: latest, known: nextNonce }
  await haltSender(tx, { chainId, address, code: 'spend.forgotten', message, details })
}
