import { route } from '../http/route.ts'

/**
 * Decisions, 12: 503 without the database, its schema or the keys; a chain that lags is `degraded`
 * and a 200.
 */
export const getReadiness = route('getReadiness', async ({ readiness, setStatus }) => {
  const { status, checks } = await readiness()
  if (status === 'unavailable') setStatus(503)
  return { status, checks }
})
