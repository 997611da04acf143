import { route } from '../http/route.ts'

/** Decisions, 12: the process answers; nothing else is asked. */
export const getHealth = route('getHealth', async () => ({ status: 'ok' }))
