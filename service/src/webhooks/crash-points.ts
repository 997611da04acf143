/**
 * The points of a delivery: leased and unsent, sent and not stored, stored. Tests end the process
 * at each of them.
 */
export const DELIVERER_POINTS = ['deliver.leased', 'deliver.sent', 'deliver.recorded'] as const

export type DelivererPoint = (typeof DELIVERER_POINTS)[number]

/** Called at each point and awaited, so that a test can end the process there. */
export type DelivererCrash = (point: DelivererPoint) => void | Promise<void>
