import { assert } from '../../base/assert.ts'
import { sum } from '../../base/amount.ts'
import type { Address, CoinsReservation, Intent } from '../../chains/port.ts'
import { type Terms, coinTermsOf, feeCapOf } from '../../chains/spending.ts'
import type { OwnCoin } from './coin.ts'
import { freeCoins } from './free.ts'
import type { Tx } from '../../store/database.ts'
import { bearFee } from '../core/bear-fee.ts'
import { broadcastStored } from '../core/broadcast.ts'
import { type Stored, Unsent, commitSpend } from '../core/commit-spend.ts'
import { type Fit, fitPayments } from './fit-payments.ts'
import { jointIntent } from './joint-intent.ts'
import type { JointMandate, Payment, Sent, SpendMeans } from '../core/mandate.ts'
import { type Office, enterOffice } from '../core/office.ts'
import { prepareSender } from '../prepare.ts'
import { UNMINED_MAX } from '../core/sender.ts'
import { feeOf } from './sign-coins.ts'
import { selectSpend, selectUnmined } from '../core/spend-rows.ts'
import { ownCoins, storeCoins } from './store-coins.ts'
import { selectStandingFor } from '../core/subject-rows.ts'

/** The coins would suffice, and what they cost to spend is more than may be paid for it. */
export type SentTogether = Sent | { outcome: 'too-dear' }

/** Carries that out of a transaction that is to have no effect. */
class TooDear extends Error {
  override readonly name = 'TooDear'
}

/**
 * Makes payments with one transaction of coins, each once: as `sendSpend` does, with coins in the
 * place of a nonce. Those that are not wanted any more drop out, and those that the free coins do
 * not suffice for; the outcome is `short-of-native` where they suffice for none.
 */
export async function payTogether(means: SpendMeans, mandate: JointMandate): Promise<SentTogether> {
  const { orgId, from: address, payments } = mandate
  if (!(await prepareSender(means, address))) return { outcome: 'busy' }
  means.crash?.('send.prepared')
  const [first] = payments
  assert(first !== undefined, 'a payment of nobody', { orgId })
  const stored = await signOrSay(means, mandate, {
    address,
    purpose: 'withdrawal',
    subjectId: first.subjectId,
  })
  if ('outcome' in stored) return stored
  means.crash?.('send.committed')
  const { spend, raw, height } = stored
  await broadcastStored(means, { ...spend, raw, height }, 'send')
  return { outcome: 'sent', spend }
}

async function signOrSay(
  means: SpendMeans,
  mandate: JointMandate,
  signatory: Parameters<typeof commitSpend>[1],
): Promise<Stored | SentTogether> {
  const { orgId, payments } = mandate
  const subjectIds = payments.map(({ subjectId }) => subjectId)
  try {
    return await commitSpend(
      means,
      signatory,
      (tx) => signAndStore(tx, means, mandate),
      async (tx) => {
        const [id] = await selectStandingFor(tx, { orgId, subjectIds })
        return id === undefined ? null : selectSpend(tx, { orgId, id })
      },
    )
  } catch (error) {
    if (error instanceof TooDear) return { outcome: 'too-dear' }
    throw error
  }
}

async function signAndStore(tx: Tx, means: SpendMeans, mandate: JointMandate): Promise<Stored> {
  const { catalogue } = means
  const office = await enterOffice(tx, means, mandate.from)
  if ('outcome' in office) throw new Unsent(office)
  const { sender } = office
  const { orgId, chainId, address } = sender
  means.crash?.('send.locked')
  assert(orgId === mandate.orgId, 'a spend of coins of another organization', { address })
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) throw new Unsent({ outcome: 'busy' })
  const coins = await freeCoins(tx, { orgId, chainId })
  const wanted = await claimed(tx, mandate)
  means.crash?.('send.claimed')
  const { payments, reservation, intent, terms } = fit(means, { office, mandate, wanted, coins })
  const chosen = { coins: ownCoins(reservation, coins), change: reservation.change }
  const fee = feeOf({ ...chosen, intent })
  const referenceId = payments[0]?.subjectId ?? ''
  const shortage = await bearFee(tx, { catalogue, sender, fee, referenceId })
  if (shortage !== null) throw new Unsent(shortage)
  const id = tx.ids.next()
  const spending = {
    office,
    id,
    purpose: 'withdrawal',
    intent,
    terms,
    payments,
    ...chosen,
  } as const
  const stored = await storeCoins(tx, means, spending)
  await mandate.sent(tx, stored.spend, payments)
  tx.beforeCommit(async () => means.crash?.('send.told'))
  return stored
}

/** The asker's claim, and that nobody was paid before, whatever the asker's rows say. */
async function claimed(tx: Tx, mandate: JointMandate): Promise<readonly Payment[]> {
  const { orgId } = mandate
  const payments = await mandate.claim(tx)
  if (payments.length === 0) throw new Unsent({ outcome: 'declined' })
  const subjectIds = payments.map(({ subjectId }) => subjectId)
  const standing = await selectStandingFor(tx, { orgId, subjectIds })
  assert(standing.length === 0, 'a subject that has its spend is to be paid again', { standing })
  return payments
}

interface Fitting {
  office: Office
  mandate: JointMandate
  wanted: readonly Payment[]
  coins: readonly OwnCoin[]
}

/** What can be paid now, under terms whose cap is that of just these payments. */
function fit(means: SpendMeans, given: Fitting): Fit & { intent: Intent; terms: Terms } {
  const { mandate, wanted, coins } = given
  const best = fitPayments(wanted, chooser(means, given, termsFor(means, mandate)))
  if (best !== null) {
    const intent = intentFor(means, mandate, best.payments)
    return { ...best, intent, terms: termsFor(means, mandate)(intent) }
  }
  const boundless = { ...coinTermsOf(mandate.terms), maxFee: sum(coins.map((one) => one.amount)) }
  const anyhow = fitPayments(
    wanted,
    chooser(means, given, () => boundless),
  )
  if (anyhow !== null) throw new TooDear('the coins cost more to spend than may be paid')
  const place = sum(coins.map(({ amount }) => amount))
  const needed = wanted[0]?.amount ?? 0n
  throw new Unsent({ outcome: 'short-of-native', place, needed })
}

function chooser(
  means: SpendMeans,
  { office, mandate, coins }: Fitting,
  terms: (intent: Intent) => Terms,
): (payments: readonly Payment[]) => CoinsReservation | null {
  const { address: change } = office.sender
  return (payments) => {
    const intent = intentFor(means, mandate, payments)
    return means.adapter.choose(intent, terms(intent), { coins, change })
  }
}

/** As quoted, with no higher cap than these payments by themselves would have. */
function termsFor({ caps }: SpendMeans, { terms }: JointMandate): (intent: Intent) => Terms {
  const quoted = coinTermsOf(terms)
  return (intent) => {
    const cap = feeCapOf(intent, caps)
    return { ...quoted, maxFee: cap < quoted.maxFee ? cap : quoted.maxFee }
  }
}

function intentFor(
  { catalogue, entry }: SpendMeans,
  { from }: { from: Address },
  payments: readonly Payment[],
): Intent {
  const tokenId = catalogue.nativeToken(entry.id).id
  return jointIntent({ chainId: entry.id, tokenId, from }, payments)
}
