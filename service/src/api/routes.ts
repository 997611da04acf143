import type { OperationName } from '@sluice/wire'
import type { CountMalformed, Handlers } from './http/route.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authenticationRoutes, countMalformedLogin } from './routes/authentication.ts'
import { balanceRoutes } from './routes/balances.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { depositRoutes } from './routes/deposits.ts'
import { eventRoutes } from './routes/events.ts'
import { healthRoutes } from './routes/health.ts'
import { moneyListRoutes } from './routes/money-lists.ts'
import { organizationRoutes } from './routes/organization.ts'
import { reportRoutes } from './routes/reports.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { peopleRoutes } from './routes/people.ts'
import { countMalformedInvitation, signInRoutes } from './routes/sign-in.ts'
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts'
import { oversightRoutes } from './routes/oversight.ts'
import { withdrawalRoutes } from './routes/withdrawals.ts'

/** The handler of every operation. */
export const ROUTES: Handlers<OperationName> = {
  ...authenticationRoutes,
  ...signInRoutes,
  ...passkeyRoutes,
  ...peopleRoutes,
  ...apiKeyRoutes,
  ...organizationRoutes,
  ...depositRoutes,
  ...withdrawalRoutes,
  ...catalogueRoutes,
  ...balanceRoutes,
  ...reportRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...moneyListRoutes,
  ...oversightRoutes,
  ...healthRoutes,
}

/** Operations that count malformed requests themselves. */
export const COUNT_MALFORMED: Partial<Record<OperationName, CountMalformed>> = {
  postLogin: countMalformedLogin,
  postInvitation: countMalformedInvitation,
  postInvitationAccept: countMalformedInvitation,
}
