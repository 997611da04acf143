import type {
  Account as AccountView,
  Chain as ChainView,
  Deposit as DepositView,
  Organization as OrganizationView,
  Person as PersonView,
  Token as TokenView,
} from '@sluice/wire'
import type { Account } from '../../accounts/account.ts'
import { accountPayload } from '../../accounts/payload.ts'
import { iso } from '../../base/clock.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import {
  type Deposit,
  confirmationsAt,
  confirmationsNeeded,
  positionIndex,
} from '../../deposits/deposit.ts'
import { Refusal } from '../../base/fault.ts'
import type { Person } from '../../orgs/list-people.ts'
import type { Organization } from '../../orgs/organization.ts'
import type { Offers } from './offers.ts'

/** Section 2.7. `secret` is the part of the signing secret that the caller may see. */
export function viewOrganization(
  organization: Organization,
  more: { humans: number; secret: string; permissions: string[] },
): OrganizationView {
  return {
    id: organization.id,
    name: organization.name,
    webhookUrl: organization.webhookUrl,
    webhookSigningSecret: more.secret,
    minWithdrawalSigners: organization.minWithdrawalSigners,
    minHumanApprovals: more.humans,
    permissions: more.permissions,
    createdAt: iso(organization.createdAt),
    updatedAt: iso(organization.updatedAt),
  }
}

/** A person; the user of an API key is no person. */
export function viewPerson(person: Person): PersonView {
  const { id, username, role, status, isEnrolled, invitedUntil, lastLoginAt } = person
  if (role === 'api') throw new Refusal('NOT_FOUND', { id })
  return {
    id,
    username,
    role,
    status,
    enrolled: isEnrolled,
    invitationExpiresAt: invitedUntil === null ? null : iso(invitedUntil),
    lastLoginAt: lastLoginAt === null ? null : iso(lastLoginAt),
    tampered: !person.authentic,
    createdAt: iso(person.createdAt),
    updatedAt: iso(person.updatedAt),
  }
}

/** Section 2.4. */
export function viewAccount(account: Account): AccountView {
  return { ...accountPayload(account), updatedAt: iso(account.updatedAt) }
}

/**
 * Section 2.3 and decisions, 2. `tipHeight` is the height of our tip on the deposit's chain, null
 * if it was never reached. A block that left the chain has no confirmations.
 */
export function viewDeposit(
  deposit: Deposit,
  { catalogue, tipHeight }: { catalogue: Catalogue; tipHeight: number | null },
): DepositView {
  const isCounted = tipHeight !== null && deposit.status !== 'Orphaned'
  return {
    id: deposit.id,
    index: positionIndex(deposit.position),
    chainId: deposit.chainId,
    txnHash: deposit.txnHash,
    tokenId: deposit.tokenId,
    amount: deposit.amount.toString(),
    accountChainId: deposit.accountChainId,
    externalUserId: deposit.externalUserId,
    senderAddress: deposit.senderAddress,
    status: deposit.status,
    confirmations: isCounted ? confirmationsAt(deposit, tipHeight) : 0,
    requiredConfirmations: confirmationsNeeded(deposit, catalogue.required(deposit.chainId)),
    blockNumber: deposit.block.height,
    blockHash: deposit.block.hash,
    confirmedAt: deposit.confirmedAt === null ? null : iso(deposit.confirmedAt),
    Token: catalogue.summary(deposit.tokenId),
    createdAt: iso(deposit.createdAt),
    updatedAt: iso(deposit.updatedAt),
  }
}

/** Section 2.5. */
export function viewChain(
  entry: ChainEntry,
  { catalogue, offers }: { catalogue: Catalogue; offers: Pick<Offers, 'chain' | 'decisions'> },
): ChainView {
  const { id, name, namespace, reference, isTestnet, nativeCurrency, decimals } = entry
  const properties = {
    nativeCurrency,
    decimals,
    blockTimeSeconds: entry.blockTimeSeconds,
    requiredConfirmations: catalogue.required(id),
    carriesMemo: entry.carriesMemo,
    explorer: entry.explorer,
  }
  const enabled = offers.chain(entry)
  return {
    id,
    name,
    namespace,
    reference,
    enabled,
    ...offers.decisions(entry),
    isTestnet,
    properties,
  }
}

/** Section 2.6; `properties` has the largest withdrawal (decisions, 7). */
export function viewToken(
  entry: TokenEntry,
  offers: Pick<Offers, 'token' | 'decisions'>,
): TokenView {
  const { id, chainId, name, symbol, decimals, address, minimumAmount } = entry
  const maximum = entry.maximumWithdrawalAmount
  const properties = { maximumWithdrawalAmount: maximum === null ? null : maximum.toString() }
  return {
    id,
    chainId,
    name,
    symbol,
    decimals,
    address,
    enabled: offers.token(entry),
    ...offers.decisions(entry),
    minimumAmount: minimumAmount.toString(),
    properties,
  }
}
