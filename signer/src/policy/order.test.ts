import { describe, expect, test } from 'vitest'
import { ed25519, passkey } from '../../test/approvals.ts'
import {
  ADMIN_KEYS,
  ADMINS,
  bookOf,
  DAY_MS,
  FINGERPRINT,
  KEYS,
  NATIVE,
  pauseOf,
  PEOPLE,
  policyOf,
  recordOf,
  RECIPIENT,
  signedBy,
  signedText,
  START,
  TIERS,
} from '../../test/policies.ts'
import { Refused } from '../base.ts'
import { type Authority, decideOrder } from './order.ts'
import { canonical, parseOrder, type Policy, type SignedOrder } from './policy.ts'
import { PolicyRecord } from './record.ts'

const AUTHORITY: Authority = { keys: ADMIN_KEYS, quorum: 2, withoutPolicy: 'closed' }
const FACTS = { fingerprint: FINGERPRINT, now: START }
const EMPTY = new PolicyRecord(null)

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
  return 'valid'
}

const decide = (order: SignedOrder, record = EMPTY, authority = AUTHORITY) =>
  codeOf(() => decideOrder(order, record, { authority, ...FACTS }))
const activeAt = (policy: Policy, record: PolicyRecord) =>
  decideOrder(signedBy(policy), record, { authority: AUTHORITY, ...FACTS }).activeAt
const [one, two, three] = ADMINS
const admins = (...all: (typeof one)[]) => all.flatMap((admin) => admin ?? [])

describe('an order', () => {
  test.each<[string, SignedOrder, string]>([
    ['a policy of two admins', signedBy(policyOf()), 'valid'],
    ['a policy of three admins', signedBy(policyOf(), [...ADMINS]), 'valid'],
    ['a policy of one', signedBy(policyOf(), admins(three)), 'quorum-missing'],
    ['a policy of one twice', signedBy(policyOf(), admins(one, one)), 'quorum-missing'],
    ['a policy without signatures', signedBy(policyOf(), []), 'quorum-missing'],
    ['a policy of others', signedBy(policyOf(), ['x', 'y'].map(ed25519)), 'quorum-missing'],
    ['a policy of approvers', signedBy(policyOf(), [KEYS.cid, KEYS.bobCli]), 'quorum-missing'],
    ['a pause of one', signedBy(pauseOf(1, true), admins(two)), 'valid'],
    ['a pause without signatures', signedBy(pauseOf(1, true), []), 'quorum-missing'],
    ['a pause of another', signedBy(pauseOf(1, true), [ed25519('x')]), 'quorum-missing'],
    ['a resume of one', signedBy(pauseOf(1, false), admins(two)), 'quorum-missing'],
    ['a resume of two', signedBy(pauseOf(1, false)), 'valid'],
    ['another signer', signedBy(policyOf({ signer: '5d770e83' })), 'malformed'],
    ['version 0', signedBy(policyOf({ version: 0 })), 'stale-order'],
    ['version 2', signedBy(policyOf({ version: 2 })), 'stale-order'],
    ['pause 2', signedBy(pauseOf(2, true)), 'stale-order'],
    [
      'another domain',
      signedText(canonical(policyOf()), 'sluice/pause/1', ADMINS),
      'quorum-missing',
    ],
    [
      'another domain of a pause',
      signedText(canonical(pauseOf(1, true)), 'sluice/policy/1', ADMINS),
      'quorum-missing',
    ],
    [
      'an approval as signature',
      signedText(canonical(policyOf()), 'sluice/approval/1', ADMINS),
      'quorum-missing',
    ],
  ])('with %s is decided', (_what, order, code) => {
    expect(decide(order)).toBe(code)
  })

  test('counts each admin once, and no broken signature', () => {
    const { text, signatures } = signedBy(policyOf())
    const [first, second] = signatures
    const broken = { key: second?.key ?? '', signature: first?.signature ?? '' }
    const order = { text, signatures: [...signatures.slice(0, 1), broken] }
    expect(decide(order)).toBe('quorum-missing')
    expect(decide({ text, signatures: [...signatures, broken] })).toBe('valid')
  })

  test('needs a signature if the quorum is 0, and pinned keys', () => {
    const none = { ...AUTHORITY, quorum: 0 }
    expect(decide(signedBy(policyOf(), []), EMPTY, none)).toBe('quorum-missing')
    expect(decide(signedBy(policyOf(), admins(one)), EMPTY, none)).toBe('valid')
    const unknown = { ...AUTHORITY, keys: [] }
    expect(decide(signedBy(pauseOf(1, true)), EMPTY, unknown)).toBe('quorum-missing')
    const twice = { ...AUTHORITY, keys: [...ADMIN_KEYS.slice(0, 1), ...ADMIN_KEYS.slice(0, 1)] }
    expect(decide(signedBy(policyOf(), admins(one)), EMPTY, twice)).toBe('quorum-missing')
  })

  test('is taken once', () => {
    const record = recordOf([START, policyOf()])
    expect(decide(signedBy(policyOf()), record)).toBe('stale-order')
    expect(decide(signedBy(policyOf({ version: 2 })), record)).toBe('valid')
    record.apply(START, [], { ...signedBy(pauseOf(1, true)), activeAt: START })
    expect(decide(signedBy(pauseOf(1, false)), record)).toBe('stale-order')
    expect(decide(signedBy(pauseOf(2, false)), record)).toBe('valid')
  })

  test('takes effect at once if it is tighter or first, and else after 24 hours', () => {
    const record = recordOf([START - DAY_MS, policyOf()])
    expect(activeAt(policyOf(), EMPTY)).toBe(START)
    expect(activeAt(policyOf({ version: 2, approvalHours: 1 }), record)).toBe(START)
    expect(activeAt(policyOf({ version: 2, approvalHours: 99 }), record)).toBe(START + DAY_MS)
  })

  test('is compared with the policy in force, not with the one that waits', () => {
    const looser = policyOf({ version: 2, approvalHours: 99 })
    const record = recordOf([START - DAY_MS, policyOf()], [START - 1, looser, START + DAY_MS - 1])
    const next = (approvalHours: number) =>
      activeAt(policyOf({ version: 3, approvalHours }), record)
    expect(next(98)).toBe(START + DAY_MS)
    expect(next(48)).toBe(START)
  })
})

describe('the text of an order', () => {
  const text = canonical(policyOf({ books: [bookOf(RECIPIENT)] }))
  test('is canonical JSON', () => {
    expect(parseOrder(text)).toEqual(policyOf({ books: [bookOf(RECIPIENT)] }))
    expect(canonical({ b: [{ d: 1, c: null }], a: 'ä' })).toBe('{"a":"ä","b":[{"c":null,"d":1}]}')
  })

  test.each<[string, string]>([
    ['a blank', text.replace(',', ', ')],
    ['a blank behind it', `${text} `],
    ['keys in another order', JSON.stringify(policyOf())],
    ['a key twice', text.replace('{"approvalHours":48', '{"approvalHours":1,"approvalHours":48')],
    ['another notation', text.replace('48', '4.8e1')],
    ['an unknown field', text.replace('{"approvalHours"', '{"a":1,"approvalHours"')],
    ['another format', text.replace('sluice/policy/1', 'sluice/policy/2')],
    ['a negative number', text.replace('48', '-48')],
    ['a fraction', text.replace('48', '48.5')],
    ['an amount with a leading zero', text.replace('"100"', '"0100"')],
    ['an amount as number', text.replace('"100"', '100')],
    ['a negative amount', text.replace('"100"', '"-100"')],
    ['another role', text.replace('"viewer"', '"owner"')],
    ['no text', ''],
    ['null', 'null'],
    ['half of it', text.slice(0, text.length / 2)],
  ])('is refused with %s', (_what, changed) => {
    expect(changed).not.toBe(text)
    expect(codeOf(() => parseOrder(changed))).toBe('malformed')
  })

  const [ann, bob, ...others] = PEOPLE
  const withKeys = (...credentials: Policy['people'][number]['credentials']): Partial<Policy> => ({
    people: [...(ann === undefined ? [] : [{ ...ann, credentials }]), ...others],
  })
  const tiers = (...all: Policy['limits'][number]['tiers']): Partial<Policy> => ({
    limits: [{ orgId: 'org', tokenId: NATIVE, tiers: all }],
  })
  const [low, middle] = TIERS
  const ordered = (changes: Partial<NonNullable<typeof low>>) =>
    low === undefined || middle === undefined ? {} : tiers(low, { ...middle, ...changes })
  const key = passkey('own')
  const edwards = passkey('edwards', 'Ed25519').credential
  const negated = key.credential.publicKey.slice(0, -64)

  test.each<[string, Partial<Policy>, string]>([
    ['one key', withKeys(key.credential), 'valid'],
    ['two tiers', ordered({}), 'valid'],
    ['a second tier like the first', ordered({ ...low }), 'valid'],
    [
      'a person twice',
      { people: [...PEOPLE, ...(bob === undefined ? [] : [{ ...bob, credentials: [] }])] },
      'malformed',
    ],
    ['a key twice', withKeys(key.credential, { ...key.credential, id: 'x' }), 'malformed'],
    [
      'a key in two encodings',
      withKeys(edwards, {
        ...edwards,
        id: 'x',
        kind: 'ed25519',
        publicKey: edwards.publicKey.slice(-64),
      }),
      'malformed',
    ],
    ['the id of a key twice', withKeys(key.credential, passkey('own').credential), 'malformed'],
    ['the id of a key as person', withKeys(passkey('cid').credential), 'malformed'],
    [
      'a broken key',
      withKeys({ ...key.credential, publicKey: `${negated}${'11'.repeat(32)}` }),
      'malformed',
    ],
    ['a token twice', { limits: [...policyOf().limits, ...policyOf().limits] }, 'malformed'],
    ['two address books', { books: [bookOf(), bookOf(RECIPIENT)] }, 'malformed'],
    ['no tier', tiers(), 'malformed'],
    ['fewer approvals above', ordered({ approvals: 0 }), 'malformed'],
    ['a lower payment above', ordered({ each: '99' }), 'malformed'],
    ['a lower hour above', ordered({ hour: '149' }), 'malformed'],
    ['a lower day above', ordered({ day: '199' }), 'malformed'],
  ])('with %s is read', (_what, changes, code) => {
    expect(codeOf(() => parseOrder(canonical(policyOf(changes))))).toBe(code)
  })
})
