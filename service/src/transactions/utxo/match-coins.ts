import type { ChainId } from '@sluice/wire'
import { readOwnAddress } from '../../accounts/own-address.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Block, Transfer } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { MatchedTransaction } from '../core/hooks.ts'
import type { Payment } from '../core/payment-request.ts'
import { selectSendersAmong } from '../core/sender-rows.ts'
import type { Sender } from '../core/sender.ts'
import { lockSpends } from '../core/spend-rows.ts'
import type { Spend } from '../core/spend.ts'
import { paymentsOf } from '../core/subjects.ts'
import { selectSpendIds } from '../core/transaction-rows.ts'
import { coinsSpentBy } from './coin-rows.ts'
import { pointKey } from './coin.ts'
import { selectInputs } from './input-rows.ts'
import { sharedInputsOf } from './judge-coins.ts'

/**
 * The transactions of these blocks that spend coins of ours, in the order of the chain: those that
 * we signed, known by their hashes, and those of strangers, which count as the settlement
 * account's. After the coins of these blocks were marked as spent.
 */
export async function matchCoins(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<MatchedTransaction[]> {
  const chainId = entry.id
  const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ txnHash }) => txnHash))
  const keys = await selectSpendIds(tx, { chainId, hashes })
  const spends = new Map((await lockSpends(tx, [...keys.values()])).map((one) => [one.id, one]))
  const strangers = hashes.filter((txnHash) => !keys.has(txnHash))
  const owners = await ownersOf(tx, { chainId, hashes: strangers })
  const senders = await sendersOf(tx, { chainId, spends: [...spends.values()], owners })
  return blocks.flatMap((block) =>
    block.transactions.flatMap((outcome, rank): MatchedTransaction[] => {
      const { txnHash } = outcome
      const spend = spends.get(keys.get(txnHash)?.id ?? '') ?? null
      const sender = senders.get(spend?.orgId ?? owners.get(txnHash) ?? '')
      return sender === undefined ? [] : [{ block, rank, outcome, sender, spend }]
    }),
  )
}

/** Organizations whose coins foreign transactions spend, by hash. */
async function ownersOf(
  tx: Tx,
  transactions: { chainId: ChainId; hashes: readonly string[] },
): Promise<Map<string, string>> {
  const taken = await coinsSpentBy(tx, transactions)
  return new Map(taken.map(({ spent, orgId }) => [spent?.txnHash ?? '', orgId]))
}

/** Spends of ours, and the organizations whose coins other transactions spend, by hash. */
interface Concerned {
  chainId: ChainId
  spends: readonly Spend[]
  owners: ReadonlyMap<string, string>
}

/** The settlement accounts of all whom the transactions concern, by organization. */
async function sendersOf(
  tx: Tx,
  { chainId, spends, owners }: Concerned,
): Promise<Map<string, Sender>> {
  const orgIds = new Set([...spends.map(({ orgId }) => orgId), ...owners.values()])
  const addresses = await Promise.all(
    [...orgIds].map((orgId) => readOwnAddress(tx, { orgId, chainId, purpose: 'settlement' })),
  )
  const known = addresses.filter((address) => address !== null)
  if (known.length === 0) return new Map()
  const senders = await selectSendersAmong(tx, { chainId, addresses: known })
  return new Map(senders.map((sender) => [sender.orgId, sender]))
}

/**
 * The spend that an unknown transaction replaces: it pays exactly the same and spends an input of
 * all the spend's transactions, so it excludes all of them. This happens if a backup is older than
 * a replacement (W25). `pays`: whether it pays any recipient of these spends.
 */
export async function twinOfCoins(
  tx: Tx,
  { block, outcome }: Pick<MatchedTransaction, 'block' | 'outcome'>,
  chainId: ChainId,
): Promise<{ twin: Spend | null; pays: boolean }> {
  const { txnHash } = outcome
  const taken = await coinsSpentBy(tx, { chainId, hashes: [txnHash] })
  const keys = new Map(
    taken.flatMap(({ orgId, spendId }) =>
      spendId === null ? [] : [[spendId, { orgId, id: spendId }] as const],
    ),
  )
  const transfers = block.transfers.filter((one) => one.txnHash === txnHash)
  const gone = new Set(taken.map(pointKey))
  let pays = false
  for (const spend of await lockSpends(tx, [...keys.values()])) {
    if (spend.state !== 'Sent' || spend.purpose !== 'withdrawal') continue
    const shown = await paymentsOf(tx, spend)
    const paysAll = shown.every((payment, at) => isPaid(transfers, payment, `out:${at}`))
    if (paysAll && (await needsAny(tx, spend, gone))) return { twin: spend, pays: true }
    pays ||= shown.some((payment) => isPaid(transfers, payment))
  }
  return { twin: null, pays }
}

/** Whether no transaction of a spend can do without one of these coins. */
async function needsAny(tx: Tx, spend: Spend, coins: ReadonlySet<string>): Promise<boolean> {
  const sharedInputs = sharedInputsOf(await selectInputs(tx, [spend])).get(spend.id) ?? []
  return sharedInputs.some((input) => coins.has(pointKey(input)))
}

function isPaid(transfers: readonly Transfer[], payment: Payment, position?: string): boolean {
  return transfers.some(
    (one) =>
      one.to === payment.to &&
      one.amount === payment.amount &&
      (position === undefined || one.position === position),
  )
}
