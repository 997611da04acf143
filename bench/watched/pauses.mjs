// Loaded into the scanning process first: records the pauses of its event loop, reset by each
// SIGUSR2, and writes them to a file at the end.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  process.on('SIGUSR2', () => delays.reset())
  process.on('exit', () => {
    const [longestMs, p99Ms] = [delays.max / 1e6, delays.percentile(99) / 1e6]
    writeFileSync(process.env.BENCH_PAUSES ?? '', JSON.stringify({ longestMs, p99Ms }))
  })
}
