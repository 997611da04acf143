import type { Readable } from 'node:stream'
import {
  type LedgerEntry as LedgerEntryView,
  type Sweep as SweepView,
  SWEEP_WAITS,
  type UnattributedPayment,
} from '@sluice/wire'
import { iso } from '../../base/clock.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import type { Unattributed } from '../../deposits/unattributed.ts'
import { pageUnattributed } from '../../deposits/unattributed-list-rows.ts'
import { type LedgerEntry, listEntries } from '../../ledger/list-rows.ts'
import { listSweeps } from '../../sweeps/list-rows.ts'
import type { Sweep } from '../../sweeps/sweep.ts'
import { selectCosts, type SpendCost } from '../../transactions/core/cost-rows.ts'
import { type Page, answerList } from '../http/paging.ts'
import type { Call } from '../http/route.ts'

/** Sweeps of the caller's organization. Refuses with BAD_REQUEST (cursor). */
export function answerSweeps({
  database,
  catalogue,
  caller: { orgId },
  exporting,
  query,
}: Call<'getSweeps'>): Promise<Page<'sweeps', SweepView> | Readable> {
  const { limit: _limit, cursor: _cursor, status, ...others } = query
  const filter = { ...others, ...(status !== undefined && { state: status }) }
  return answerList(
    { ...query, exporting },
    {
      key: 'sweeps',
      read: (after, limit) =>
        database.forOrg(orgId, async (tx) => {
          const sweeps = await listSweeps(tx, { orgId, filter, after, limit })
          const ids = sweeps.flatMap(({ spendId }) => spendId ?? [])
          const costs = await selectCosts(tx, { orgId, ids })
          return sweeps.map((sweep) => ({
            place: sweep,
            view: viewSweep(sweep, { catalogue, cost: costs.get(sweep.spendId ?? '') ?? null }),
          }))
        }),
    },
  )
}

/** Payments without a known tag to accounts of the caller's organization. Refuses as the others. */
export function answerUnattributed({
  database,
  catalogue,
  caller: { orgId },
  exporting,
  query,
}: Call<'getUnattributed'>): Promise<Page<'unattributed', UnattributedPayment> | Readable> {
  const { limit: _limit, cursor: _cursor, status, ...others } = query
  const filter = { ...others, ...(status !== undefined && { state: status }) }
  return answerList(
    { ...query, exporting },
    {
      key: 'unattributed',
      read: async (after, limit) => {
        const page = { orgId, filter, after, limit }
        const found = await database.forOrg(orgId, (tx) => pageUnattributed(tx, page))
        return found.map((one) => ({ place: one, view: viewUnattributed(one, catalogue) }))
      },
    },
  )
}

/** Postings of the caller's organization. Refuses as the others. */
export function answerLedgerEntries({
  database,
  catalogue,
  caller: { orgId },
  exporting,
  query,
}: Call<'getLedgerEntries'>): Promise<Page<'ledgerEntries', LedgerEntryView> | Readable> {
  const { limit: _limit, cursor: _cursor, ...filter } = query
  return answerList(
    { ...query, exporting },
    {
      key: 'ledgerEntries',
      isNumbered: true,
      read: async (after, limit) => {
        const page = { orgId, filter, after, limit }
        const entries = await database.forOrg(orgId, (tx) => listEntries(tx, page))
        return entries.map((entry) => ({
          place: { createdAt: entry.createdAt, id: String(entry.id) },
          view: viewEntry(entry, catalogue),
        }))
      },
    },
  )
}

function viewSweep(
  sweep: Sweep,
  { catalogue, cost }: { catalogue: Catalogue; cost: SpendCost | null },
): SweepView {
  const { id, chainId, tokenId, address, amount, moved, state: status, cause: error } = sweep
  const { waitingFor, waitingSince, failureCode } = sweep
  return {
    id,
    chainId,
    tokenId,
    address: displayAddress(chainId, address),
    amount: amount.toString(),
    moved: moved.toString(),
    status,
    txnHash: cost?.txnHash ?? null,
    fee: cost?.fee?.toString() ?? null,
    maxFee: cost?.maxFee.toString() ?? null,
    waitingFor,
    waitingReason: waitingFor === null ? '' : SWEEP_WAITS[waitingFor],
    waitingSince: waitingSince === null ? null : iso(waitingSince),
    error,
    failureCode,
    Token: catalogue.summary(tokenId),
    createdAt: iso(sweep.createdAt),
    updatedAt: iso(sweep.updatedAt),
  }
}

export function viewUnattributed(found: Unattributed, catalogue: Catalogue): UnattributedPayment {
  const { chainId, tokenId, block, senderAddress, externalUserId, proposedBy, assignedBy } = found
  return {
    id: found.id,
    chainId,
    txnHash: found.txnHash,
    tokenId,
    amount: found.amount.toString(),
    address: displayAddress(chainId, found.address),
    destinationTag: found.tag,
    senderAddress,
    status: found.state,
    externalUserId,
    proposedBy,
    assignedBy,
    depositId: found.depositId,
    blockNumber: block.height,
    blockHash: block.hash,
    Token: catalogue.summary(tokenId),
    createdAt: iso(found.createdAt),
  }
}

function viewEntry(entry: LedgerEntry, catalogue: Catalogue): LedgerEntryView {
  const { id, chainId, tokenId, debit, credit, amount, reason, reversal, referenceId } = entry
  return {
    id,
    chainId,
    tokenId,
    debit,
    credit,
    amount: amount.toString(),
    reason,
    reversal,
    referenceId,
    blockNumber: entry.blockHeight,
    Token: catalogue.summary(tokenId),
    createdAt: iso(entry.createdAt),
  }
}
