import type { Page } from '@sluice/client'

const PAGE_SIZE = 50

/** Every record of a list that is small enough to be kept whole. */
export async function allOf<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}

/** A page of a whole list; its cursor is the place of its first record. */
export function pageOf<Row>(rows: readonly Row[], cursor: string | undefined): Page<Row> {
  const typed = Number(cursor ?? 0)
  const start = Number.isSafeInteger(typed) && typed > 0 ? typed : 0
  const end = start + PAGE_SIZE
  return { items: rows.slice(start, end), nextCursor: end < rows.length ? String(end) : null }
}

/** Whether one of the texts contains what was searched for, in any case; everything without it. */
export function contains(searched: string | undefined, texts: readonly string[]): boolean {
  const wanted = (searched ?? '').trim().toLowerCase()
  return texts.some((text) => text.toLowerCase().includes(wanted))
}

/** CSV with a header line, as the exports of the service: quoted cells and no formulas. */
export function toCsv(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`)
  return new Blob(lines, { type: 'text/csv' })
}

/** A cell that begins like a formula gets an apostrophe, so that a spreadsheet shows its text. */
function quoted(cell: string): string {
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
