import { DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from '@sluice/wire'

/** The states present in the world at a moment, for the table of faults and states. */
export interface Standing {
  withdrawals: ReadonlySet<string>
  deposits: ReadonlySet<string>
}

/** How often each fault struck while an object was in each state. */
export class Coverage {
  readonly hits = new Map<string, number>()

  note(fault: string, { withdrawals, deposits }: Standing): void {
    for (const state of withdrawals) this.#count(`${fault} W:${state}`)
    for (const state of deposits) this.#count(`${fault} D:${state}`)
  }

  /** Adds the counts of another run. */
  add(counted: Readonly<Record<string, number>>): void {
    for (const [cell, count] of Object.entries(counted)) this.#count(cell, count)
  }

  counted(): Record<string, number> {
    return Object.fromEntries(this.hits)
  }

  #count(cell: string, by = 1): void {
    this.hits.set(cell, (this.hits.get(cell) ?? 0) + by)
  }
}

const COLUMNS = [
  ...WITHDRAWAL_STATUSES.map((state) => `W:${state}`),
  ...DEPOSIT_STATUSES.map((state) => `D:${state}`),
]

/** Combinations that no seed has met; a long run leaves none empty. */
export function emptyCells(coverage: Coverage, faults: readonly string[]): string[] {
  return faults.flatMap((fault) =>
    COLUMNS.map((column) => `${fault} ${column}`).filter((cell) => !coverage.hits.has(cell)),
  )
}

/** The table as text: a line for each fault, a column for each state. */
export function coverageTable(coverage: Coverage, faults: readonly string[]): string {
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(12), ...cells.map((cell) => cell.padStart(17))].join(' ')
  const rows = faults.map((fault) =>
    line(
      fault,
      COLUMNS.map((column) => String(coverage.hits.get(`${fault} ${column}`) ?? 0)),
    ),
  )
  const empty = emptyCells(coverage, faults)
  const rest = empty.length === 0 ? 'no cell is empty' : `empty: ${empty.join(', ')}`
  return [line('', COLUMNS), ...rows, rest].join('\n')
}
