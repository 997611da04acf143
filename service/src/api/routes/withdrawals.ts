import type { PasskeyAssertion, WITHDRAWAL_OPERATIONS } from '@sluice/wire'
import { type Millis, inTime } from '../../base/clock.ts'
import { Outage, type Refusal } from '../../base/fault.ts'
import { displayAddress, hasTags, parseRecipient } from '../../chains/format-address.ts'
import { orRaiseForged } from '../../orgs/thresholds.ts'
import type { Caller } from '../../orgs/caller.ts'
import { requireSite } from '../../orgs/passkey.ts'
import { consumeTotp } from '../../orgs/totp.ts'
import type { Tx } from '../../store/database.ts'
import {
  approveWithdrawal,
  approveWithdrawals,
  type Prove,
  proveByCode,
} from '../../withdrawals/approve/approve.ts'
import { proveByPasskey } from '../../withdrawals/approve/by-passkey.ts'
import { cancelWithdrawal } from '../../withdrawals/approve/cancel.ts'
import { readEligible } from '../../withdrawals/approve/eligible.ts'
import { rejectWithdrawal } from '../../withdrawals/approve/reject.ts'
import { estimateWithdrawal } from '../../withdrawals/estimate/estimate.ts'
import { entryOf, isUnderReview, reviewWithdrawal } from '../../withdrawals/estimate/review.ts'
import { readAuthentic, readDecisions } from '../../withdrawals/list.ts'
import type { Creation, Offers } from '../../withdrawals/request/check.ts'
import { foresee } from '../../withdrawals/request/foresee.ts'
import {
  parseEstimate,
  parseRequest,
  type WithdrawalRequest,
} from '../../withdrawals/request/parse-request.ts'
import { requestTogether } from '../../withdrawals/request/request.ts'
import { readPayments, type RulesOf, speedUpWithdrawal } from '../../withdrawals/speed-up.ts'
import { withFirstTamperAlert, withTamperAlert, raiseTampered } from '../../withdrawals/tampered.ts'
import { actorOf } from '../http/actor.ts'
import { badRequest } from '../http/faults.ts'
import { forCaller } from '../http/for-caller.ts'
import type { ServerDeps } from '../http/deps.ts'
import type { Handlers } from '../http/route.ts'
import { withCode, withProof } from '../http/with-code.ts'
import { readOffers } from '../views/offers.ts'
import { answerWithdrawals } from '../views/withdrawal-list.ts'
import {
  viewCancelled,
  viewSingleWithdrawal,
  viewSpeedUp,
  viewWithdrawal,
} from '../views/withdrawal-views.ts'

/** The limit for a question to nodes whose answer only informs. */
const ANSWER_MS_MAX: Millis = 3_000

export const withdrawalRoutes: Handlers<keyof typeof WITHDRAWAL_OPERATIONS> = {
  getWithdrawals: (call) => answerWithdrawals(call, call.query),

  /** The order of refusals is that of decisions, section 4. */
  postWithdrawals: async (call) => {
    const { database, serviceKey, body, setStatus } = call
    const creation = await prepareCreation(call, parseRequest(body))
    const withdrawal = await requestTogether({ database, serviceKey, offersOf }, creation)
    setStatus(201)
    return { withdrawal: viewWithdrawal(withdrawal) }
  },

  postWithdrawalsEstimate: async (call) => {
    const { database, serviceKey, catalogue, capsOf, caller, body } = call
    const request = parseEstimate(body)
    const [creation, isContract] = await Promise.all([
      prepareCreation(call, request),
      askContract(call, request),
    ])
    const entry = catalogue.chain(request.chainId)
    const caps = entry === null || capsOf === undefined ? null : capsOf(entry)
    const estimate = await orRaiseForged(database, () =>
      database.forOrg(caller.orgId, (tx) =>
        estimateWithdrawal(tx, serviceKey, { creation, isContract, caps }, (step) =>
          offersOf(step, creation),
        ),
      ),
    )
    return { estimate }
  },

  getWithdrawal: async (call) => {
    const { database, serviceKey, catalogue, settings, caller, params } = call
    const { orgId } = caller
    const { id } = params
    const maxAgeMs = settings.approvalMaxAgeMs
    const rulesOf = feeRulesOf(call)
    const { withdrawal, ...records } = await withFirstTamperAlert(
      { database, actor: actorOf(caller) },
      () =>
        database.forOrg(orgId, async (tx) => {
          const found = await readAuthentic(tx, serviceKey, { orgId, id })
          const [decisions, eligible, payments] = await Promise.all([
            readDecisions(tx, found),
            readEligible(tx, serviceKey, { withdrawal: found, maxAgeMs }),
            readPayments(tx, { withdrawal: found, rulesOf }),
          ])
          return { withdrawal: found, decisions, eligible, payments }
        }),
    )
    return viewSingleWithdrawal(withdrawal, { ...records, catalogue })
  },

  getWithdrawalWarnings: async (call) => {
    const { database, serviceKey, capsOf, caller, params } = call
    const { orgId } = caller
    const withdrawal = await withFirstTamperAlert({ database, actor: actorOf(caller) }, () =>
      database.forOrg(orgId, (tx) => readAuthentic(tx, serviceKey, { orgId, id: params.id })),
    )
    if (!isUnderReview(withdrawal)) return { fee: null, available: null, warnings: [] }
    const recipient = displayAddress(withdrawal.chainId, withdrawal.recipient)
    const [isContract, needsTag, fee] = await Promise.all([
      askContract(call, { ...withdrawal, recipient }),
      askTag(call, { ...withdrawal, recipient }),
      soon(call, withdrawal.chainId, askFee(call, withdrawal)),
    ])
    const caps = capsOf?.(entryOf(withdrawal)) ?? null
    const answers = { withdrawal, isContract, needsTag, fee, caps }
    return database.forOrg(orgId, (tx) => reviewWithdrawal(tx, answers))
  },

  deleteWithdrawal: async (call) => {
    const { database, serviceKey, catalogue, caller, params } = call
    const cancellation = { catalogue, orgId: caller.orgId, userId: caller.userId, id: params.id }
    const withdrawal = await withTamperAlert({ database, actor: actorOf(caller) }, () =>
      forCaller(call, (tx) => cancelWithdrawal(tx, serviceKey, cancellation)),
    )
    return { withdrawal: viewCancelled(withdrawal) }
  },

  postWithdrawalSpeedUp: async (call) => {
    const { database, serviceKey, caller, params, setStatus } = call
    const actor = actorOf(caller)
    const request = { rulesOf: feeRulesOf(call), orgId: caller.orgId, id: params.id, actor }
    const { withdrawal, outlook } = await withTamperAlert({ database, actor }, () =>
      forCaller(call, (tx) => speedUpWithdrawal(tx, serviceKey, request)),
    )
    setStatus(202)
    return { withdrawal: viewWithdrawal(withdrawal), speedUp: viewSpeedUp(outlook) }
  },

  postWithdrawalApprove: async (call) => {
    const { database, catalogue, caller, params, body, settings, serviceKey } = call
    const { orgId, userId } = caller
    const { id } = params
    const approval = { catalogue, orgId, userId, maxAgeMs: settings.approvalMaxAgeMs, id }
    const prove = proofIn(call, body)
    const withdrawal = await withTamperAlert({ database, actor: actorOf(caller) }, () =>
      withProof(call, { caller, prove }, (tx, counted) =>
        approveWithdrawal(tx, serviceKey, approval, counted),
      ),
    )
    return { withdrawal: viewWithdrawal(withdrawal) }
  },

  postWithdrawalReject: async (call) => {
    const { database, catalogue, caller, params, body, serviceKey } = call
    const { orgId, userId } = caller
    const actor = actorOf(caller)
    const { id } = params
    const rejection = { catalogue, orgId, userId, id, reason: body.reason ?? '', actor }
    const withdrawal = await withTamperAlert({ database, actor }, () =>
      withCode(call, { caller, code: body.totpCode }, (tx, consume) =>
        rejectWithdrawal(tx, serviceKey, rejection, consume),
      ),
    )
    return { withdrawal: viewWithdrawal(withdrawal) }
  },

  postWithdrawalsApprove: async (call) => {
    const { database, catalogue, caller, body, settings, serviceKey } = call
    const { orgId, userId } = caller
    const { ids } = body
    const approval = { catalogue, orgId, userId, maxAgeMs: settings.approvalMaxAgeMs, ids }
    const actor = actorOf(caller)
    const { withdrawals, refused, tampered } = await withTamperAlert({ database, actor }, () =>
      withCode(call, { caller, code: body.totpCode }, (tx, consume) =>
        approveWithdrawals(tx, serviceKey, approval, consume),
      ),
    )
    await raiseTampered({ database, actor }, tampered)
    return { withdrawals: withdrawals.map(viewWithdrawal), refused }
  },
}

/** The proof of an approval: a code or an assertion. Refuses with BAD_REQUEST. */
function proofIn(
  { serviceKey, clock, settings, caller }: ServerDeps & { caller: Caller },
  { totpCode, assertion }: { totpCode?: string; assertion?: PasskeyAssertion },
): Prove {
  const { orgId, userId } = caller
  if (totpCode !== undefined && assertion === undefined)
    return proveByCode((tx) =>
      consumeTotp(tx, serviceKey, { orgId, userId, code: totpCode, clock }),
    )
  if (totpCode !== undefined || assertion === undefined)
    throw badRequest('totpCode', 'Send either `totpCode` or `assertion`.')
  const site = requireSite(settings.passkeySite)
  return proveByPasskey(serviceKey, { orgId, userId, site, assertion })
}

/** A request with the answers of nodes, which are queried before the transaction. */
async function prepareCreation(
  deps: ServerDeps & { caller: Caller },
  request: WithdrawalRequest,
): Promise<Creation> {
  const { catalogue, caller } = deps
  const { orgId, userId: id, role } = caller
  const [fee, needsTag, foreseen] = await Promise.all([
    askFee(deps, request),
    askTag(deps, request),
    askQuote(deps, { orgId, request }),
  ])
  return { catalogue, orgId, initiator: { id, role }, caller, request, fee, needsTag, foreseen }
}

/** What limits the fee of a replacement, without a query. */
function feeRulesOf({ catalogue, chains, capsOf }: ServerDeps): RulesOf {
  return (chainId) => {
    const entry = catalogue.chain(chainId)
    if (entry === null) return null
    return { entry, adapter: chains.get(entry.id), caps: capsOf?.(entry) ?? null }
  }
}

/** Queried before the transaction; an outage is returned only if nothing else refuses. */
async function askFee(
  { catalogue, feeBook }: Pick<ServerDeps, 'catalogue' | 'feeBook'>,
  { chainId, tokenId }: Pick<WithdrawalRequest, 'chainId' | 'tokenId'>,
): Promise<bigint | Outage | null> {
  const token = catalogue.token(tokenId)
  if (token === null || token.chainId !== chainId || !catalogue.isConfigured(chainId)) return null
  return orOutage(() => feeBook.feeOf(token.chainId, token.id))
}

/** The chain's refusal of the amount or the recipient, if it has one. */
async function askQuote(
  { database, catalogue, chains, capsOf }: ServerDeps,
  { orgId, request }: { orgId: string; request: WithdrawalRequest },
): Promise<Refusal | null> {
  const entry = catalogue.chain(request.chainId)
  const adapter = entry === null ? null : chains.get(entry.id)
  if (entry === null || adapter === null || capsOf === undefined) return null
  return foresee(database, { adapter, entry, caps: capsOf(entry), orgId, request })
}

/** Whether the recipient requires a tag that the request does not have. */
async function askTag(
  { catalogue, chains }: Pick<ServerDeps, 'catalogue' | 'chains'>,
  { chainId, recipient, memo }: Pick<WithdrawalRequest, 'chainId' | 'recipient' | 'memo'>,
): Promise<boolean | Outage> {
  const entry = catalogue.chain(chainId)
  if (entry === null || !hasTags(entry.id) || memo !== null) return false
  const parsed = parseRecipient(entry, recipient)
  const adapter = chains.get(entry.id)
  if (parsed === null || parsed.tag !== null) return false
  if (adapter?.paymentModel !== 'ticket') return false
  return orOutage(() => adapter.requiresTag(parsed.address))
}

/** Whether the recipient is a contract; null on chains without contracts. */
async function askContract(
  { catalogue, chains, clock }: Pick<ServerDeps, 'catalogue' | 'chains' | 'clock'>,
  { chainId, recipient }: Pick<WithdrawalRequest, 'chainId' | 'recipient'>,
): Promise<boolean | Outage | null> {
  const entry = catalogue.chain(chainId)
  const parsed = entry === null ? null : parseRecipient(entry, recipient)
  if (entry === null || parsed === null) return null
  if (entry.paymentModel !== 'nonce' && entry.paymentModel !== 'window') return null
  const adapter = chains.get(entry.id)
  if (adapter?.paymentModel !== 'nonce' && adapter?.paymentModel !== 'window')
    return new Outage(entry.id, 'no node is configured')
  const work = orOutage(() => adapter.isContract(parsed.address))
  return soon({ clock }, entry.id, work)
}

/** An answer of nodes, or an outage after a few seconds. */
function soon<Answer>(
  { clock }: Pick<ServerDeps, 'clock'>,
  chainId: string,
  work: Promise<Answer | Outage>,
): Promise<Answer | Outage> {
  const late = () => new Outage(chainId, `no answer within ${ANSWER_MS_MAX} ms`)
  return inTime<Answer | Outage>(clock, { ms: ANSWER_MS_MAX, work, late })
}

async function orOutage<T>(query: () => Promise<T>): Promise<T | Outage> {
  try {
    return await query()
  } catch (error) {
    if (error instanceof Outage) return error
    throw error
  }
}

/** No token is verified before the first contact with a chain; no setting disabled it. */
async function offersOf(tx: Tx, { catalogue, orgId }: Creation): Promise<Offers> {
  const offers = await readOffers(tx, { catalogue, orgId })
  return {
    chain: (entry) => offers.chain(entry),
    isVerifying: (token) => offers.isVerifying(token),
    token: (token) =>
      offers.stateOf(token.chainId) === null ? offers.switchedOn(token) : offers.token(token),
  }
}
