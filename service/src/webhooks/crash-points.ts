/**
 * The points that a delivery passes: leased and not yet sent, sent and not yet written down,
 * written down. The tests end the process at each of them.
 */
export const DELIVERER_POINTS = ['deliver.leased', 'deliver.sent', 'deliver.recorded'] as const

export type DelivererPoint = (typeof DELIVERER_POINTS)[number]

/** Hears of each point; what it gives is waited for, so a test may let the process end there. */
export type DelivererCrash = (point: DelivererPoint) => void | Promise<void>
