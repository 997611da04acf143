import { inLane } from '../simulator/src/free-port.ts'

/** Workers that run at once have numbers of their own; vitest's own process has none. */
inLane(Number(process.env['VITEST_POOL_ID'] ?? 0))
