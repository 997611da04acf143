import { writeFile } from 'node:fs/promises'
import { parseOptions } from './options.ts'
import { textOf } from './report.ts'
import { soak } from './run.ts'

const tell = (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`)

/** `npm run soak`: prints a readable report, and exits with 1 on a difference. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const report = await soak(options, tell, stop.signal)
  if (options.report !== null) await writeFile(options.report, JSON.stringify(report, null, 2))
  process.stdout.write(`${textOf(report)}\n`)
  // The summary line of a test run, for tools that count.
  process.stdout.write(`${report.passed ? '1 passed, 0' : '0 passed, 1'} failed, 0 skipped\n`)
  process.exitCode = report.passed ? 0 : 1
}

await main()
