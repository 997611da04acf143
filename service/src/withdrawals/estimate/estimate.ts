import type { WithdrawalEstimate } from '@sluice/wire'
import { listSimilarOwn } from '../../accounts/list-addresses.ts'
import { nativeTokenId } from '../../catalogue/chains.ts'
import { watchScope } from '../../catalogue/scope.ts'
import { displayAddress, endsOf, hasTags } from '../../chains/format-address.ts'
import { type FeeCaps, feeCapOf } from '../../chains/spending.ts'
import { requireCallers } from '../../orgs/require-caller.ts'
import { readMinHumans } from '../../orgs/signers.ts'
import { requireAuthentic } from '../../orgs/thresholds.ts'
import type { Tx } from '../../store/database.ts'
import type { MacKey } from '../mac.ts'
import { type Accepted, checkEstimate, type Creation, type Offers } from '../request/check.ts'
import { readPicture } from '../request/picture.ts'
import { selectHistory, selectSimilarRecipients } from './history-rows.ts'
import { type Observed, SIMILAR_MAX, warningsOf } from './warn.ts'

/** A request to estimate, with everything that nodes answered about it. */
export interface Estimated {
  creation: Creation
  /** As in `Observed`. */
  isContract: Observed['isContract']
  /** Null in a process without caps: then the cap of the chain counts. */
  caps: FeeCaps | null
}

const DUPLICATE_MS = 86_400_000

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
  const { creation } = estimated
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
  return {
    chainId: named.entry.id,
    tokenId: named.token.id,
    amount: named.amount.toString(),
    recipient: displayAddress(named.entry.id, named.recipient),
    memo: named.memo,
    fee: feeOf(accepted, estimated),
    available: {
      before: before.toString(),
      after: (before - named.amount - held).toString(),
      held: held.toString(),
    },
    needsApprovals: missing > 0,
    requiredApprovals,
    requiredHumans,
    missingApprovals: missing,
    warnings: warningsOf(await observe(tx, estimated, { accepted, available: before })),
  }
}

function feeOf({ named }: Accepted, { creation, caps }: Estimated): WithdrawalEstimate['fee'] {
  const { entry, token, amount } = named
  const { fee } = creation
  const intent = { tokenId: token.id, amount }
  const maximum = caps === null ? entry.feeCap : feeCapOf(intent, caps)
  const isKnown = typeof fee === 'bigint'
  return {
    tokenId: nativeTokenId(entry),
    expected: isKnown ? fee.toString() : null,
    maximum: maximum.toString(),
    unknownReason: isKnown ? null : 'No node of the chain answers.',
  }
}

async function observe(
  tx: Tx,
  { creation, isContract }: Estimated,
  { accepted: { named }, available }: { accepted: Accepted; available: bigint },
): Promise<Observed> {
  const { orgId, needsTag = false } = creation
  const { entry, recipient } = named
  const ends = endsOf(recipient)
  const limit = SIMILAR_MAX + 1
  const [history, recipients, own] = await Promise.all([
    selectHistory(tx, {
      ...named,
      orgId,
      chainId: entry.id,
      tokenId: named.token.id,
      hasTags: hasTags(entry.id),
      since: tx.clock.now() - DUPLICATE_MS,
    }),
    selectSimilarRecipients(tx, { orgId, ends, limit }),
    listSimilarOwn(tx, { orgId, scope: watchScope(entry), ends, limit }),
  ])
  const similar = { recipients: recipients.map(({ address }) => address), own }
  return { named, available, history, similar, isContract, needsTag }
}
