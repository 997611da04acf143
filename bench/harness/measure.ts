/**
 * One side of a comparison: what it did in one round, in units a second, and what was found wrong.
 */
export interface Reading {
  /** Units a second; the larger the better. */
  rate: number
  /** Further figures, printed as they are. */
  more?: Record<string, number>
}

export interface Side {
  name: string
  /** Does the work once, checks its result (throws if it is wrong), and returns the rate. */
  run(round: number): Promise<Reading>
}

export interface Skipped {
  name: string
  reason: string
}

export interface Comparison {
  sides: { name: string; rates: number[]; median: number; more: Record<string, number> }[]
}

/**
 * Runs all sides one after the other, round after round, so that a busy machine troubles all alike.
 */
export async function interleave(sides: readonly Side[], rounds: number): Promise<Comparison> {
  const readings = new Map<string, Reading[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) {
      const { name } = side
      const reading = await side.run(round)
      const { rate, more = {} } = reading
      readings.set(name, [...(readings.get(name) ?? []), reading])
      say(`  round ${round + 1} ${name}: ${show(rate)}/s ${JSON.stringify(more)}`)
    }
  }
  return {
    sides: sides.map(({ name }) => {
      const all = readings.get(name) ?? []
      const rates = all.map(({ rate }) => round3(rate))
      const keys = new Set(all.flatMap(({ more = {} }) => Object.keys(more)))
      const more = [...keys].map((key) => [key, median(all.map((one) => one.more?.[key] ?? 0))])
      return { name, rates, median: median(rates), more: Object.fromEntries(more) }
    }),
  }
}

/** The median rate of one side over that of another. */
export function ratio({ sides }: Comparison, name: string, to: string): number {
  const of = (wanted: string) => sides.find((side) => side.name === wanted)?.median ?? Number.NaN
  return round3(of(name) / of(to))
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The smallest value with at least this share of the values at or below it. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? 0
}

/** A goal of performance.md, held against what was measured. */
export interface Verdict {
  what: string
  value: number
  floor: number
  goal: number
  /** `least`: the value must not be below; `most`: not above. */
  bound: 'least' | 'most'
  reached: 'goal' | 'floor' | 'no'
}

export function judge(given: Omit<Verdict, 'reached'>): Verdict {
  const { value, floor, goal, bound } = given
  const holds = (limit: number) => (bound === 'least' ? value >= limit : value <= limit)
  return { ...given, reached: holds(goal) ? 'goal' : holds(floor) ? 'floor' : 'no' }
}

/** Progress output; results go to standard output. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

export function show(rate: number): string {
  return rate >= 100 ? String(Math.round(rate)) : rate.toFixed(1)
}

/** Waits until something holds. */
export async function until(
  holds: () => Promise<boolean>,
  limitMs: number,
  what: string,
  everyMs = 20,
) {
  const end = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Throws if a measured result is wrong. */
export function check(holds: boolean, what: string, facts: object = {}): void {
  if (!holds) throw new Error(`wrong result: ${what} ${JSON.stringify(facts)}`)
}

export function round3(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
