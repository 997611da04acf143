import { cpus, totalmem } from 'node:os'
import { readFileSync } from 'node:fs'
import { show } from './measure.ts'
import type { Report } from './report.ts'

/** The page of the last run: machine, commands, what was measured and which limits it holds. */
export function resultsPage(reports: readonly Report[], given: { at: string; command: string }) {
  const { at, command } = given
  return `${[
    '# Results of the last run',
    '',
    `${at}. ${machine()}`,
    '',
    'All sides of a comparison run in turn, round after round, in one run; figures are medians of',
    'the rounds. Every round checks its result: each deposit once, with its events; each webhook',
    'accepted and signed; each address another one. PostgreSQL is the embedded one, fsync on.',
    '',
    '```',
    'npm ci --prefix bench/peers    # the peers; a missing one is skipped',
    command,
    '```',
    ...reports.flatMap(section),
  ].join('\n')}\n`
}

function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[1]
  const processor = `${cpus().length} × ${first?.model.trim() ?? 'unknown'}`
  return `${processor}, ${memory} GB, Node ${process.version}, load ${load} at the end.`
}

const LIMITS_HEAD = ['', '| limit | found | floor | goal | reached |', '|---|---|---|---|---|']

function section(report: Report): string[] {
  const sizes = Object.entries(report.sizes).map(([name, value]) => `${name} ${value}`)
  return [
    '',
    `## ${report.number}. ${report.title}`,
    '',
    sizes.join(', '),
    '',
    '| side | median | rounds | more |',
    '|---|---|---|---|',
    ...report.comparison.sides.map((side) => {
      const more = Object.entries(side.more).map(([name, value]) => `${name} ${brief(value)}`)
      const rounds = side.rates.map(show).join(', ')
      return `| ${side.name} | ${show(side.median)} | ${rounds} | ${more.join(', ')} |`
    }),
    ...(report.verdicts.length === 0 ? [] : LIMITS_HEAD),
    ...report.verdicts.map(({ what, value, floor, goal, bound, reached }) => {
      const sign = bound === 'least' ? '≥' : '≤'
      return `| ${what} | ${brief(value)} | ${sign} ${floor} | ${sign} ${goal} | ${reached} |`
    }),
    ...report.skipped.map(({ name, reason }) => `\nLeft out: ${name} (${reason}).`),
  ]
}

function brief(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Math.round(value * 100) / 100)
}
