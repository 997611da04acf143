import type { Chain, PaymentTrace } from '@sluice/client'
import { useQueries } from '@tanstack/react-query'
import { client } from './client.ts'
import { codesOf, isMoving } from './trace-codes.ts'

/** The trace of a transaction on one chain. */
export interface ChainTrace {
  chain: Chain
  trace: PaymentTrace | undefined
  error: Error | null
  retry: () => void
}

const WAITING_MS = 10_000

/** Traces a transaction on each of the chains, and again while it waits for blocks. */
export function useTraces(txnHash: string, chains: readonly Chain[]): ChainTrace[] {
  const results = useQueries({
    queries: chains.map(({ id: chainId }) => ({
      queryKey: ['deposits', 'trace', chainId, txnHash],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.payments.trace({ chainId, txnHash }, { signal }),
      refetchInterval: ({ state }: { state: { data: PaymentTrace | undefined } }) =>
        state.data !== undefined && codesOf(state.data).some(isMoving) ? WAITING_MS : false,
    })),
  })
  return chains.flatMap((chain, index) => {
    const result = results[index]
    if (result === undefined) return []
    const { data: trace, error, refetch } = result
    return [{ chain, trace, error, retry: () => void refetch() }]
  })
}
