/** The points that a round of sweeps passes besides those of each spend, in order. */
export const SWEEP_POINTS = [
  'sweep.gathered',
  'sweep.planned',
  'sweep.topped-up',
  'sweep.claimed',
  'sweep.sent',
] as const

export type SweepPoint = (typeof SWEEP_POINTS)[number]
