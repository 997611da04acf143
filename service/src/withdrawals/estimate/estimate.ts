import type { EstimatedBalance, EstimatedFee, TokenId, WithdrawalEstimate } from '@sluice/wire'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { nativeTokenId } from '../../catalogue/chains.ts'
import { displayAddress } from '../../chains/format-address.ts'
import { type FeeCaps, feeCapOf } from '../../chains/spending.ts'
import { requireCallers } from '../../orgs/require-caller.ts'
import { readMinHumans } from '../../orgs/signers.ts'
import { requireAuthentic } from '../../orgs/thresholds.ts'
import type { Tx } from '../../store/database.ts'
import type { MacKey } from '../mac.ts'
import { checkEstimate, type Creation, type Offers } from '../request/check.ts'
import { readPicture } from '../request/picture.ts'
import { observe } from './observe.ts'
import { type Observed, warningsOf } from './warn.ts'

/** A request to estimate, with everything that nodes answered about it. */
export interface Estimated {
  creation: Creation
  /** As in `Observed`. */
  isContract: Observed['isContract']
  /** Null in a process without caps: then the cap of the chain counts. */
  caps: FeeCaps | null
}

/**
 * Estimates a withdrawal: its fee, the balance after it, its approvals and warnings. Changes
 * nothing. Refuses as `createWithdrawal` does, except that an outage of the nodes is an unknown fee
 * or a warning.
 */
export async function estimateWithdrawal(
  tx: Tx,
  serviceKey: MacKey,
  estimated: Estimated,
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<WithdrawalEstimate> {
  const { creation, isContract, caps } = estimated
  const [, picture] = await Promise.all([
    requireCallers(tx, serviceKey, [creation]),
    readPicture(tx, [creation], offersOf),
  ])
  const accepted = checkEstimate(creation, picture)
  const { organization } = picture
  requireAuthentic(serviceKey, organization)
  const requiredApprovals = organization.minWithdrawalSigners
  const requiredHumans = await readMinHumans(tx, serviceKey, organization)
  const { named, held } = accepted
  const before = picture.available.get(named.token.id) ?? 0n
  const given = creation.initiator.role === 'api' ? 0 : 1
  const missing = Math.max(requiredApprovals - 1, requiredHumans - given, 0)
  const observed = await observe(tx, {
    orgId: creation.orgId,
    named: { ...named, tokenId: named.token.id },
    available: before,
    isContract,
    needsTag: creation.needsTag ?? false,
    existing: null,
  })
  return {
    chainId: named.entry.id,
    tokenId: named.token.id,
    amount: named.amount.toString(),
    recipient: displayAddress(named.entry.id, named.recipient),
    memo: named.memo,
    fee: viewFee({ ...named, tokenId: named.token.id }, { fee: creation.fee, caps }),
    available: viewBalance({ before, amount: named.amount, held }),
    needsApprovals: missing > 0,
    requiredApprovals,
    requiredHumans,
    missingApprovals: missing,
    warnings: warningsOf(observed),
  }
}

/** What limits and prices the fee of a payment. */
export interface FeeFacts {
  /** As in `Creation`: what the nodes answered. */
  fee: Creation['fee']
  /** As in `Estimated`. */
  caps: FeeCaps | null
}

/** The network fee of a payment that is not signed yet. */
export function viewFee(
  { entry, tokenId, amount }: { entry: ChainEntry; tokenId: TokenId; amount: bigint },
  { fee, caps }: FeeFacts,
): EstimatedFee {
  const maximum = caps === null ? entry.feeCap : feeCapOf({ tokenId, amount }, caps)
  const isKnown = typeof fee === 'bigint'
  return {
    tokenId: nativeTokenId(entry),
    expected: isKnown ? fee.toString() : null,
    maximum: maximum.toString(),
    unknownReason: isKnown ? null : 'No node of the chain answers.',
  }
}

/** The available balance without and with a payment and its held fee, in base units. */
export function viewBalance({
  before,
  amount,
  held,
}: {
  before: bigint
  amount: bigint
  held: bigint
}): EstimatedBalance {
  return {
    before: before.toString(),
    after: (before - amount - held).toString(),
    held: held.toString(),
  }
}
