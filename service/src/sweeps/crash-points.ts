/** Points that a round of sweeps passes, in order, in addition to those of spends. */
export const SWEEP_POINTS = [
  'sweep.gathered',
  'sweep.planned',
  'sweep.topped-up',
  'sweep.claimed',
  'sweep.sent',
] as const

export type SweepPoint = (typeof SWEEP_POINTS)[number]
