import type { Catalogue } from '../catalogue/find.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'
import type { Database } from '../store/database.ts'

/** An address of ours and its organization. */
export interface OwnAddress {
  orgId: string
  address: Address
}

/** Dependencies of the audit of one chain. */
export interface Auditor {
  database: Database
  adapter: ChainAdapter
  catalogue: Catalogue
  entry: ChainEntry
}
