import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ChainFilter, type ChainRow, matchingChains, rowsOf } from './chain-health.ts'
import { client, queries } from './client.ts'
import { useOf } from './decisions.ts'
import { pageOf, toCsv } from './local-list.ts'

/** Blocks emit no event, so the chains are read again and again. */
const AGAIN_MS = 15_000

const ROWS = queryOptions({
  queryKey: ['chains', 'rows'],
  queryFn: async ({ signal }) => {
    const [chains, statuses] = await Promise.all([
      client.chains.list({ enabledOnly: false }, { signal }),
      client.chains.status({ signal }),
    ])
    return rowsOf(chains, statuses)
  },
  refetchInterval: AGAIN_MS,
})

/** Every chain of the service with its state. */
export function useChainRows() {
  return useQuery(ROWS)
}

/** A page of the chains that match a filter. */
export function useChainsPage(filter: ChainFilter, cursor: string | undefined) {
  return useQuery({ ...ROWS, select: (rows) => pageOf(matchingChains(rows, filter), cursor) })
}

/** One chain; null if the id is unknown. */
export function useChainRow(id: string) {
  return useQuery({ ...ROWS, select: (rows) => rows.find(({ chain }) => chain.id === id) ?? null })
}

/** The chains that match a filter, as CSV. */
export async function exportChains(filter: ChainFilter): Promise<ReadableStream<Uint8Array>> {
  const rows = matchingChains(await queries.fetchQuery({ ...ROWS, staleTime: 0 }), filter)
  const header = ['id', 'name', 'use', 'condition', 'tip', 'tipTime', 'head', 'final', 'lagBlocks']
  const more = ['lagSeconds', 'nodesAnswering', 'nodesTotal', 'deposits', 'withdrawals']
  return toCsv([[...header, ...more], ...rows.map(cellsOf)]).stream()
}

function cellsOf({ chain, status }: ChainRow): string[] {
  const { tip, head, final, lag, nodes, condition, deposits, withdrawals } = { ...status }
  const known = [condition, tip?.height, tip?.time, head, final, lag?.blocks, lag?.seconds]
  const more = [nodes?.answering, nodes?.total, deposits, withdrawals]
  return [chain.id, chain.name, useOf(chain), ...known, ...more].map((cell) => String(cell ?? ''))
}

/** Switches a chain off or on for the organization. */
export function switchChain(id: string, enabled: boolean) {
  return (totpCode: string) => client.organisation.setChain(id, enabled, { totpCode })
}

/** Reads what a switched chain or token changes again. */
export function refreshSwitched(): void {
  for (const subject of ['chains', 'tokens', 'auditLog'])
    void queries.invalidateQueries({ queryKey: [subject] })
}
