// Loaded into the scanning process before anything else: how long its event loop stood still at a
// time, counted anew from each SIGUSR2 on, and written to a file in the end.
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
