import type { Difference } from './judge.ts'

/** Lines that one side has more often than the other, once for each surplus. */
export function unlike(
  what: string,
  ledger: readonly string[],
  fresh: readonly string[],
): Difference[] {
  return [
    ...without(ledger, fresh).map((details) => ({
      what: `${what} is not found by a rescan`,
      details,
    })),
    ...without(fresh, ledger).map((details) => ({
      what: `${what} is found by a rescan alone`,
      details,
    })),
  ]
}

/** Removes for each of the other lines one equal line. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1)
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
}
