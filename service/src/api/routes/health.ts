import type { HEALTH_OPERATIONS } from '@sluice/wire'
import type { Handlers } from '../http/route.ts'

export const healthRoutes: Handlers<keyof typeof HEALTH_OPERATIONS> = {
  getHealth: async () => ({ status: 'ok' }),

  getReadiness: async ({ readiness, setStatus }) => {
    const { status, checks } = await readiness()
    if (status === 'unavailable') setStatus(503)
    return { status, checks }
  },
}
