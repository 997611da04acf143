import type { Millis } from '../base/clock.ts'
import type { SpendPoint } from '../transactions/core/crash-points.ts'
import type { SpendDeps } from '../transactions/core/payment-request.ts'
import type { SweepPoint } from './crash-points.ts'

/** Dependencies of sweeping the deposit addresses of a chain. */
export interface SweepDeps extends Omit<SpendDeps, 'crash'> {
  /** Native currency is worth moving from so many times its fee on. */
  feeMultiple: bigint
  /** Money that has lain untouched for so long is moved although it is little. */
  maxAgeMs: Millis
  /** Called at each point that a step passes; tests end the process there. */
  crash?: (point: SpendPoint | SweepPoint) => void
}
