import type { Chain, ChainStatus } from '@sluice/client'
import { isLagging } from './attention.ts'
import { useOf } from './decisions.ts'
import { contains } from './local-list.ts'

/** A chain of the service with its state; null if the service has no nodes for it. */
export interface ChainRow {
  chain: Chain
  status: ChainStatus | null
}

/** The health of a chain, worst first. */
export const HEALTHS = [
  'halted',
  'frozen',
  'unreached',
  'unanswered',
  'undoing',
  'lagging',
  'running',
  'absent',
] as const
export type Health = (typeof HEALTHS)[number]

/** The filters of the list. */
export interface ChainFilter {
  q?: string
  health?: string
  use?: string
}

/** Each chain with its state: first those that the organization uses, then those with nodes. */
export function rowsOf(
  chains: readonly Chain[],
  statuses: readonly ChainStatus[],
): readonly ChainRow[] {
  const byId = new Map(statuses.map((status) => [status.chainId, status]))
  const rows = chains.map((chain) => ({ chain, status: byId.get(chain.id) ?? null }))
  const rank = ({ chain, status }: ChainRow) => (chain.enabled ? 0 : status === null ? 2 : 1)
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** The health of a chain: its condition, and whether it lags or no node answers while it runs. */
export function healthOf({ chain, status }: ChainRow): Health {
  if (status === null) return 'absent'
  if (status.condition !== 'running') return status.condition
  if (status.nodes !== null && status.nodes.answering === 0) return 'unanswered'
  return isLagging(status, chain) ? 'lagging' : 'running'
}

/** Whether the health of a chain needs attention. */
export function isTroubled(row: ChainRow): boolean {
  return row.chain.enabled && !['running', 'absent'].includes(healthOf(row))
}

/** The payments that run on a chain for the organization. */
export type Running = 'both' | 'depositsOnly' | 'withdrawalsOnly' | 'neither'

/** Whether deposits are credited and withdrawals paid now. */
export function runningOf({
  deposits,
  withdrawals,
}: Pick<ChainStatus, 'deposits' | 'withdrawals'>): Running {
  if (deposits) return withdrawals ? 'both' : 'depositsOnly'
  return withdrawals ? 'withdrawalsOnly' : 'neither'
}

/** The confirmations that a chain requires; null if the service does not name them. */
export function confirmationsOf({ properties }: Chain): number | null {
  const required = properties['requiredConfirmations']
  return typeof required === 'number' ? required : null
}

/** The chains that match a filter. */
export function matchingChains(
  rows: readonly ChainRow[],
  { q, health, use }: ChainFilter,
): readonly ChainRow[] {
  return rows.filter(
    (row) =>
      contains(q, [row.chain.name, row.chain.id]) &&
      (health === undefined || healthOf(row) === health) &&
      (use === undefined || useOf(row.chain) === use),
  )
}
