import { Refusal } from '../base/fault.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'

/** The catalogue's chain of an id. Refuses with INVALID_CHAIN. */
export function findChain(catalogue: Catalogue, id: string): ChainEntry {
  const entry = catalogue.chain(id)
  if (entry !== null) return entry
  const known = catalogue.chains.map((one) => one.id).join(', ')
  throw new Refusal(
    'INVALID_CHAIN',
    { providedChainId: id },
    `Unknown chain ${id}. Known: ${known}.`,
  )
}
