import { type ExternalUserId, parseExternalUserId } from '../../accounts/account.ts'
import { type Opened, openAccount } from '../../accounts/open.ts'
import { openAccounts } from '../../accounts/open-many.ts'
import { orRaiseTampered } from '../../accounts/tampered.ts'
import type { AccountKeys } from '../../accounts/wallet.ts'
import { Refusal } from '../../base/fault.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import { notVerified } from '../../withdrawals/request/check.ts'
import type { Caller } from '../../orgs/caller.ts'
import { requireCallers } from '../../orgs/require-caller.ts'
import type { Database, Tx } from '../../store/database.ts'
import { Grouping, type Outcome } from '../../store/grouping.ts'
import { parseToken } from '../http/parse-values.ts'
import { type Offers, readOffers } from './offers.ts'

/** A requested deposit account, and the token of the request. */
export interface Wanted {
  entry: ChainEntry
  orgId: string
  tokenId: string
  userId: string
  /** Checked in the commit that creates an account. */
  caller: Caller
}

export interface OpenDeps {
  serviceKey: AccountKeys['serviceKey']
  accountKeys: AccountKeys
  database: Database
  catalogue: Catalogue
}

/** Commits at once: few, so more calls of an organization share a commit. */
const GROUPS = { groupsMax: 4, sizeMax: 100 }
const groupings = new WeakMap<Database, Grouping<Wanted, Opened>>()

/**
 * Opens a deposit account as `openAccount` does; concurrent calls of an organization share a
 * commit. Refuses, in this order, with CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN,
 * TOKEN_NOT_ENABLED, INVALID_USER_ID and, if it must create the account, as `requireCaller` does,
 * and with SERVICE_UNAVAILABLE and FAILED_TO_CREATE_DEPOSIT_ACCOUNT. If the row of the account was
 * changed in the database, raises an alert and refuses with INTERNAL_ERROR.
 */
export function openTogether(deps: OpenDeps, wanted: Wanted): Promise<Opened> {
  const { database } = deps
  const grouping = groupings.get(database) ?? openGrouping(deps)
  groupings.set(database, grouping)
  const key = `${wanted.orgId} ${wanted.entry.id}`
  return orRaiseTampered(database, () => grouping.do(key, wanted))
}

function openGrouping(deps: OpenDeps): Grouping<Wanted, Opened> {
  const { database } = deps
  return new Grouping(async (group) => {
    const [first] = group
    if (first === undefined) return []
    return database.forOrg(first.orgId, (tx) => openGroup(tx, deps, first, group))
  }, GROUPS)
}

/** Calls of one organization for one chain. */
async function openGroup(
  tx: Tx,
  deps: OpenDeps,
  { orgId, entry }: Pick<Wanted, 'orgId' | 'entry'>,
  group: readonly Wanted[],
): Promise<Outcome<Opened>[]> {
  const { catalogue } = deps
  const offers = await readOffers(tx, { catalogue, orgId })
  const checked = group.map((wanted) => refusing(() => check(offers, catalogue, wanted)))
  const externalUserIds = checked.flatMap((one) => ('value' in one ? [one.value] : []))
  const beforeMaking = (step: Tx) => requireCallers(step, deps.serviceKey, group)
  const shared = { keys: deps.accountKeys, entry, orgId, beforeMaking }
  const [only] = externalUserIds
  if (only === undefined) return checked.flatMap((one) => ('refusal' in one ? [one] : []))
  // A failed group is retried with one call at a time.
  const opened =
    group.length === 1
      ? [await openAccount(tx, { ...shared, externalUserId: only })]
      : await openAccounts(tx, { ...shared, externalUserIds })
  const next = opened.values()
  return checked.map((one) => {
    if ('refusal' in one) return one
    const { value } = next.next()
    if (value === undefined) throw new Refusal('FAILED_TO_CREATE_DEPOSIT_ACCOUNT')
    return { value }
  })
}

function check(offers: Offers, catalogue: Catalogue, wanted: Wanted): ExternalUserId {
  const { entry, tokenId, userId } = wanted
  if (!offers.chain(entry)) throw new Refusal('CHAIN_NOT_ENABLED', { chainId: entry.id })
  checkToken(offers, entry, parseToken(catalogue, tokenId))
  return parseExternalUserId(userId)
}

function checkToken(offers: Offers, { id: chainId }: ChainEntry, token: TokenEntry): void {
  const { id: tokenId, chainId: tokenChainId } = token
  if (tokenChainId !== chainId)
    throw new Refusal('INVALID_TOKEN_CHAIN', { tokenId, chainId, tokenChainId })
  const isReached = offers.stateOf(chainId) !== null
  if (isReached ? offers.token(token) : offers.switchedOn(token)) return
  if (offers.isVerifying(token)) throw notVerified(token)
  throw new Refusal('TOKEN_NOT_ENABLED', { tokenId })
}

function refusing<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error }
    throw error
  }
}
