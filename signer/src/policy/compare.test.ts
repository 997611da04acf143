import { expect, test } from 'vitest'
import { passkey, SITE } from '../../test/approvals.ts'
import { bookOf, NATIVE, PEOPLE, policyOf, RECIPIENT, TIERS } from '../../test/policies.ts'
import { compare } from './compare.ts'
import type { Policy } from './policy.ts'

type Person = Policy['people'][number]
const [LOW, MIDDLE, HIGH] = TIERS.map((tier) => ({ ...tier }))
const tiers = (...all: (typeof LOW)[]): Partial<Policy> => ({
  limits: [{ orgId: 'org', tokenId: NATIVE, tiers: all.flatMap((tier) => tier ?? []) }],
})
const lowest = (changes: Partial<typeof LOW>) =>
  tiers({ approvals: 1, each: '100', hour: '150', day: '200', ...changes }, MIDDLE, HIGH)
const people = (id: string, change: (person: Person) => Person[]): Partial<Policy> => ({
  people: PEOPLE.flatMap((person) => (person.id === id ? change(person) : person)),
})
const keys = (person: Person, changes: Partial<Person['credentials'][number]>): Person => ({
  ...person,
  credentials: person.credentials.map((credential) => ({ ...credential, ...changes })),
})
const other = passkey('other').credential

test.each<[string, Partial<Policy>, 'tighter' | 'looser']>([
  ['the same', {}, 'tighter'],
  ['a later version', { version: 9 }, 'tighter'],
  ['approvals for less time', { approvalHours: 47 }, 'tighter'],
  ['approvals for more time', { approvalHours: 49 }, 'looser'],
  ['fewer origins', { passkeys: { ...SITE, origins: SITE.origins.slice(1) } }, 'tighter'],
  ['another origin', { passkeys: { ...SITE, origins: ['https://a.example'] } }, 'looser'],
  ['another site', { passkeys: { ...SITE, rpId: 'example.com' } }, 'looser'],
  ['a person less', people('cid', () => []), 'tighter'],
  ['a disabled person', people('ann', (ann) => [{ ...ann, isDisabled: true }]), 'tighter'],
  ['an approver as viewer', people('bob', (bob) => [{ ...bob, role: 'viewer' }]), 'tighter'],
  ['an approver as admin', people('bob', (bob) => [{ ...bob, role: 'admin' }]), 'tighter'],
  ['a revoked key', people('bob', (bob) => [keys(bob, { isRevoked: true })]), 'tighter'],
  ['a key less', people('bob', (bob) => [{ ...bob, credentials: [] }]), 'tighter'],
  [
    'a viewer more',
    people('fay', (fay) => [fay, { ...fay, id: 'hal', credentials: [] }]),
    'tighter',
  ],
  ['a person more', people('cid', (cid) => [cid, { ...cid, id: 'hal' }]), 'looser'],
  ['an enabled person', people('eve', (eve) => [{ ...eve, isDisabled: false }]), 'looser'],
  ['a viewer as approver', people('fay', (fay) => [{ ...fay, role: 'approver' }]), 'looser'],
  ['a person elsewhere', people('ann', (ann) => [{ ...ann, orgId: 'other' }]), 'looser'],
  [
    'a key more',
    people('ann', (ann) => [{ ...ann, credentials: [...ann.credentials, other] }]),
    'looser',
  ],
  ['another key', people('ann', (ann) => [keys(ann, { publicKey: other.publicKey })]), 'looser'],
  ['a lower counter', people('ann', (ann) => [keys(ann, { counter: 1 })]), 'looser'],
  [
    'two people with the keys of one',
    people('bob', (bob) =>
      bob.credentials.map((one) => ({ ...bob, id: `bob-${one.id}`, credentials: [one] })),
    ),
    'looser',
  ],
  ['a token less', { limits: [] }, 'tighter'],
  ['no highest tier', tiers(LOW, MIDDLE), 'tighter'],
  ['no lowest tier', tiers(MIDDLE, HIGH), 'looser'],
  ['a tier more', tiers(LOW, MIDDLE, HIGH, HIGH), 'looser'],
  ['more approvals', lowest({ approvals: 2 }), 'tighter'],
  ['fewer approvals', lowest({ approvals: 0 }), 'looser'],
  ['lower limits', lowest({ each: '99', hour: '149', day: '199' }), 'tighter'],
  ['a higher limit of a payment', lowest({ each: '101' }), 'looser'],
  ['a higher limit of an hour', lowest({ hour: '151' }), 'looser'],
  ['a higher limit of a day', lowest({ day: '201' }), 'looser'],
  ['lower and higher limits', lowest({ each: '1', hour: '1', day: '201' }), 'looser'],
  ['a limit that is higher as a number only', lowest({ each: '1000', hour: '1001' }), 'looser'],
  [
    'another token',
    {
      limits: [...policyOf().limits, { orgId: 'org', tokenId: `${NATIVE}1`, tiers: [...TIERS] }],
    },
    'looser',
  ],
  [
    'another organization',
    { limits: [{ orgId: 'x', tokenId: NATIVE, tiers: [...TIERS] }] },
    'looser',
  ],
  ['an address book', { books: [bookOf(RECIPIENT)] }, 'tighter'],
])('a policy with %s is compared', (_what, changes, verdict) => {
  expect(compare(policyOf(), policyOf(changes))).toBe(verdict)
})

const [ONE, TWO] = ['0x01', '0x02'].map((start) => start.padEnd(42, 'a'))
test.each<[string, Policy['books'], 'tighter' | 'looser']>([
  ['the same', [bookOf(ONE ?? '', TWO ?? '')], 'tighter'],
  ['another order and case', [bookOf(TWO ?? '', `0x01${'A'.repeat(38)}`)], 'tighter'],
  ['fewer recipients', [bookOf(TWO ?? '')], 'tighter'],
  ['no recipient', [bookOf()], 'tighter'],
  ['another recipient', [bookOf(ONE ?? '', RECIPIENT)], 'looser'],
  ['no address book', [], 'looser'],
  ['an address book of another', [{ ...bookOf(ONE ?? ''), orgId: 'other' }], 'looser'],
])('an address book with %s is compared', (_what, books, verdict) => {
  const old = policyOf({ books: [bookOf(ONE ?? '', TWO ?? '')] })
  expect(compare(old, policyOf({ books }))).toBe(verdict)
})

test('another memo is another recipient on chains that carry it', () => {
  const book = (chainId: string, memo: string | null) =>
    policyOf({ books: [{ orgId: 'org', recipients: [{ chainId, address: 'rBob', memo }] }] })
  expect(compare(book('xrpl:mainnet', '1'), book('xrpl:mainnet', '2'))).toBe('looser')
  expect(compare(book('xrpl:mainnet', '1'), book('xrpl:mainnet', null))).toBe('looser')
  expect(compare(book('eip155:1', '1'), book('eip155:1', null))).toBe('tighter')
})
