import fc from 'fast-check'
import { inLane } from '../simulator/src/free-port.ts'

/** Workers that run at once have numbers of their own; vitest's own process has none. */
inLane(Number(process.env['VITEST_POOL_ID'] ?? 0))

/** In the short tier a property stops after this time, but runs at least once. */
const PROPERTY_MS_MAX = 500
if (process.env['SLUICE_TEST_TIER'] === 'short')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: PROPERTY_MS_MAX })
