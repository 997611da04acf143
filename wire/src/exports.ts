/**
 * A column of a list's CSV export. `path` names a field of the record; nested fields are separated
 * by dots. `as` converts it: base units to a decimal number of tokens (of the record's `tokenId`)
 * or of native coins (of its `chainId`), a token id to its symbol and a chain id to its name.
 */
export interface Column {
  name: string
  path: string
  as?: 'tokens' | 'coins' | 'symbol' | 'chain-name'
}

/** How a list is exported: the name of its file and the columns of the CSV, in order. */
export interface Export {
  name: string
  columns: readonly Column[]
}

/** Formats of an export, by media type. */
export const EXPORT_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
export type ExportFormat = keyof typeof EXPORT_TYPES

/** Columns that show fields of a record under their own names. */
export function columns(...paths: readonly string[]): Column[] {
  return paths.map((path) => ({ name: path, path }))
}

/** A column with another name than its field. */
export function renamed(name: string, path: string): Column {
  return { name, path }
}

/** The symbol of the record's token. */
export const SYMBOL: Column = { name: 'symbol', path: 'tokenId', as: 'symbol' }

/** The name of the record's chain. */
export const CHAIN_NAME: Column = { name: 'chainName', path: 'chainId', as: 'chain-name' }

/** An amount in base units, and the same as a decimal number of tokens or native coins. */
export function amount(path: string, as: 'tokens' | 'coins' = 'tokens'): Column[] {
  return [
    { name: path, path },
    { name: `${path}Decimal`, path, as },
  ]
}
