import type { ChainId } from '@sluice/wire'
import { proveOwnAddress, readOwnAddress } from '../accounts/own-address.ts'
import { roleOn, signerPath } from '../accounts/signer-path.ts'
import { assert } from '../base/assert.ts'
import type { Address, Intent, QuoteRefusal } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { PaymentRequest, Sent, SpendDeps } from '../transactions/core/payment-request.ts'
import { sendSpend } from '../transactions/send.ts'
import { insertTopUp, noteSpend, selectUnderWay } from './rows.ts'
import type { TopUpPlace } from './top-up.ts'

/** Native currency that is wanted at an address of ours. */
export interface WantedTopUp {
  orgId: string
  address: Address
  place: TopUpPlace
  /** Base units of the native currency. */
  amount: bigint
}

/** `refused`: the chain says that the transfer would not go through. */
export type TopUpOutcome = Sent['outcome'] | 'no-gas-wallet' | 'refused'

/** How payments are made; a test hands in another. */
export type Send = (deps: SpendDeps, request: PaymentRequest) => Promise<Sent>

/**
 * Sends native currency from an organization's gas wallet to its own address that pays fees; one
 * top-up at a time for each address. Throws an Outage if no node answers.
 */
export async function sendTopUp(
  deps: SpendDeps,
  wanted: WantedTopUp,
  send: Send = sendSpend,
): Promise<{ outcome: TopUpOutcome; refusal?: QuoteRefusal }> {
  const { database, adapter, catalogue, entry, caps } = deps
  const { orgId, address, amount } = wanted
  const whose = { orgId, chainId: entry.id, purpose: 'gas' } as const
  const from = await database.transaction((tx) => readOwnAddress(tx, whose))
  if (from === null) return { outcome: 'no-gas-wallet' }
  const tokenId = catalogue.nativeToken(entry.id).id
  const intent: Intent = { chainId: entry.id, tokenId, from, to: address, amount, memo: null }
  // The fee of a top-up may be a large part of its amount.
  const quote = await adapter.quote(intent, { ...caps, relativePercent: null })
  if (!quote.ok) return { outcome: 'refused', refusal: quote.code }
  const id = await database.transaction(async (tx) => tx.ids.next())
  const { outcome } = await send(deps, {
    purpose: 'top-up',
    orgId,
    subjectId: id,
    intent,
    terms: quote.terms,
    claim: (tx) => claimTopUp(tx, deps, { ...wanted, id, intent }),
    sent: (tx, spend) => noteSpend(tx, { orgId, id, spendId: spend.id }),
  })
  return { outcome }
}

/** The addresses with a top-up in progress. */
export async function topUpsUnderWay(
  tx: Tx,
  query: { chainId: ChainId; addresses: readonly Address[] },
): Promise<ReadonlySet<Address>> {
  return new Set(query.addresses.length === 0 ? [] : await selectUnderWay(tx, query))
}

async function claimTopUp(
  tx: Tx,
  { keys, entry }: Pick<SpendDeps, 'keys' | 'entry'>,
  wanted: WantedTopUp & { id: string; intent: Intent },
): Promise<Intent | null> {
  const { intent } = wanted
  await proveRoute(tx, { keys, entry }, wanted)
  return (await insertTopUp(tx, { ...wanted, chainId: entry.id })) ? intent : null
}

/**
 * Proves from the seed, in the signing transaction, that an intent goes from the organization's gas
 * wallet to its address of this kind (engineering, 7).
 */
export async function proveRoute(
  tx: Tx,
  { keys, entry }: Pick<SpendDeps, 'keys' | 'entry'>,
  { orgId, place, intent }: { orgId: string; place: TopUpPlace; intent: Intent },
): Promise<void> {
  const gas = await proveOwnAddress(tx, { keys, entry, orgId, purpose: 'gas' })
  assert(gas?.address === intent.from, 'sender is not the gas wallet', { orgId, intent })
  const path = await signerPath(tx, keys, { entry, address: intent.to })
  const role = path === null ? null : roleOn(path, entry.id)
  const isRight = role === (place === 'settlement' ? 'settlement' : 'deposit')
  assert(isRight && path?.orgId === orgId, 'recipient is not our address', { orgId, intent })
}
