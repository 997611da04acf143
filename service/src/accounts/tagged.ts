import { createHash } from 'node:crypto'
import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Account, AccountOwner } from './account.ts'
import { type BaseAccount, readBaseAccount, UNFUNDED } from './base-account.ts'
import { showOwnAddress } from './own-address.ts'
import { type RowVerifier, isAuthenticAccount, macOfAccount } from './row-mac.ts'
import { insertAccount } from './rows.ts'
import { selectTagged } from './tag-rows.ts'
import { type TamperedRow, tamperedAccount } from './tampered.ts'
import { type AccountKeys, lockWalletOf } from './wallet.ts'

/** The owner of a tag of a base account. */
export interface TagOwner {
  orgId: string
  accountId: string
  externalUserId: string
}

/** Tags below are left to people, who like small numbers (engineering, 18). */
export const TAG_MIN = 100_000
const DRAWS_MAX = 20

/**
 * Locks what the accounts of an organization on a chain with tags are made under, and gives its
 * base account. Refuses with SERVICE_UNAVAILABLE, what is missing and what to do, until the ledger
 * has been seen to refuse payments without a tag.
 */
export async function lockBase(
  tx: Tx,
  options: { keys: AccountKeys; entry: ChainEntry; orgId: string },
): Promise<{ address: Address; wallet: number }> {
  const { entry, orgId } = options
  const base = await readBaseAccount(tx, { orgId, chainId: entry.id })
  if (base === null || base.missing !== '' || base.readyHeight === null) throw notReady(entry, base)
  const purpose = 'settlement'
  const { number: wallet } = await lockWalletOf(tx, { ...options, purpose })
  const question = { orgId, chainId: entry.id, purpose } as const
  const address = await showOwnAddress(tx, options.keys.serviceKey, question)
  assert(address === base.address, 'a base account was changed in the database', { ...base })
  return { address: base.address, wallet }
}

/** Retry-After while the account must be funded first. */
const UNFUNDED_RETRY_SECONDS = 60

/** Resolves automatically unless the account must be funded first. */
function notReady({ id, name, nativeCurrency }: ChainEntry, base: BaseAccount | null): Refusal {
  const reason = base?.missing || 'the base account is being checked on the ledger'
  const isUnfunded = reason === UNFUNDED
  const todo = isUnfunded
    ? `Send ${nativeCurrency} for the reserve to ${base?.address}${leastOf(base)}, then retry.`
    : 'Retry after the seconds in Retry-After.'
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    {
      chainId: id,
      reason,
      ...(base !== null && { address: base.address }),
      ...(isUnfunded && { retryAfterSeconds: UNFUNDED_RETRY_SECONDS }),
    },
    `${name} has no deposit addresses yet: ${reason}. ${todo}`,
  )
}

function leastOf(base: BaseAccount | null): string {
  const keep = base?.keep ?? null
  return keep === null ? '' : ` (at least ${keep} base units)`
}

/**
 * Opens an account under a random unused tag of a locked base account. Refuses with
 * FAILED_TO_CREATE_DEPOSIT_ACCOUNT if no unused tag was found.
 */
export async function openTagged(
  tx: Tx,
  serviceKey: AccountKeys['serviceKey'],
  owner: AccountOwner,
  { address, wallet }: { address: Address; wallet: number },
): Promise<Account> {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const tag = tagOf(tx.ids.next())
    if (tag < TAG_MIN) continue
    const path = { wallet, index: 0 }
    const made = { ...owner, id: tx.ids.next(), address, destinationTag: tag, ...path }
    const account = await insertAccount(tx, { ...made, mac: macOfAccount(serviceKey, made) })
    if (account !== null) return account
  }
  const { chainId } = owner
  throw new Refusal('FAILED_TO_CREATE_DEPOSIT_ACCOUNT', { chainId, reason: 'no tag is free' })
}

/**
 * The owners of these tags, by `<address> <tag>`. A tag of a tampered account has no owner, and
 * `tampered` names the account.
 */
export async function matchTags(
  tx: Tx,
  serviceKey: RowVerifier,
  { chainId, pairs }: { chainId: ChainId; pairs: readonly { address: Address; tag: number }[] },
): Promise<{ owners: Map<string, TagOwner>; tampered: TamperedRow[] }> {
  const owners = new Map<string, TagOwner>()
  const tampered: TamperedRow[] = []
  if (pairs.length === 0) return { owners, tampered }
  for (const { identity } of await selectTagged(tx, chainId, pairs)) {
    const { orgId, id: accountId, externalUserId, address, destinationTag: tag } = identity
    if (!isAuthenticAccount(serviceKey, identity)) tampered.push(tamperedAccount(identity))
    else if (tag !== null)
      owners.set(tagKey({ address, tag }), { orgId, accountId, externalUserId })
  }
  return { owners, tampered }
}

/** The name of a tag of an address in `matchTags`. */
export function tagKey({ address, tag }: { address: Address; tag: number }): string {
  return `${address} ${tag}`
}

/** Derived from the random bits of a new id: unpredictable and uniform. */
function tagOf(id: string): number {
  return createHash('sha256').update(`tag ${id}`).digest().readUInt32BE(0)
}
