import type { Route } from './http/route.ts'
import { deleteWithdrawal } from './routes/delete-withdrawal.ts'
import { getAccounts } from './routes/get-accounts.ts'
import { getChain } from './routes/get-chain.ts'
import { getChains } from './routes/get-chains.ts'
import { getDepositAddress } from './routes/get-deposit-address.ts'
import { getEvent } from './routes/get-event.ts'
import { getEvents } from './routes/get-events.ts'
import { getGasStation } from './routes/get-gas-station.ts'
import { getHealth } from './routes/get-health.ts'
import { getOrganisation } from './routes/get-organisation.ts'
import { getPayments } from './routes/get-payments.ts'
import { getPaymentsTrace } from './routes/get-payments-trace.ts'
import { getPortfolio } from './routes/get-portfolio.ts'
import { getProfile } from './routes/get-profile.ts'
import { getReadiness } from './routes/get-readiness.ts'
import { getTokens } from './routes/get-tokens.ts'
import { getUserDeposits } from './routes/get-user-deposits.ts'
import { getWithdrawal } from './routes/get-withdrawal.ts'
import { getWithdrawals } from './routes/get-withdrawals.ts'
import { patchApiKey } from './routes/patch-api-key.ts'
import { patchMinWithdrawalSigners } from './routes/patch-min-withdrawal-signers.ts'
import { patchSigningSecret } from './routes/patch-signing-secret.ts'
import { patchWebhook } from './routes/patch-webhook.ts'
import { postEventRedeliver } from './routes/post-event-redeliver.ts'
import { postEventsRedeliver } from './routes/post-events-redeliver.ts'
import { postLogin } from './routes/post-login.ts'
import { postWebhookTest } from './routes/post-webhook-test.ts'
import { postWithdrawalApprove } from './routes/post-withdrawal-approve.ts'
import { postWithdrawalReject } from './routes/post-withdrawal-reject.ts'
import { postWithdrawalsApprove } from './routes/post-withdrawals-approve.ts'
import { postWithdrawals } from './routes/post-withdrawals.ts'

/** Every route there is, one for each operation of the wire. */
export const ROUTES: readonly Route[] = [
  postLogin,
  getProfile,
  patchApiKey,
  getOrganisation,
  patchWebhook,
  patchSigningSecret,
  getDepositAddress,
  getPayments,
  getUserDeposits,
  getPaymentsTrace,
  getAccounts,
  getChains,
  getChain,
  getTokens,
  patchMinWithdrawalSigners,
  getWithdrawals,
  postWithdrawals,
  getWithdrawal,
  deleteWithdrawal,
  postWithdrawalApprove,
  postWithdrawalReject,
  postWithdrawalsApprove,
  getGasStation,
  getPortfolio,
  getEvents,
  getEvent,
  postEventRedeliver,
  postEventsRedeliver,
  postWebhookTest,
  getHealth,
  getReadiness,
]
