import { approversOf, canonical, isLower, type Policy, recipientKey } from './policy.ts'

/**
 * Compares a policy with the one before: `tighter` only if the next one provably allows nothing
 * that the old one refuses, as an equal policy does. Everything else is `looser`.
 */
export function compare(old: Policy, next: Policy): 'tighter' | 'looser' {
  const isTighter =
    next.approvalHours <= old.approvalHours &&
    next.passkeys.rpId === old.passkeys.rpId &&
    isSubset(next.passkeys.origins, old.passkeys.origins) &&
    isSubset(rightsOf(next), rightsOf(old)) &&
    next.limits.every((limits) => isTighterFor(limits, old)) &&
    old.books.every((book) =>
      isSubset(recipientsOf(next, book.orgId), recipientsOf(old, book.orgId)),
    )
  return isTighter ? 'tighter' : 'looser'
}

/** The people who may approve, and the keys with which they can. */
function rightsOf(policy: Policy): string[] {
  return policy.people.flatMap((person) => {
    const { id, orgId, credentials } = person
    if (!approversOf(policy, orgId).includes(person)) return []
    const valid = credentials.filter(({ isRevoked }) => !isRevoked)
    return [null, ...valid].map((credential) => canonical([orgId, id, credential]))
  })
}

/** Whether each tier is at most the old one at its place. Removing the first tier is looser. */
function isTighterFor({ orgId, tokenId, tiers }: Policy['limits'][number], old: Policy): boolean {
  const limits = old.limits.find((one) => one.orgId === orgId && one.tokenId === tokenId)
  return tiers.every((tier, index) => {
    const before = limits?.tiers[index]
    return before !== undefined && tier.approvals >= before.approvals && isLower(tier, before)
  })
}

/** The address book of an organization; null without one, when everybody is paid. */
function recipientsOf({ books }: Policy, orgId: string): string[] | null {
  const book = books.find((one) => one.orgId === orgId)
  return book?.recipients.map((recipient) => recipientKey(orgId, recipient)) ?? null
}

function isSubset(part: readonly string[] | null, whole: readonly string[] | null): boolean {
  return whole === null || part?.every((entry) => whole.includes(entry)) === true
}
