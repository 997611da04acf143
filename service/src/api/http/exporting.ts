import { type Column, EXPORT_TYPES, type Export, type ExportFormat } from '@sluice/wire'
import type { Catalogue } from '../../catalogue/find.ts'
import { csvRecord, decimalOf } from './csv.ts'

/** A list that is written line by line instead of as one JSON object. */
export interface Exporting {
  /** The headers of the response. */
  headers: Readonly<Record<string, string>>
  /** The text before the first record. */
  head: string
  /** The text of one record of the list, with its line end. */
  line: (record: unknown) => string
}

/**
 * The export that a request asks for with its header `accept`; null for the JSON of other requests
 * and of operations that are no lists.
 */
export function readExporting(
  list: Export | undefined,
  accept: string | undefined,
  catalogue: Catalogue,
): Exporting | null {
  const format = list === undefined ? null : preferred(accept ?? '')
  if (list === undefined || format === null) return null
  const headers = {
    'content-type': `${EXPORT_TYPES[format]}; charset=utf-8`,
    'content-disposition': `attachment; filename="${list.name}.${format}"`,
  }
  if (format === 'ndjson')
    return { headers, head: '', line: (record) => `${JSON.stringify(record)}\n` }
  const { columns } = list
  return {
    headers,
    head: csvRecord(columns.map(({ name }) => name)),
    line: (record) => csvRecord(columns.map((column) => cellOf(column, record, catalogue))),
  }
}

/**
 * The format with the highest quality value (RFC 9110, section 12.5.1), the first of equal ones.
 * JSON is preferred to formats of the same quality, also by a wildcard.
 */
function preferred(accept: string): ExportFormat | null {
  let best: { format: ExportFormat | null; quality: number } = { format: null, quality: 0 }
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = qualityIn(parameters)
    const format = formatOf(type)
    if (format === undefined) continue
    const isBetter = quality > best.quality || (format === null && quality === best.quality)
    if (isBetter) best = { format, quality }
  }
  return best.format
}

/** Null for JSON, undefined for a type that is not served. */
function formatOf(type: string): ExportFormat | null | undefined {
  if (type === EXPORT_TYPES.csv) return 'csv'
  if (type === EXPORT_TYPES.ndjson) return 'ndjson'
  return ['application/json', 'application/*', '*/*'].includes(type) ? null : undefined
}

function qualityIn(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = text === undefined ? 1 : Number(text)
  return quality >= 0 && quality <= 1 ? quality : 0
}

function cellOf({ path, as }: Column, record: unknown, catalogue: Catalogue): unknown {
  const value = valueAt(record, path)
  if (as === undefined || typeof value !== 'string') return value
  if (as === 'symbol') return catalogue.decimals(value) === null ? '' : symbolOf(catalogue, value)
  if (as === 'chain-name') return catalogue.chain(value)?.name ?? ''
  const decimals = decimalsFor(as, record, catalogue)
  return decimals === null ? '' : decimalOf(value, decimals)
}

function symbolOf(catalogue: Catalogue, tokenId: string): string {
  return catalogue.summary(tokenId).symbol
}

/** Unknown for a token or a chain that is no longer configured. */
function decimalsFor(as: 'tokens' | 'coins', record: unknown, catalogue: Catalogue): number | null {
  const id = valueAt(record, as === 'tokens' ? 'tokenId' : 'chainId')
  if (typeof id !== 'string') return null
  return as === 'tokens' ? catalogue.decimals(id) : (catalogue.chain(id)?.decimals ?? null)
}

function valueAt(record: unknown, path: string): unknown {
  let value = record
  for (const name of path.split('.')) value = Object(value)[name]
  return value
}
