import { type Approval, verifyApproval } from '../approve/approval.ts'
import { require } from '../base.ts'
import { withdrawalHash } from '../hash.ts'
import type { PaidWithdrawal } from '../request.ts'
import { approversOf, type Policy, recipientKey } from './policy.ts'
import { PolicyRecord, type Spending, type Version } from './record.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The clocks of the service and of the signer differ by less. */
const SKEW_MS = 300_000

/**
 * Decides whether the policy allows to pay withdrawals that have no slot, all of them together.
 * Returns what they add to the sums of their tokens. `now`: ms. Throws Refused. Pure.
 */
export function decidePolicy(
  withdrawals: readonly PaidWithdrawal[],
  { policy, since }: Version,
  record: PolicyRecord,
  now: number,
): Spending[] {
  const next = new PolicyRecord(record)
  return withdrawals.map((withdrawal) => {
    const { orgId, chainId, tokenId, amount, recipient: address, memo } = withdrawal
    if (policy.books.some((book) => book.orgId === orgId)) {
      const added = since.get(recipientKey(orgId, { chainId, address, memo }))
      require(added !== undefined, 'unknown-recipient', `${address} is not in the address book.`)
      const isOld = now - added >= DAY_MS
      require(isOld, 'recipient-too-new', `${address} was added less than 24 hours ago.`)
    }
    const limits = policy.limits.find((one) => one.orgId === orgId && one.tokenId === tokenId)
    require(limits !== undefined, 'no-policy', `The policy has no limits for ${tokenId}.`)
    const isWithin = (limit: string, tier: number, from: number) =>
      next.spent(withdrawal, tier, from) + BigInt(amount) <= BigInt(limit)
    const tier = limits.tiers.findIndex(
      ({ each, hour, day }, index) =>
        BigInt(amount) <= BigInt(each) &&
        isWithin(hour, index, now - HOUR_MS) &&
        isWithin(day, index, now - DAY_MS),
    )
    const needed = limits.tiers[tier]?.approvals
    const says = `${amount} exceeds the limits of ${tokenId} for a payment, an hour or a day.`
    require(needed !== undefined, 'cap-exceeded', says)
    if (needed > 0) checkApprovals(withdrawal, { tier, needed, policy, now })
    const spending = { orgId, tokenId, amount, tier }
    next.apply(now, [spending], undefined)
    return spending
  })
}

function checkApprovals(
  withdrawal: PaidWithdrawal,
  { tier, needed, policy, now }: { tier: number; needed: number; policy: Policy; now: number },
): void {
  const age = now - Date.parse(withdrawal.createdAt)
  const isFresh = age >= -SKEW_MS && age <= policy.approvalHours * HOUR_MS
  require(isFresh, 'approvals-expired', 'The withdrawal is too old for its approvals, or not yet.')
  const facts = { tier, policy, hash: withdrawalHash(withdrawal) }
  const people = new Set<string>()
  const objections = new Set<string>()
  for (const approval of withdrawal.approvals ?? []) {
    const verdicts = approversOf(policy, withdrawal.orgId).map(
      (person) => [person.id, objectionTo(approval, person, facts)] as const,
    )
    const [id, objection] = verdicts.find(([, says]) => says !== undefined) ?? ['', undefined]
    if (objection === null) people.add(id)
    else objections.add(objection ?? 'No approver of the organization has such a key.')
  }
  const says = [`${people.size} of ${needed} people have approved.`, ...objections].join(' ')
  require(people.size >= needed, 'approvals-missing', says)
}

/** Null if the approval counts, else why not; undefined if it is not of this person. */
function objectionTo(
  approval: Approval,
  { id, credentials }: Policy['people'][number],
  { tier, policy, hash }: { tier: number; policy: Policy; hash: string },
): string | null | undefined {
  if (approval.kind !== 'attested') {
    const credential = credentials.find((one) => one.id === approval.credentialId)
    return credential && verifyApproval(approval, credential, hash, policy.passkeys)
  }
  if (approval.personId !== id) return undefined
  return tier === 0 ? null : 'A one-time code counts in the lowest tier alone.'
}
