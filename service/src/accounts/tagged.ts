import { createHash } from 'node:crypto'
import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Account, AccountOwner } from './account.ts'
import { readBaseAccount } from './base-account.ts'
import { openOwnAddress } from './own-address.ts'
import { insertTagged } from './rows.ts'
import { selectTagged } from './tag-rows.ts'
import type { AccountKeys } from './wallet.ts'

/** Whose a tag of a base account is. */
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
 * base account. Refuses with FAILED_TO_CREATE_DEPOSIT_ACCOUNT, and with what is missing, until the
 * ledger has been seen to refuse payments without a tag.
 */
export async function lockBase(
  tx: Tx,
  given: { keys: AccountKeys; entry: ChainEntry; orgId: string },
): Promise<{ address: Address; wallet: number }> {
  const { entry, orgId } = given
  const base = await readBaseAccount(tx, { orgId, chainId: entry.id })
  if (base === null || base.missing !== '' || base.readyHeight === null) {
    const reason = base?.missing ?? 'the base account was not looked at yet'
    const address = base === null ? {} : { address: base.address }
    const says = `The base account of the organization is not ready: ${reason}.`
    throw new Refusal(
      'FAILED_TO_CREATE_DEPOSIT_ACCOUNT',
      { chainId: entry.id, reason, ...address },
      says,
    )
  }
  const own = await openOwnAddress(tx, { ...given, purpose: 'settlement' })
  assert(own.address === base.address, 'a base account was changed in the database', { ...base })
  return { address: own.address, wallet: own.walletNumber }
}

/**
 * Opens an account under a random tag of a locked base account that nobody has. Refuses with
 * FAILED_TO_CREATE_DEPOSIT_ACCOUNT where none was found.
 */
export async function openTagged(
  tx: Tx,
  owner: AccountOwner,
  { address, wallet }: { address: Address; wallet: number },
): Promise<Account> {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const tag = tagOf(tx.ids.next())
    if (tag < TAG_MIN) continue
    const account = await insertTagged(tx, { ...owner, address, wallet, tag })
    if (account !== null) return account
  }
  const { chainId } = owner
  throw new Refusal('FAILED_TO_CREATE_DEPOSIT_ACCOUNT', { chainId, reason: 'no tag is free' })
}

/** Whose these tags are, by `<address> <tag>`. */
export async function matchTags(
  tx: Tx,
  chainId: ChainId,
  pairs: readonly { address: Address; tag: number }[],
): Promise<Map<string, TagOwner>> {
  if (pairs.length === 0) return new Map()
  const rows = await selectTagged(tx, chainId, pairs)
  return new Map(rows.map(({ address, tag, ...owner }) => [tagKey({ address, tag }), owner]))
}

/** The name of a tag of an address in `matchTags`. */
export function tagKey({ address, tag }: { address: Address; tag: number }): string {
  return `${address} ${tag}`
}

/** Of a fresh id, whose random bits nobody foresees, spread over all tags alike. */
function tagOf(id: string): number {
  return createHash('sha256').update(`tag ${id}`).digest().readUInt32BE(0)
}
