import { readOwnAddress } from '../accounts/own-address.ts'
import { sum } from '../base/amount.ts'
import type { Address, EnergyOffer, Intent, LentEnergy } from '../chains/port.ts'
import { lentOf } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { type NotSent, obstacleTo } from '../transactions/core/funds.ts'
import type { PaymentRequest, SpendDeps } from '../transactions/core/payment-request.ts'
import { UNMINED_MAX } from '../transactions/core/sender.ts'
import { sendSpend } from '../transactions/send.ts'
import {
  countFutile,
  insertLoan,
  insertUse,
  lockLoan,
  noteLoanSpend,
  selectOpenLoan,
  selectUses,
} from './loan-rows.ts'
import { isResting, type Loan, REST_MS } from './loan.ts'
import { proveRoute, type Send } from './send-top-up.ts'
import type { TopUpPlace } from './top-up.ts'

/**
 * Result of a request for energy. `none`: the payment burns coins. `waits`: energy is being lent or
 * taken back. `first`: the address first needs this much native currency. `stopped`: not lent,
 * because the payment would not be signed. `lent`: available; `isFresh` while some nodes may not
 * show it yet.
 */
export type Lending =
  | { state: 'none' }
  | { state: 'waits' }
  | { state: 'first'; needed: bigint }
  | { state: 'stopped'; sent: NotSent }
  | { state: 'lent'; loanId: string; lent: LentEnergy; isFresh: boolean }

/** A token payment, the place it is paid from, and the number of similar payments. */
export interface EnergyWanted {
  orgId: string
  intent: Intent
  place: TopUpPlace
  /** Itself among them; asked only where something may be lent. */
  payments: () => Promise<number>
}

/** Nodes lag one another by less. */
const FRESH_MS = 60_000

const NONE: Lending = { state: 'none' }

const WAITS: Lending = { state: 'waits' }

/**
 * Lends energy of the gas wallet's stake to the sender of a token payment, if that is cheaper than
 * burning coins, the chain shows a stake, and no known reason prevents the payment. One loan at a
 * time for each address. Signed, stored and followed like every spend. Throws an Outage if no node
 * answers.
 */
export async function lendEnergy(
  deps: SpendDeps,
  wanted: EnergyWanted,
  send: Send = sendSpend,
): Promise<Lending> {
  const { database, adapter, catalogue, entry, clock } = deps
  const { orgId, intent, place } = wanted
  if (adapter.paymentModel !== 'window') return NONE
  const native = catalogue.nativeToken(entry.id).id
  if (intent.tokenId === native) return NONE
  const address = intent.from
  const chainId = entry.id
  const since = clock.now() - REST_MS
  const { standing, lender, futile } = await database.transaction(async (tx) => ({
    standing: await selectOpenLoan(tx, { chainId, address }),
    lender: await readOwnAddress(tx, { orgId, chainId, purpose: 'gas' }),
    futile: await countFutile(tx, { orgId, chainId, address, since }),
  }))
  if (standing !== null) return onStanding(deps, standing)
  // The gas wallet itself, to which tokens came, uses what it has staked without a loan.
  if (lender === null || lender === address || isResting(futile)) return NONE
  const obstacle = await database.transaction((tx) => obstacleTo(tx, { orgId, intent, native }))
  if (obstacle !== null) return { state: 'stopped', sent: obstacle }
  const payments = Math.min(await wanted.payments(), UNMINED_MAX)
  const offer = await adapter.offerEnergy({ intent, payments, lender })
  if (offer === null) return NONE
  if (offer.besides > 0n) return { state: 'first', needed: offer.besides }
  return sendLoan(deps, { orgId, place, address, lender, offer, send })
}

/**
 * Extends the claim of a payment that uses a loan: the loan must be lent and large enough when it
 * is signed.
 */
export function withLoan(request: PaymentRequest, lending: Lending): PaymentRequest {
  const energy = lentOf(request.terms)
  if (lending.state !== 'lent' || energy === 0n) return request
  const { orgId, subjectId } = request
  return {
    ...request,
    claim: async (tx) => {
      const intent = await request.claim(tx)
      const use = { orgId, subjectId, loanId: lending.loanId, energy }
      return intent !== null && (await claimUse(tx, use)) ? intent : null
    },
  }
}

/** The part of an intent that says what was lent for it. */
export function lentFor(lending: Lending): Pick<Intent, 'lent'> {
  return lending.state === 'lent' ? { lent: lending.lent } : {}
}

async function onStanding({ database, clock }: SpendDeps, loan: Loan): Promise<Lending> {
  const isDeposit = loan.place === 'deposits'
  // Payments from the settlement account do not wait for more energy.
  const instead = isDeposit ? WAITS : NONE
  if (loan.state === 'Lending') return WAITS
  const energy = await database.transaction((tx) => freeOf(tx, loan))
  if (loan.state !== 'Lent' || energy <= 0n) return instead
  const isFresh = clock.now() - loan.updatedAt < FRESH_MS
  return { state: 'lent', loanId: loan.id, lent: { energy, alone: isDeposit }, isFresh }
}

/** A loan that the chain offers, before it is signed. */
interface OfferedLoan {
  orgId: string
  place: TopUpPlace
  address: Address
  lender: Address
  offer: EnergyOffer
  send: Send
}

async function sendLoan(deps: SpendDeps, loan: OfferedLoan): Promise<Lending> {
  const { database, adapter, catalogue, entry, caps, log } = deps
  const { orgId, address, lender, offer } = loan
  const delegation = { act: 'lend', stake: offer.stake } as const
  const tokenId = catalogue.nativeToken(entry.id).id
  const parties = { chainId: entry.id, tokenId, from: lender, to: address }
  const intent: Intent = { ...parties, amount: 0n, memo: null, delegation }
  const quote = await adapter.quote(intent, { ...caps, relativePercent: null })
  if (!quote.ok) {
    log.info({ orgId, address, code: quote.code }, 'energy is not lent')
    return NONE
  }
  const id = await database.transaction(async (tx) => tx.ids.next())
  const { outcome } = await loan.send(deps, {
    purpose: 'delegation',
    orgId,
    subjectId: id,
    intent,
    terms: quote.terms,
    claim: (tx) => claimLoan(tx, deps, { ...loan, id, intent }),
    sent: (tx, spend) => noteLoanSpend(tx, { orgId, id, spendId: spend.id }),
  })
  const comes = outcome === 'sent' || outcome === 'declined' || outcome === 'busy'
  return comes || outcome === 'frozen' ? WAITS : NONE
}

async function claimLoan(
  tx: Tx,
  { keys, entry }: Pick<SpendDeps, 'keys' | 'entry'>,
  wanted: OfferedLoan & { id: string; intent: Intent },
): Promise<Intent | null> {
  const { orgId, id, place, address, intent } = wanted
  const { stake, energy } = wanted.offer
  await proveRoute(tx, { keys, entry }, wanted)
  const loan = { orgId, id, chainId: entry.id, address, place, stake, energy }
  return (await insertLoan(tx, loan)) ? intent : null
}

/** Whether the loan is lent with enough energy left; then records the use. */
async function claimUse(
  tx: Tx,
  use: { orgId: string; loanId: string; subjectId: string; energy: bigint },
): Promise<boolean> {
  const loan = await lockLoan(tx, { orgId: use.orgId, id: use.loanId })
  if (loan?.state !== 'Lent' || (await freeOf(tx, loan)) < use.energy) return false
  await insertUse(tx, use)
  return true
}

async function freeOf(tx: Tx, loan: Loan): Promise<bigint> {
  const uses = await selectUses(tx, loan)
  return loan.energy - sum(uses.map(({ energy }) => energy))
}
