import { assert } from '../base/assert.ts'
import { type Terms, coinTermsOf, feeCapOf } from '../chains/spending.ts'
import { pointKey } from '../coins/coin.ts'
import { freeCoins } from '../coins/free.ts'
import { reserveCoins } from '../coins/reserve.ts'
import type { Tx } from '../store/database.ts'
import { bearFee } from './bear-fee.ts'
import { broadcastStored } from './broadcast.ts'
import { type Replacing, capOf, tellStuck } from './bump.ts'
import { type Stored, commitSpend } from './commit-spend.ts'
import { insertInputs } from './input-rows.ts'
import type { SpendMeans } from './mandate.ts'
import { raiseChild } from './raise-child.ts'
import { feeOf, signCoins } from './sign-coins.ts'
import { replaceRow, selectSpend } from './spend-rows.ts'
import { ownCoins } from './store-coins.ts'
import { storeTransaction } from './store.ts'
import { type StuckCoins, readStuck } from './stuck-coins.ts'

/**
 * Replaces the transaction of a spend of coins by a dearer one that pays the same and spends all
 * that the first one did, so that at most one of all of them can be included (W18); more coins are
 * taken where what returns does not pay for it. Where no replacement is possible, a child pays for
 * it out of what returns, once. False where neither is (an alert says so), and where there is no
 * need.
 */
export async function bumpCoins(means: SpendMeans, given: Replacing): Promise<boolean> {
  const { spend } = given
  const absolute = feeCapOf(spend, { ...means.caps, ...capOf(spend) })
  const replaced = await replaceWithin(means, given, absolute)
  if (replaced === 'no need') return false
  if (replaced !== 'no coins') {
    means.crash?.('bump.committed')
    await broadcastStored(means, { ...spend, ...replaced }, 'bump')
    return true
  }
  if (await raiseChild(means, given)) return true
  return tellStuck(means, spend, 'neither a dearer one nor a child can be paid for')
}

function replaceWithin(
  means: SpendMeans,
  given: Replacing,
  absolute: bigint,
): Promise<Replaced | Refused> {
  const terms = means.adapter.bump(given.last.terms, given.rate, { absolute })
  return terms === null
    ? Promise.resolve('no coins' as const)
    : signReplacement(means, { ...given, terms })
}

/** Bytes of a replacement that is committed. */
type Replaced = Stored & { txnHash: string }

/** Why there is no replacement. */
type Refused = 'no need' | 'no coins'

/** Carries that out of a transaction that is to have no effect. */
class Unreplaced extends Error {
  override readonly name = 'Unreplaced'
  readonly why: Refused

  constructor(why: Refused) {
    super(why)
    this.why = why
  }
}

async function signReplacement(
  means: SpendMeans,
  given: Replacing & { terms: Terms },
): Promise<Replaced | Refused> {
  const { spend } = given
  try {
    const stored = await commitSpend(
      means,
      { ...spend, address: spend.sender },
      (tx) => replace(tx, means, given),
      // It cannot be told from the one before it: what stands is looked after in the next round.
      async () => null,
    )
    if ('outcome' in stored) return 'no need'
    return { ...stored, txnHash: stored.spend.txnHash }
  } catch (error) {
    if (error instanceof Unreplaced) return error.why
    throw error
  }
}

async function replace(
  tx: Tx,
  means: SpendMeans,
  { spend, last, terms }: Replacing & { terms: Terms },
): Promise<Stored> {
  const stuck = await readStuck(tx, means, { spend, last })
  if (stuck === null) throw new Unreplaced('no need')
  const { office, spend: now, intent, count } = stuck
  const { sender, height } = office
  const { orgId, chainId } = sender
  const choice = await chooseAgain(tx, means, { stuck, terms })
  if (choice === null) throw new Unreplaced('no coins')
  const { coins, more } = choice
  const fee = feeOf({ ...choice, intent })
  await bearMore(tx, means, { stuck, fee })
  const paid = { ...coinTermsOf(terms), maxFee: fee }
  const signing = { sender, intent, terms: paid, coins, change: choice.change }
  const signed = await signCoins(tx, means, signing)
  means.crash?.('bump.signed')
  await storeTransaction(tx, { spend: now, number: count + 1, signed, terms: paid, height })
  const { txnHash, raw } = signed
  await insertInputs(tx, { orgId, chainId, txnHash, coins })
  await reserveCoins(tx, { orgId, chainId, spendId: now.id, coins: more })
  const moved = await replaceRow(tx, { spend: now, txnHash, maxFee: fee })
  assert(moved, 'a spend moved although it was locked', { id: now.id })
  const replaced = await selectSpend(tx, now)
  assert(replaced, 'a spend that is gone', { id: now.id })
  tx.beforeCommit(async () => means.crash?.('bump.stored'))
  return { spend: replaced, raw, height }
}

/** All that the first transaction spends is spent again, and so is all of the one before. */
async function chooseAgain(
  tx: Tx,
  { adapter }: SpendMeans,
  { stuck, terms }: { stuck: StuckCoins; terms: Terms },
) {
  const { office, intent, coins: before, firsts, fee } = stuck
  const { orgId, chainId, address: change } = office.sender
  const free = await freeCoins(tx, { orgId, chainId })
  const offer = { coins: free, change, stuck: { coins: before, fee } }
  const reservation = adapter.choose(intent, terms, offer)
  if (reservation === null) return null
  const coins = ownCoins(reservation, [...before, ...free])
  const chosen = new Set(coins.map(pointKey))
  const shares = firsts.length > 0 && firsts.every((coin) => chosen.has(pointKey(coin)))
  assert(shares, 'a replacement that leaves coins out', { id: stuck.spend.id })
  const had = new Set(before.map(pointKey))
  const more = coins.filter((coin) => !had.has(pointKey(coin)))
  return { coins, more, change: reservation.change }
}

async function bearMore(
  tx: Tx,
  { catalogue }: SpendMeans,
  { stuck, fee }: { stuck: StuckCoins; fee: bigint },
): Promise<void> {
  const { office, spend, payments } = stuck
  const isOwn = payments.length === 0
  const referenceId = payments[0]?.subjectId ?? spend.id
  const more = { fee: fee - spend.maxFee, referenceId, isOwn }
  const shortage = await bearFee(tx, { catalogue, sender: office.sender, ...more })
  if (shortage !== null) throw new Unreplaced('no coins')
}
