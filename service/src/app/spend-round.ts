import type { AccountKeys } from '../accounts/wallet.ts'
import { readShort } from '../audit/short.ts'
import { Outage } from '../base/fault.ts'
import { logOutage, logSuccess, type OutageLog } from '../base/log.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import { unsettledAmounts } from '../deposits/list.ts'
import type { DustBook } from '../gas/dust.ts'
import type { FeeBook } from '../gas/fee-book.ts'
import { takeBackEnergy } from '../gas/take-back.ts'
import { keepGas } from '../gas/tick.ts'
import { ensureOwnAddresses } from '../gas/wallets.ts'
import { askBranch } from '../scanner/ask-branch.ts'
import { consolidateCoins } from '../transactions/consolidate.ts'
import type { SpendDeps } from '../transactions/core/payment-request.ts'
import { registerOwnSenders } from '../transactions/prepare.ts'
import { readyBaseAccounts } from '../transactions/ready-base.ts'
import { resendSpends } from '../transactions/resend.ts'
import { stockTickets } from '../transactions/stock-tickets.ts'
import { LeaseLost } from '../store/lease.ts'
import type { SweepRound } from '../sweeps/gather.ts'
import type { SweepDeps } from '../sweeps/deps.ts'
import { sweepChain } from '../sweeps/tick.ts'
import { demandOf, starvedOn } from '../withdrawals/pay/demand.ts'
import type { WithdrawalDeps } from '../withdrawals/pay/inspect.ts'
import { processWithdrawals } from '../withdrawals/pay/process.ts'
import { resolveWaiting } from '../withdrawals/pay/alerts.ts'

/** Dependencies of spending on a chain, for one term of its lease. */
export interface Spender extends Omit<WithdrawalDeps, 'crash'>, SweepDeps {
  keys: AccountKeys & SpendDeps['keys']
  /** Aborts when the lease is lost. */
  term: AbortSignal
  /** Blocks after which an unmined transaction is replaced by one with a higher fee. */
  bumpAfterBlocks: number
  /** A gas wallet is low when it pays for fewer sweeps. */
  gasLowSweeps: number
  fees: FeeBook
  /** Cache of the gas on deposit addresses; without one it is counted in each round. */
  dust?: DustBook
  /** How far the look at all deposit addresses has come. */
  round: SweepRound
}

/**
 * One round on a chain: opens and prepares own addresses, looks after unmined spends, then sends
 * withdrawals, gas and sweeps. A step that fails does not stop the others. Returns the number of
 * steps that may have emitted events.
 */
export async function spendRound(base: Spender): Promise<number> {
  const spender = { ...base, askBranch: onceIn(base) }
  const { database, entry, keys } = spender
  let sent = 0
  const step = (name: string, work: () => Promise<number>) =>
    attempt(spender, name, async () => {
      if (!spender.term.aborted) sent += await work()
    })
  await step('own addresses', () => ensureOwnAddresses(database, { keys, entry }))
  await step('own senders', () => done(registerOwnSenders(spender)))
  await step('base accounts', () => done(readyBaseAccounts(spender)))
  await step('tickets', () => done(stockTickets(spender)))
  await step('spends that are not mined', () => resend(spender))
  await step('withdrawals', () => pay(spender))
  await step('withdrawals that waited', () => resolveWaiting(spender))
  if (entry.paymentModel === 'utxo') {
    // Bitcoin spends pay their fee from their inputs, wherever these are.
    await step('coins', () => joinCoins(spender))
    return sent
  }
  const { id: chainId } = entry
  const demands = () => database.transaction((tx) => demandOf(tx, { chainId }))
  const { fees, dust, gasLowSweeps: lowAt, round } = spender
  const gas = { fees, lowAt, unsettled: unsettledAmounts, ...(dust && { dust }) }
  const starved = () => database.transaction((tx) => starvedOn(tx, { chainId }))
  await step('gas', async () =>
    keepGas(spender, { ...gas, demands: await demands(), starved: await starved() }),
  )
  await step('sweeps', async () => {
    const swept = await sweepChain(spender, { fees, round, demands: await demands() })
    return swept.sent + swept.toppedUp
  })
  await step('lent energy', () => takeBackEnergy(spender))
  return sent
}

/** Asks nodes about their branch when it is called first in a round, and not again. */
function onceIn(spender: Spender): () => Promise<void> {
  let asked: Promise<void> | null = null
  const required = spender.catalogue.required(spender.entry.id)
  return () => (asked ??= askBranch({ ...spender, required }))
}

/**
 * Does one thing, and waits out what keeps it from being done: an outage, or a bug, which is logged
 * loudly. Whether it was done.
 */
export async function attempt(
  { entry, log, clock }: Pick<Spender, 'entry' | 'log'> & OutageLog,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const step = `${name} ${entry.id}`
  try {
    await work()
    logSuccess({ clock, log }, step)
    return true
  } catch (error) {
    const told = { chainId: entry.id, step: name, err: error }
    if (error instanceof LeaseLost) log.info(told, 'spender lease is held by another process')
    else if (error instanceof Outage) logOutage({ clock, log }, { work: step, outage: error })
    else log.error(told, 'a step of the spender failed')
    return false
  }
}

/** Work that emits no events. */
async function done(work: Promise<unknown>): Promise<number> {
  await work
  return 0
}

async function pay(spender: Spender): Promise<number> {
  const { database, entry } = spender
  const short = await database.transaction((tx) => readShort(tx, entry))
  return processWithdrawals({ ...spender, short })
}

async function joinCoins(spender: Spender): Promise<number> {
  const { joining } = spender
  return joining === undefined ? 0 : consolidateCoins(spender, joining)
}

async function resend(spender: Spender): Promise<number> {
  const { database, entry, bumpAfterBlocks } = spender
  const state = await database.transaction((tx) => readChainState(tx, entry.id))
  if (state === null) return 0
  const at = { height: state.tip.height, final: state.final?.height ?? null }
  const { bumped } = await resendSpends(spender, { bumpAfterBlocks, ...at })
  return bumped
}
