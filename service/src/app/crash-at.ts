import { SCANNER_POINTS } from '../scanner/crash-points.ts'
import { SWEEP_POINTS } from '../sweeps/crash-points.ts'
import { SPEND_POINTS } from '../transactions/core/crash-points.ts'
import { DELIVERER_POINTS } from '../webhooks/crash-points.ts'

/** A point in the program, and the pass of it at which the process ends. */
export interface CrashAt {
  point: string
  pass: number
}

const POINTS: readonly string[] = [
  ...SCANNER_POINTS,
  ...SPEND_POINTS,
  ...SWEEP_POINTS,
  ...DELIVERER_POINTS,
]
const SHAPE = /^([a-z.-]+):([1-9][0-9]{0,5})$/

/** Reads `connect.moved:2`; null if the point or pass is invalid. */
export function parseCrashAt(text: string): CrashAt | null {
  const [, point = '', pass = ''] = SHAPE.exec(text) ?? []
  return POINTS.includes(point) ? { point, pass: Number(pass) } : null
}

/**
 * The hook for a loop that ends the process, as by kill -9, at a pass of a point; empty without a
 * point. For tests of the whole program.
 */
export function crashing(at: CrashAt | null): { crash?: (point: string) => void } {
  if (at === null) return {}
  let passes = 0
  return {
    crash: (point) => {
      if (point !== at.point) return
      passes += 1
      if (passes === at.pass) process.kill(process.pid, 'SIGKILL')
    },
  }
}
