import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { Refusal } from '../../base/fault.ts'
import { readChainState } from '../../catalogue/chain-state.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { UtxoAdapter } from '../../chains/chain-adapter.ts'
import type { BlockRef } from '../../chains/port.ts'
import { writeAudit } from '../../audit-log/write-audit.ts'
import type { StillSigns } from '../../orgs/still-signs.ts'
import type { Tx } from '../../store/database.ts'
import type { HooksByPurpose } from '../core/hooks.ts'
import { selectPaying } from '../core/foreign-rows.ts'
import type { Payment } from '../core/payment-request.ts'
import { lockSpends, selectSpend } from '../core/spend-rows.ts'
import type { Spend } from '../core/spend.ts'
import { paymentsOf } from '../core/subjects.ts'
import { selectSpendIds, selectTransactions } from '../core/transaction-rows.ts'
import { coinsAt } from './coin-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { confirmRow, type GiveUpWord, lockWord, proposeRow } from './give-up-rows.ts'
import { selectInputs } from './input-rows.ts'
import { deadFor, sharedInputsOf } from './judge-coins.ts'
import { endCoins } from './settle-coins.ts'

/** A spend that operators want to give up. */
export interface GivingUp {
  catalogue: Catalogue
  orgId: string
  spendId: string
  /** Proceed although another transaction paid some of the same recipients. */
  despitePayment: boolean
}

/** A spend that may be given up, as far as our blocks say. */
export interface Unincludable {
  spend: Spend
  /** Whom it was to pay. */
  payments: readonly Payment[]
  /** Of all its transactions. */
  hashes: readonly string[]
  /** Inputs of every one of them. */
  sharedInputs: readonly OwnCoin[]
}

/**
 * Locks a Bitcoin spend that can be given up: the inputs of all its transactions have left the
 * chain or were spent by others, or one of them permanently. Refuses with NOT_FOUND, and with
 * BAD_REQUEST if the spend is not in state `Sent`, spends no coins, can still be replaced, spends
 * the change of a waiting payment of ours, or if another transaction paid some of the same
 * recipients.
 */
export async function lockUnincludable(tx: Tx, request: GivingUp): Promise<Unincludable> {
  const { orgId, spendId: id, catalogue, despitePayment } = request
  const [spend] = await lockSpends(tx, [{ orgId, id }])
  if (spend === undefined) throw new Refusal('NOT_FOUND', { id }, `Spend not found: ${id}.`)
  const entry = catalogue.chain(spend.chainId)
  if (entry === null || entry.paymentModel !== 'utxo') throw refuse(spend, 'spends no coins')
  if (spend.state !== 'Sent') throw refuse(spend, `is ${spend.state}`)
  const { chainId } = spend
  const inputs = await selectInputs(tx, [spend])
  const sharedInputs = await coinsAt(tx, { chainId, points: sharedInputsOf(inputs).get(id) ?? [] })
  const upTo = await settledUpTo(tx, request, entry)
  const dead = await deadFor(tx, { chainId, coins: sharedInputs, upTo })
  const ended = sharedInputs.filter((coin) => dead.has(pointKey(coin)) || isTaken(coin, upTo))
  const there = sharedInputs.filter((coin) => coin.block !== null && !isTaken(coin, upTo))
  if (ended.length === 0 && there.length > 0) {
    const keys = there.map(pointKey).join(' and ')
    throw refuse(spend, `can still be included or replaced: ${keys} is unspent`)
  }
  const parent = await waitingParent(tx, { chainId, sharedInputs })
  if (parent !== null)
    throw refuse(spend, `spends the change of ${parent}, which is not included yet`)
  const takers = (await coinsAt(tx, { chainId, points: inputs })).flatMap(({ spent }) =>
    spent === null ? [] : [spent.txnHash],
  )
  const [paying] = await selectPaying(tx, { chainId, hashes: takers })
  if (paying !== undefined && !despitePayment) {
    const says = `${paying}, which pays some of the same recipients (--despite-payment)`
    throw refuse(spend, `was overtaken by ${says}`)
  }
  const hashes = (await selectTransactions(tx, [spend])).map(({ txnHash }) => txnHash)
  return { spend, payments: await paymentsOf(tx, spend), hashes, sharedInputs }
}

/**
 * Gives a spend up after two people confirmed it: the first proposes, the second ends it, and its
 * payments fail and are released. Both must agree on `despitePayment`, because a payment may appear
 * or disappear in between. A proposal expires if another transaction is signed for the spend or if
 * its author no longer is a signer. Audit-logged. Refuses as `lockUnincludable` does, and with
 * BAD_REQUEST if the same person confirms twice.
 */
export async function giveUpCoins(
  tx: Tx,
  request: GivingUp & {
    hooks: HooksByPurpose
    stillSigns: StillSigns
    userId: string
    reason: string
  },
): Promise<Unincludable & { state: 'Proposed' | 'GivenUp' }> {
  const { hooks, stillSigns, userId, reason, despitePayment } = request
  const unincludable = await lockUnincludable(tx, request)
  const { spend, hashes, payments } = unincludable
  const word = { proposedBy: userId, transactions: hashes.length, despitePayment }
  const first = await lockWord(tx, spend)
  const isSaid = first !== null && saysTheSame(first, word)
  if (isSaid && first.proposedBy === userId) {
    throw new Refusal('BAD_REQUEST', { userId }, 'A second person must confirm this.')
  }
  const isSecond =
    isSaid && (await stillSigns(tx, { orgId: spend.orgId, userId: first.proposedBy }))
  if (isSecond) {
    const confirmed = await confirmRow(tx, { spend, userId })
    assert(confirmed, 'spend was given up already', { id: spend.id })
    await endCoins(tx, { spend, hooks })
  } else await proposeRow(tx, { spend, word })
  const subjects = payments.map(({ subjectId }) => subjectId)
  await writeAudit(tx, {
    orgId: spend.orgId,
    actor: `user:${userId}`,
    action: isSecond ? 'spend.give-up' : 'spend.propose-give-up',
    object: spend.id,
    details: { reason, hashes, subjects, despitePayment },
  })
  return { ...unincludable, state: isSecond ? 'GivenUp' : 'Proposed' }
}

function saysTheSame(one: GiveUpWord, other: GiveUpWord): boolean {
  return one.transactions === other.transactions && one.despitePayment === other.despitePayment
}

/** Our waiting transaction whose change is one of the absent coins; null if not found. */
async function waitingParent(
  tx: Tx,
  { chainId, sharedInputs }: { chainId: ChainId; sharedInputs: readonly OwnCoin[] },
): Promise<string | null> {
  const hashes = sharedInputs.filter(({ block }) => block === null).map(({ txnHash }) => txnHash)
  const keys = await selectSpendIds(tx, { chainId, hashes })
  for (const [txnHash, key] of keys) {
    if ((await selectSpend(tx, key))?.state === 'Sent') return txnHash
  }
  return null
}

/**
 * The highest block that counts as settled, by depth alone: chains of coins name no final ones.
 * Refuses where the chain does not run: its operator looks at that first.
 */
async function settledUpTo(tx: Tx, { catalogue }: GivingUp, entry: ChainEntry): Promise<number> {
  const state = await readChainState(tx, entry.id)
  if (state?.condition === 'running') return state.tip.height - catalogue.required(entry.id)
  throw new Refusal('BAD_REQUEST', { chainId: entry.id }, `${entry.id} is not running.`)
}

/** Whether a block that counts as settled has it spent; by whom no block is known to have else. */
function isTaken({ spent }: OwnCoin, upTo: number): boolean {
  return spent !== null && spent.height <= upTo
}

function refuse({ id }: Spend, why: string): Refusal {
  return new Refusal('BAD_REQUEST', { id }, `The spend ${id} ${why}.`)
}

/**
 * Checks with the nodes that a spend cannot be included. Refuses with BAD_REQUEST if they are not
 * at our tip, know a coin that our blocks have lost, or hold in their pools one of the spend's
 * transactions or one that would bring such a coin back. Throws an Outage if a node cannot answer.
 */
export async function refuseIncludable(
  adapter: Pick<UtxoAdapter, 'tip' | 'unspent' | 'waiting'>,
  {
    unincludable,
    tip,
  }: { unincludable: Pick<Unincludable, 'spend' | 'hashes' | 'sharedInputs'>; tip: BlockRef },
): Promise<void> {
  const { spend, hashes, sharedInputs } = unincludable
  const { head } = await adapter.tip()
  if (head.hash !== tip.hash) throw refuseNow(spend, 'our tip is not the head of the nodes')
  const absent = sharedInputs.filter(({ block }) => block === null)
  const found = await adapter.unspent(absent)
  const back = absent.find((_, at) => found[at] !== false)
  if (back !== undefined) throw refuseNow(spend, `a node still has ${back.txnHash}:${back.vout}`)
  const asked = [...new Set([...hashes, ...absent.map(({ txnHash }) => txnHash)])]
  const waits = await adapter.waiting(asked)
  const waiting = asked.find((_, at) => waits[at] !== false)
  if (waiting !== undefined) throw refuseNow(spend, `${waiting} waits for a block`)
}

function refuseNow({ id }: { id: string }, why: string): Refusal {
  return new Refusal('BAD_REQUEST', { id }, `The spend ${id} cannot be given up now: ${why}.`)
}
