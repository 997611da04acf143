import type { SweepFailureCode, SweepWait } from '@sluice/wire'
import { readOwnAddress } from '../accounts/own-address.ts'
import { readTokenChecks } from '../catalogue/token-check.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Intent, Quote } from '../chains/port.ts'
import type { FeeBook } from '../gas/fee-book.ts'
import { lendEnergy, lentFor, withLoan } from '../gas/lend.ts'
import { type Send, topUpsUnderWay } from '../gas/send-top-up.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import type { Sent } from '../transactions/core/payment-request.ts'
import { sendSpend } from '../transactions/send.ts'
import { giveGas } from './give-gas.ts'
import type { SweepDeps } from './deps.ts'
import { requestFor } from './payment-request.ts'
import { moveSweep } from './rows.ts'
import { BOOKED_WITHIN_MS, type Sweep, SWEEP_MOVES } from './sweep.ts'
import { spotKey, sweepableAt } from './sweepable.ts'

/**
 * Result of advancing one waiting sweep. `waits`: something for it is not confirmed yet;
 * `over-cap`: the fee is above its cap; `unfilled`: only the gas wallet, which is its address,
 * lacks gas; `no-gas`: its organization lacks gas; `stop`: signing is stopped on this chain.
 */
export type SweepStep =
  | 'sent'
  | 'topped-up'
  | 'refused'
  | 'waits'
  | 'over-cap'
  | 'unfilled'
  | 'no-gas'
  | 'stop'

/** What the sweep waits for after each step; null if it no longer waits. */
export const WAIT_AFTER: Readonly<Record<SweepStep, SweepWait | null>> = {
  sent: null,
  refused: null,
  'topped-up': 'confirmations',
  waits: 'confirmations',
  'over-cap': 'fee',
  unfilled: 'gas',
  'no-gas': 'gas',
  stop: 'chain',
}

/** Why a sweep fails before it is signed. */
interface Failure {
  /** In words. */
  cause: string
  failureCode: SweepFailureCode
  /** Whether the token is to blame, which raises an alert. */
  isTold?: boolean
}

/**
 * Advances one waiting sweep: quotes it outside of a transaction, lends energy or gives gas if its
 * address lacks some, or sends it. A sweep that the chain refuses fails and is planned again later.
 * Throws an Outage if no node answers.
 */
export async function advanceSweep(
  deps: SweepDeps,
  { sweep, fees, send = sendSpend }: { sweep: Sweep; fees: FeeBook; send?: Send },
): Promise<SweepStep> {
  const intent = await draftIntent(deps, { sweep, fees })
  if (intent === 'waits') return 'waits'
  if ('cause' in intent) return refuse(deps, sweep, intent)
  const wanted = { orgId: sweep.orgId, intent, place: 'deposits', payments: async () => 1 } as const
  const lending = await lendEnergy(deps, wanted, send)
  if (lending.state === 'waits') return 'waits'
  if (lending.state === 'stopped') return applyOutcome(deps, { sweep, send, sent: lending.sent })
  if (lending.state === 'first') {
    return giveGasOrRefuse(deps, { sweep, send, needed: lending.needed, available: 0n })
  }
  const asked = { ...intent, ...lentFor(lending) }
  const quote = await quoteSweep(deps, asked)
  if (!quote.ok) {
    const isEarly = lending.state === 'lent' && lending.isFresh
    if (isEarly && quote.code === 'INSUFFICIENT_GAS') return 'waits'
    return applyRefusal(deps, { sweep, quote, fees, send })
  }
  const request = withLoan(requestFor(deps, { sweep, intent, terms: quote.terms }), lending)
  return applyOutcome(deps, { sweep, send, sent: await send(deps, request) })
}

/** The intent of a sweep, or why it fails; `waits` while gas is on the way. */
async function draftIntent(
  deps: SweepDeps,
  { sweep, fees }: { sweep: Sweep; fees: FeeBook },
): Promise<Intent | Failure | 'waits'> {
  const { database, catalogue, entry } = deps
  const { orgId, address, tokenId, chainId } = sweep
  const seen = await database.transaction(async (tx) => ({
    settlement: await readOwnAddress(tx, { orgId, chainId, purpose: 'settlement' }),
    sweepable: (await sweepableAt(tx, { chainId, spots: [sweep] })).get(spotKey(sweep)) ?? 0n,
    isToppedUp: (await topUpsUnderWay(tx, { chainId, addresses: [address] })).size > 0,
    checks: await readTokenChecks(tx),
  }))
  const check = seen.checks.find((one) => one.tokenId === tokenId)
  if ((check?.suspendedAt ?? null) !== null)
    return { cause: 'the token is suspended', failureCode: 'TOKEN_SUSPENDED' }
  if (seen.settlement === null || seen.isToppedUp) return 'waits'
  const isNative = catalogue.nativeToken(entry.id).id === tokenId
  const fee = isNative ? await fees.feeOf(chainId, tokenId) : 0n
  const amount = seen.sweepable - fee
  if (amount <= 0n) {
    const cause = 'the remaining balance is not worth its fee'
    return { cause, failureCode: 'NOT_WORTH_FEE' }
  }
  return { chainId, tokenId, from: address, to: seen.settlement, amount, memo: null }
}

/**
 * The chain's quote. If prices rose since the fee was cached, quotes a smaller native amount, as
 * long as at least half of it arrives.
 */
async function quoteSweep({ adapter, catalogue, caps }: SweepDeps, asked: Intent): Promise<Quote> {
  const within = { ...caps, relativePercent: null }
  const quote = await adapter.quote(asked, within)
  const isNative = catalogue.nativeToken(asked.chainId).id === asked.tokenId
  if (quote.ok || quote.code !== 'INSUFFICIENT_GAS' || !isNative) return quote
  const available = readUnits(quote.details['available']) ?? 0n
  const required = readUnits(quote.details['required']) ?? 0n
  const fee = required - asked.amount
  const amount = available - fee
  return fee > 0n && amount >= fee ? adapter.quote({ ...asked, amount }, within) : quote
}

interface Refused {
  sweep: Sweep
  quote: Exclude<Quote, { ok: true }>
  fees: FeeBook
  send: Send
}

async function applyRefusal(
  deps: SweepDeps,
  { sweep, quote, fees, send }: Refused,
): Promise<SweepStep> {
  const { chainId, tokenId } = sweep
  const { message: cause } = quote
  const isNative = deps.catalogue.nativeToken(chainId).id === tokenId
  switch (quote.code) {
    case 'INSUFFICIENT_GAS':
    case 'NO_GAS_FOR_ESTIMATE': {
      if (isNative) {
        const unworthy = { cause: 'it is not worth its fee', failureCode: 'NOT_WORTH_FEE' } as const
        return refuse(deps, sweep, unworthy)
      }
      const available = readUnits(quote.details['available']) ?? 0n
      const required = readUnits(quote.details['required']) ?? (await fees.feeOf(chainId, tokenId))
      return giveGasOrRefuse(deps, { sweep, send, needed: required, available })
    }
    case 'FEE_TOO_HIGH':
      // Prices fall again; the gas that a token takes does not.
      return quote.details['gasMax'] === undefined
        ? 'over-cap'
        : refuse(deps, sweep, { cause, failureCode: quote.code, isTold: true })
    case 'INSUFFICIENT_BALANCE':
      if (isYoung(deps, sweep)) return 'waits'
      return refuse(deps, sweep, { cause, failureCode: quote.code, isTold: true })
    case 'RECIPIENT_REFUSES':
      return refuse(deps, sweep, { cause, failureCode: quote.code, isTold: true })
  }
}

/**
 * A node may know before the ledger that a fee was paid from there, or that a reorg took a deposit:
 * no token is to blame for that.
 */
function isYoung({ clock }: SweepDeps, { createdAt }: Sweep): boolean {
  return clock.now() - createdAt < BOOKED_WITHIN_MS
}

async function applyOutcome(
  deps: SweepDeps,
  { sweep, send, sent }: { sweep: Sweep; send: Send; sent: Sent },
): Promise<SweepStep> {
  switch (sent.outcome) {
    case 'sent':
      deps.crash?.('sweep.sent')
      return 'sent'
    case 'declined':
    case 'busy':
    case 'refused':
      return 'waits'
    case 'short-of-gas':
      return 'no-gas'
    case 'short-of-native': {
      const isNative = deps.catalogue.nativeToken(sweep.chainId).id === sweep.tokenId
      if (isNative) return 'waits'
      return giveGasOrRefuse(deps, { sweep, send, needed: sent.needed, available: sent.place })
    }
    case 'short-of-token':
      return 'waits'
    case 'halted': {
      const cause = `its address is halted: ${sent.cause}`
      return refuse(deps, sweep, { cause, failureCode: 'SENDER_HALTED' })
    }
    case 'frozen':
      return 'stop'
  }
}

async function giveGasOrRefuse(
  deps: SweepDeps,
  wanted: { sweep: Sweep; send: Send; needed: bigint; available: bigint },
): Promise<SweepStep> {
  const step = await giveGas(deps, wanted)
  if (step !== 'refuses') return step
  const cause = 'its address takes no native currency'
  return refuse(deps, wanted.sweep, { cause, failureCode: 'GAS_REFUSED', isTold: true })
}

/** Fails a sweep before it is signed; raises an alert if the token is the cause. */
async function refuse(
  { database, log }: SweepDeps,
  sweep: Sweep,
  { cause, failureCode, isTold = false }: Failure,
): Promise<SweepStep> {
  const { orgId, id, tokenId, address, chainId } = sweep
  log.info({ sweep: id, tokenId, failureCode, cause }, 'sweep was refused before it was signed')
  await database.transaction(async (tx) => {
    const moved = await moveSweep(tx, { orgId, id, move: SWEEP_MOVES.refuse, cause, failureCode })
    if (moved === null || !isTold) return
    await raiseAlert(tx, {
      code: 'sweep.refused',
      subject: tokenId,
      message: `${tokenId} cannot be swept from ${displayAddress(chainId, address)}: ${cause}.`,
      details: { chainId, address, amount: sweep.amount.toString() },
    })
  })
  return 'refused'
}

function readUnits(text: string | undefined): bigint | null {
  return text !== undefined && /^[0-9]{1,78}$/.test(text) ? BigInt(text) : null
}
