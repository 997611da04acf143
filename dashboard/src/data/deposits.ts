import type { Client, Deposit, ExportFormat } from '@sluice/client'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { CHAIN_STATUSES, useChains } from './catalogue.ts'
import { client } from './client.ts'
import { dayRange } from './days.ts'
import { blockTimeOf, type Progress, progressOf, type SettlingRule } from './progress.ts'

/** Filters of the list of deposits. */
export const DEPOSIT_FILTERS = [
  'q',
  'status',
  'chainId',
  'tokenId',
  'userId',
  'txnHash',
  'from',
  'to',
] as const
export type DepositFilters = Partial<Record<(typeof DEPOSIT_FILTERS)[number], string>>
type Filter = NonNullable<Parameters<Client['payments']['list']>[0]>

/** The states of a deposit, in the order of its way. */
export const DEPOSIT_STATUSES = [
  'Detected',
  'Confirmed',
  'BelowMinimum',
  'Held',
  'Orphaned',
] as const satisfies readonly Deposit['status'][]

const PAGE = 50
/** New blocks emit no event, so waiting deposits are read again. */
const WAITING_MS = 10_000
const RULE_MS = 5 * 60_000

/** A page of the deposits of a filter. */
export function useDeposits(filters: DepositFilters, cursor?: string) {
  return useQuery({
    queryKey: ['deposits', 'list', filters, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.payments.list({ ...toQuery(filters), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? WAITING_MS : false),
  })
}

/** Every deposit of a filter as CSV. */
export function exportDeposits(filters: DepositFilters) {
  return (format: ExportFormat) => client.payments.export(format, toQuery(filters))
}

function toQuery({ from, to, ...rest }: DepositFilters): Filter {
  return { ...rest, ...dayRange({ from, to }) } as Filter
}

/** Whether a deposit waits for blocks. */
export function isWaiting({ status }: Pick<Deposit, 'status'>): boolean {
  return status === 'Detected'
}

/** The progress of each waiting deposit, by its id. */
export function useProgress(deposits: readonly Deposit[]): ReadonlyMap<string, Progress> {
  const chains = useChains()
  const waiting = deposits.filter(isWaiting)
  const rules = useSettlingRules(waiting)
  const { data: statuses } = useQuery({
    ...CHAIN_STATUSES,
    enabled: waiting.length > 0,
    refetchInterval: WAITING_MS,
  })
  const now = Date.now()
  return new Map(
    waiting.map((deposit) => {
      const { id, chainId } = deposit
      const status = statuses?.find((one) => one.chainId === chainId)
      const blockTimeSeconds = blockTimeOf(chains.get(chainId))
      const rule = rules.get(chainId) ?? null
      return [id, progressOf(deposit, { rule, status, blockTimeSeconds, now })]
    }),
  )
}

/** Only the trace of a waiting deposit names the rule of its chain: one is read for each chain. */
function useSettlingRules(waiting: readonly Deposit[]): ReadonlyMap<string, SettlingRule> {
  const samples = new Map(waiting.map((deposit) => [deposit.chainId, deposit]))
  return useQueries({
    queries: [...samples.values()].map(({ id, chainId, txnHash }) => ({
      queryKey: ['settlingRules', chainId],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { payments } = await client.payments.trace({ chainId, txnHash }, { signal })
        const steps = payments.find(({ depositId }) => depositId === id)?.steps ?? []
        return { chainId, rule: steps.at(-1)?.details['rule'] ?? null }
      },
      staleTime: RULE_MS,
    })),
    combine: (results) => new Map(results.flatMap(({ data }) => toRule(data))),
  })
}

function toRule(
  sample: { chainId: string; rule: unknown } | undefined,
): readonly (readonly [string, SettlingRule])[] {
  if (sample?.rule !== 'depth' && sample?.rule !== 'final') return []
  return [[sample.chainId, sample.rule]]
}
