import { inLane } from '../simulator/src/free-port.ts'

/** The number of a worker, unique among running workers; vitest's main process has no number. */
inLane(Number(process.env['VITEST_POOL_ID'] ?? 0))
