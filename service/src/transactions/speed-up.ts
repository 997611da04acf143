import type { SpeedUpReason } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { PaymentBuilder } from '../chains/chain-adapter.ts'
import { feeCapOf, type FeeCaps, rateOfTerms } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import type { SpendRecord } from './core/read.ts'
import { capOf } from './core/replacing.ts'
import {
  type EarlierSpend,
  hasChild,
  selectFirstUnmined,
  selectSpeedUps,
  upsertSpeedUp,
} from './core/speed-up-rows.ts'
import type { Spend } from './core/spend.ts'

/** What limits the fee of a chain; null where this process does not know it. */
export interface FeeRules {
  entry: ChainEntry
  adapter: Pick<PaymentBuilder, 'bump'> | null
  caps: FeeCaps | null
}

/** Whether the transaction of a spend can be replaced now. */
export interface SpeedUpOutlook {
  /** Null if it can. */
  reason: SpeedUpReason | null
  /** The spend that must be included before; only with the reason `earlier`. */
  earlier: EarlierSpend | null
  /** When a replacement of the current transaction was requested. */
  requestedAt: Millis | null
}

/**
 * Whether a request to replace the current transaction of a spend can be accepted now. No node is
 * queried, and the spender still decides: it replaces within the caps, the gas and the balance.
 */
export async function foreseeSpeedUp(
  tx: Tx,
  rules: FeeRules,
  spend: SpendRecord,
): Promise<SpeedUpOutlook> {
  const requests = await selectSpeedUps(tx, [spend])
  const request = requests.find(({ txnHash }) => txnHash === spend.txnHash)
  const isOpen = spend.state === 'Sent'
  const requestedAt = isOpen ? (request?.requestedAt ?? null) : null
  const earlier = isOpen ? await findEarlier(tx, rules, spend) : null
  const reason = await obstacleTo(tx, rules, { spend, earlier })
  return { reason, earlier: reason === 'earlier' ? earlier : null, requestedAt }
}

/**
 * Records a request that `foreseeSpeedUp` has no objection to. It is good for one replacement of
 * the current transaction. False if it was recorded before.
 */
export function requestReplacement(tx: Tx, spend: Spend): Promise<boolean> {
  return upsertSpeedUp(tx, spend)
}

async function obstacleTo(
  tx: Tx,
  rules: FeeRules,
  { spend, earlier }: { spend: SpendRecord; earlier: EarlierSpend | null },
): Promise<SpeedUpReason | null> {
  if (spend.state === 'Displaced') return 'ended'
  if (spend.state !== 'Sent') return 'included'
  const terms = spend.transactions.find(({ txnHash }) => txnHash === spend.txnHash)?.terms
  if (terms === undefined) return 'unsigned'
  const rate = rateOfTerms(terms)
  if (rate === null) return 'expires'
  if (earlier !== null) return 'earlier'
  const { entry, adapter, caps } = rules
  const isUtxo = entry.paymentModel === 'utxo'
  const hashes = spend.transactions.map(({ txnHash }) => txnHash)
  if (isUtxo && (await hasChild(tx, { chainId: spend.chainId, hashes }))) return 'child'
  if (adapter === null || caps === null) return null
  // On Bitcoin a child may pay for what the relative cap allows no replacement of.
  const absolute = isUtxo ? caps.absolute : feeCapOf(spend, { ...caps, ...capOf(spend) })
  return adapter.bump(terms, rate, { absolute }) === null ? 'feeCap' : null
}

/** The spend with a lower nonce that must be included first; null without one. */
async function findEarlier(
  tx: Tx,
  { entry }: FeeRules,
  spend: SpendRecord,
): Promise<EarlierSpend | null> {
  if (entry.accountNumbers === 'none' || spend.ticket) return null
  const first = await selectFirstUnmined(tx, spend)
  return first === null || first.id === spend.id ? null : first
}
