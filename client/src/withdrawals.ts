import type { Download, ExportFormat, ExportOptions, ExportStream } from './download.ts'
import { isSluiceError, type SluiceError } from './errors.ts'
import type {
  CancelledWithdrawal,
  PasskeyRequest,
  SingleWithdrawal,
  Withdrawal,
  WithdrawalEstimate,
  WithdrawalReview,
} from './generated.ts'
import type { Answer, Body, CallOptions, Filter } from './operation.ts'
import { eachOf, type Page, type PageOptions, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** A new withdrawal. `amount` is in base units; see `toBaseUnits`. */
export type NewWithdrawal = Omit<Body<'postWithdrawals'>, 'amount'> & { amount: string | bigint }

/** The assertion of a passkey, as JSON of WebAuthn. */
export type PasskeyAssertion = NonNullable<Body<'postWithdrawalApprove'>['assertion']>

/** A withdrawal to estimate; it needs no reference yet. */
export type EstimatedWithdrawal = Omit<NewWithdrawal, 'reference'> & { reference?: string | null }

export interface CreateOptions extends CallOptions {
  /**
   * The result if a withdrawal with the same reference and parameters exists. `throw` (the default)
   * throws DUPLICATE_REFERENCE, unless an earlier attempt of this call may have created it: then
   * it is returned. `return` always returns it, so a program that died before it stored the answer
   * can repeat the call.
   */
  ifDuplicate?: 'throw' | 'return'
}

/** Payments to outside addresses, and their approvals. */
export interface Withdrawals {
  /**
   * Creates a withdrawal and reserves its amount. Retried automatically: a `reference` is paid only
   * once.
   */
  create(withdrawal: NewWithdrawal, options?: CreateOptions): Promise<Withdrawal>
  /**
   * Estimates a withdrawal: its fee, the balance after it, the approvals that it needs, and
   * warnings. Refused as the creation would be; changes nothing. Retried automatically.
   */
  estimate(withdrawal: EstimatedWithdrawal, options?: CallOptions): Promise<WithdrawalEstimate>
  /** One withdrawal, by its id. */
  get(id: string, options?: CallOptions): Promise<SingleWithdrawal>
  /** The warnings, fee and balance of a withdrawal that is not paid yet, for its approvers. */
  review(id: string, options?: CallOptions): Promise<WithdrawalReview>
  /** A page of the withdrawals, newest first. */
  list(
    filter?: Filter<'getWithdrawals'> & PageOptions,
    options?: CallOptions,
  ): Promise<Page<Withdrawal>>
  /** Every withdrawal, newest first, page after page. */
  all(
    filter?: Filter<'getWithdrawals'>,
    options?: CallOptions,
  ): AsyncGenerator<Withdrawal, void, undefined>
  /** All matching withdrawals as CSV or JSON Lines, as the service writes them. */
  export(
    format: ExportFormat,
    filter?: Filter<'getWithdrawals'>,
    options?: ExportOptions,
  ): Promise<ExportStream>
  /**
   * Cancels a withdrawal that is not processed yet. Retried automatically: if an earlier attempt of
   * this call cancelled it, the call succeeds.
   */
  cancel(id: string, options?: CallOptions): Promise<CancelledWithdrawal>
  /**
   * Requests that the transaction of a signed withdrawal is replaced at once by one with a higher
   * fee. Never repeated: after a replacement, a second request would raise the fee again.
   */
  speedUp(id: string, options?: CallOptions): Promise<Answer<'postWithdrawalSpeedUp'>>
  /**
   * Approves, with a fresh two-factor code or the assertion of a passkey (`passkeyOptions`). Needs
   * an access token. Never repeated.
   */
  approve(id: string, proof: string | PasskeyAssertion, options?: CallOptions): Promise<Withdrawal>
  /**
   * The options of `navigator.credentials.get` with which a passkey of the user approves. Their
   * challenge is `withdrawalHash` of the withdrawal, in base64url: compare them before use.
   */
  passkeyOptions(id: string, options?: CallOptions): Promise<PasskeyRequest>
  /** Approves several with one code; the answer lists the refused ones. Never repeated. */
  approveMany(
    ids: readonly string[],
    totpCode: string,
    options?: CallOptions,
  ): Promise<Answer<'postWithdrawalsApprove'>>
  /** Rejects, with a fresh two-factor code. Needs an access token. Never repeated. */
  reject(
    id: string,
    rejection: Body<'postWithdrawalReject'>,
    options?: CallOptions,
  ): Promise<Withdrawal>
}

export function openWithdrawals(ask: Ask, download: Download): Withdrawals {
  const list: Withdrawals['list'] = async (filter, options) => {
    const answer = await ask('getWithdrawals', { query: paged(filter) }, options)
    return toPage(answer.withdrawals, answer.nextCursor)
  }
  return {
    create: (withdrawal, options) => create(ask, withdrawal, options),
    estimate: async (body, options) =>
      (await ask('postWithdrawalsEstimate', { body }, options)).estimate,
    get: (id, options) => ask('getWithdrawal', { path: { id } }, options),
    review: (id, options) => ask('getWithdrawalWarnings', { path: { id } }, options),
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getWithdrawals', format, { query: { ...filter } }, options),
    cancel: (id, options) => cancel(ask, id, options),
    speedUp: (id, options) => ask('postWithdrawalSpeedUp', { path: { id } }, options),
    approve: async (id, proof, options) => {
      const body = typeof proof === 'string' ? { totpCode: proof } : { assertion: proof }
      const input = { path: { id }, body }
      return (await ask('postWithdrawalApprove', input, options)).withdrawal
    },
    passkeyOptions: (id, options) => ask('getWithdrawalPasskeyOptions', { path: { id } }, options),
    approveMany: (ids, totpCode, options) =>
      ask('postWithdrawalsApprove', { body: { ids, totpCode } }, options),
    reject: async (id, body, options) =>
      (await ask('postWithdrawalReject', { path: { id }, body }, options)).withdrawal,
  }
}

async function create(
  ask: Ask,
  body: NewWithdrawal,
  { ifDuplicate = 'throw', ...options }: CreateOptions = {},
): Promise<Withdrawal> {
  const recover = (refusal: SluiceError) => readExisting(ask, refusal, { body, options })
  const extras = { recover, startsInDoubt: ifDuplicate === 'return' }
  return (await ask('postWithdrawals', { body }, options, extras)).withdrawal
}

/** The withdrawal that has the reference, in the shape of the creation's answer. */
async function readExisting(
  ask: Ask,
  refusal: SluiceError,
  { body, options }: { body: NewWithdrawal; options: CallOptions },
): Promise<Answer<'postWithdrawals'> | null> {
  if (!isSluiceError(refusal, 'DUPLICATE_REFERENCE')) return null
  if (!refusal.details.sameParameters) return null
  const query = { reference: body.reference, limit: 1 }
  const { withdrawals } = await ask('getWithdrawals', { query }, options)
  const [withdrawal] = withdrawals
  return withdrawal?.id === refusal.details.existingWithdrawalId ? { withdrawal } : null
}

async function cancel(
  ask: Ask,
  id: string,
  options: CallOptions = {},
): Promise<CancelledWithdrawal> {
  const recover = async (refusal: SluiceError) => {
    if (!isSluiceError(refusal, 'WITHDRAWAL_NOT_PENDING')) return null
    const { status, txnError, updatedAt } = await ask('getWithdrawal', { path: { id } }, options)
    return status === 'Cancelled' ? { withdrawal: { id, status, txnError, updatedAt } } : null
  }
  return (await ask('deleteWithdrawal', { path: { id } }, options, { recover })).withdrawal
}
