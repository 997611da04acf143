import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareWith, type Oracles } from '../../../service/test/support/oracles.ts'
import { IS_SHORT } from '../../../service/test/support/tier.ts'
import {
  type Assertion,
  assertionOf,
  FLAGS,
  type Key,
  passkey,
  type PasskeyApproval,
  SITE,
} from '../../test/approvals.ts'
import { verifyApproval } from './approval.ts'

const RUNS = IS_SHORT ? 300 : 10_000
const HASH = '19816e15f207cf9cc6f46206d84326a423bf5d73fbf5a040ed4876ee33299c7f'
const KEYS = [passkey('ec'), passkey('edwards', 'Ed25519'), passkey('other')]
type Field = 'clientData' | 'authenticatorData' | 'signature'

/** Deviations of the authenticator or of the browser, mostly wrong. */
const deviations: fc.Arbitrary<Partial<Assertion>> = fc.oneof(
  fc.constant({}),
  fc.record({ type: fc.constantFrom('webauthn.create', 'webauthn.get ', '', null, 7) }),
  fc.record({ challenge: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) }),
  fc.record({
    origin: fc.constantFrom(...SITE.origins, 'https://example.com', '', null, undefined),
  }),
  fc.record({ crossOrigin: fc.constantFrom(true, false, undefined, null, 'yes') }),
  fc.record({ rpId: fc.constantFrom('example.com', 'com', '', `${SITE.rpId}.`) }),
  fc.record({ flags: fc.nat(255) }),
  fc.record({ flags: fc.constantFrom(0x01, 0x04, 0x05, 0x0d, 0x15, 0x1d, 0x25) }),
  fc.record({ counter: fc.constantFrom(0, 1, 6, 7, 8, 2 ** 32 - 1) }),
  fc.record({ extra: fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)) }),
  fc.constant({ flags: FLAGS | 0x80, extra: Buffer.of(0xa0) }),
)
/** A change of signed bytes. */
interface Edit {
  field: Field
  kind: 'flip' | 'remove' | 'insert' | 'append'
  position: number
  value: number
}
const edits: fc.Arbitrary<Edit> = fc.record({
  field: fc.constantFrom<Field>('clientData', 'authenticatorData', 'signature'),
  kind: fc.constantFrom<Edit['kind']>('flip', 'remove', 'insert', 'append'),
  position: fc.nat(2 ** 16),
  value: fc.integer({ min: 1, max: 255 }),
})
const cases = fc.record({
  key: fc.constantFrom(0, 1),
  isOther: fc.boolean(),
  counter: fc.constantFrom(0, 0, 7),
  changes: fc.array(deviations, { maxLength: 2 }),
  edit: fc.option(edits, { freq: 2 }),
})

function edited(approval: PasskeyApproval, edit: Edit | null): PasskeyApproval {
  if (edit === null) return approval
  const { field, kind, position, value } = edit
  const bytes = [...Buffer.from(approval[field], 'hex')]
  const at = position % bytes.length
  const [before, there = 0, after] = [bytes.slice(0, at), bytes[at], bytes.slice(at + 1)]
  const changed = {
    flip: [...before, there ^ value, ...after],
    remove: [...before, ...after],
    insert: [...before, value, there, ...after],
    append: [...bytes, value],
  }
  return { ...approval, [field]: Buffer.from(changed[kind]).toString('hex') }
}

async function libraryAccepts(
  library: Oracles['@simplewebauthn/server'],
  approval: PasskeyApproval,
  { publicKey, counter }: { publicKey: string; counter: number },
): Promise<boolean> {
  const [clientDataJSON, authenticatorData, signature] = [
    approval.clientData,
    approval.authenticatorData,
    approval.signature,
  ].map((hex) => Buffer.from(hex, 'hex').toString('base64url'))
  const id = Buffer.from(approval.credentialId).toString('base64url')
  const response = { clientDataJSON, authenticatorData, signature }
  try {
    const { verified } = await library.verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: Buffer.from(HASH, 'hex').toString('base64url'),
      expectedOrigin: SITE.origins,
      expectedRPID: SITE.rpId,
      credential: { id, publicKey: Buffer.from(publicKey, 'hex'), counter },
    })
    return verified
  } catch {
    return false
  }
}

compareWith(['@simplewebauthn/server'], ({ '@simplewebauthn/server': library }) => {
  test('an assertion counts if the library accepts it', async () => {
    const counts = { both: 0, neither: 0, stricter: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async ({ key, isOther, counter, changes, edit }) => {
        const known: Key | undefined = KEYS[key]
        const signing = isOther && changes.length === 2 ? KEYS[2] : known
        if (known === undefined || signing === undefined) throw new Error('a key is missing')
        const parts: Partial<Assertion> = Object.assign({ counter: counter + 1 }, ...changes)
        const approval = edited(assertionOf(signing, HASH, parts), edit)
        const credential = { ...known.credential, counter }
        const counted = verifyApproval(approval, credential, HASH, SITE) === null
        const accepted = await libraryAccepts(library, approval, credential)
        counts[counted ? 'both' : accepted ? 'stricter' : 'neither'] += 1
        if (counted) expect(accepted).toBe(true)
        // The signer refuses framed pages, extensions, and signatures that are not strict DER.
        const flags = Buffer.from(approval.authenticatorData, 'hex')[32] ?? 0
        const isFramed = parts.crossOrigin === true
        if (isFramed || (flags & 0xc0) !== 0 || edit?.field === 'signature') return
        expect(counted).toBe(accepted)
      }),
      { numRuns: RUNS },
    )
    expect(counts.both).toBeGreaterThan(RUNS / 8)
    expect(counts.neither).toBeGreaterThan(RUNS / 3)
    expect(counts.stricter).toBeGreaterThan(0)
  }, 600_000)
})
