/**
 * The points that the steps of spends pass, in order: before a commit a process that ends there has
 * done nothing, after it everything. The tests end it at each of them.
 */
export const SPEND_POINTS = [
  'send.prepared',
  'send.locked',
  'send.claimed',
  'send.signed',
  'send.stored',
  'send.told',
  'send.committed',
  'send.broadcast',
  'send.noted',
  'resend.broadcast',
  'resend.noted',
  'bump.locked',
  'bump.signed',
  'bump.stored',
  'bump.committed',
  'bump.broadcast',
  'bump.noted',
  'track.included',
  'track.tracked',
  'untrack.undone',
  'untrack.untracked',
  'settle.settled',
] as const

export type SpendPoint = (typeof SPEND_POINTS)[number]
