import { payingBy } from '../chains/chain-adapter.ts'
import {
  type BaseAccount,
  listBaseAccounts,
  noteBaseAccount,
  UNFUNDED,
} from '../accounts/base-account.ts'
import { listOwnAddresses } from '../accounts/own-address.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { Address } from '../chains/port.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { assertLease } from '../store/lease.ts'
import { forEachIsolated } from './core/for-each-isolated.ts'
import type { PaymentRequest, SpendDeps } from './core/payment-request.ts'
import { selectUnmined } from './core/spend-rows.ts'
import { sendSpend } from './send.ts'

/** A base account, and what was noted of it before. */
interface Looked {
  orgId: string
  address: Address
  noted: BaseAccount | null
}

const WAITING = 'the transaction that makes it refuse payments without a tag is on its way'

/**
 * Checks the XRPL base accounts once a term, and unready ones each round: each must exist on the
 * ledger and refuse payments without a tag. Sets that flag on funded accounts. Returns the number
 * of accounts that are not ready. Throws an Outage if no node answers.
 */
export async function readyBaseAccounts(deps: SpendDeps): Promise<number> {
  if (!deps.entry.sharesAddresses) return 0
  const looked = (await listLooked(deps)).filter(({ noted, address }) => {
    return noted?.missing !== '' || deps.readied?.has(address) !== true
  })
  const keep = looked.length === 0 ? null : await reserveOf(deps)
  return forEachIsolated(looked, async (base) => {
    const missing = await missingOf(deps, base)
    await note(deps, base, { missing, keep })
    if (missing === '') deps.readied?.add(base.address)
    return missing !== ''
  })
}

async function listLooked({ database, entry }: SpendDeps): Promise<Looked[]> {
  return database.transaction(async (tx) => {
    const noted = await listBaseAccounts(tx, entry.id)
    const own = await listOwnAddresses(tx, { chainId: entry.id })
    return own
      .filter(({ purpose }) => purpose === 'settlement')
      .map(({ orgId, address }) => {
        return { orgId, address, noted: noted.find((one) => one.orgId === orgId) ?? null }
      })
  })
}

/** Why an account cannot take deposits, as text for operators; "" if it can. */
async function missingOf(deps: SpendDeps, { orgId, address }: Looked): Promise<string> {
  const { entry, database } = deps
  const adapter = payingBy(deps.adapter, 'ticket')
  if (await adapter.requiresTag(address)) return ''
  const chainId = entry.id
  const open = await database.transaction((tx) => selectUnmined(tx, { chainId, sender: address }))
  if (open.length > 0) return WAITING
  const tokenId = deps.catalogue.nativeToken(chainId).id
  const intent = { chainId, tokenId, from: address, to: address, amount: 0n, memo: null }
  if ((await adapter.nonces(address)).latest === 0) return UNFUNDED
  const quote = await adapter.quote(intent, { ...deps.caps, relativePercent: null })
  if (!quote.ok) return `${quote.message} (${JSON.stringify(quote.details)})`
  const request = await setUp(deps, { orgId, intent, terms: quote.terms })
  const sent = await sendSpend(deps, request)
  if (sent.outcome === 'sent') return WAITING
  return `the transaction that makes it refuse payments without a tag is ${sent.outcome}`
}

/** Sending 0 to the own account sets the flag. */
async function setUp(
  { database }: SpendDeps,
  payment: Pick<PaymentRequest, 'orgId' | 'intent' | 'terms'>,
): Promise<PaymentRequest> {
  const subjectId = await database.transaction(async (tx) => tx.ids.next())
  const claim = async () => payment.intent
  return { ...payment, purpose: 'filler', subjectId, claim, sent: async () => undefined }
}

/**
 * The reserve of an account with all its tickets, and one step more for fees; null on chains
 * without reserves.
 */
async function reserveOf({ adapter, tickets = 0 }: SpendDeps): Promise<bigint | null> {
  if (adapter.paymentModel !== 'ticket') return null
  const { base, step } = await adapter.reserves()
  return base + step * BigInt(tickets + 1)
}

async function note(
  deps: SpendDeps,
  base: Looked,
  { missing, keep }: { missing: string; keep: bigint | null },
): Promise<void> {
  const { database, entry, lease } = deps
  const { orgId, address } = base
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    const state = await readChainState(tx, entry.id)
    if (state === null) return
    // Unscanned blocks may contain payments of the organization's own.
    const height = Math.max(state.tip.height, state.headHeight)
    const readyHeight = missing === '' ? height : null
    await noteBaseAccount(tx, { orgId, chainId: entry.id, address, readyHeight, missing, keep })
    const alert = { code: 'account.not_ready', subject: `${entry.id} ${address}` } as const
    if (missing === '') await resolveAlert(tx, alert)
    else if (base.noted?.missing !== missing) {
      const message = `The base account ${address} on ${entry.name} is not ready: ${missing}.`
      await raiseAlert(tx, { ...alert, orgId, message, details: { orgId } })
    }
  })
}
