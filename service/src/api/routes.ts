import type { Route } from './route.ts'
import { getAccounts } from './routes/get-accounts.ts'
import { getChain } from './routes/get-chain.ts'
import { getChains } from './routes/get-chains.ts'
import { getDepositAddress } from './routes/get-deposit-address.ts'
import { getHealth } from './routes/get-health.ts'
import { getOrganisation } from './routes/get-organisation.ts'
import { getPayments } from './routes/get-payments.ts'
import { getReadiness } from './routes/get-readiness.ts'
import { getTokens } from './routes/get-tokens.ts'
import { getUserDeposits } from './routes/get-user-deposits.ts'
import { patchSigningSecret } from './routes/patch-signing-secret.ts'
import { patchWebhook } from './routes/patch-webhook.ts'

/** Every route there is, one for each operation of the wire. */
export const ROUTES: readonly Route[] = [
  getOrganisation,
  patchWebhook,
  patchSigningSecret,
  getDepositAddress,
  getPayments,
  getUserDeposits,
  getAccounts,
  getChains,
  getChain,
  getTokens,
  getHealth,
  getReadiness,
]
