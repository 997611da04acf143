import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'
import { SignJWT, UnsecuredJWT, exportJWK } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Door, openDoor, refusalIn } from '../../test/support/door.ts'
import { type Person, addPerson, officeOf, signIn } from '../../test/support/sign-in.ts'
import { openServiceKey } from '../keys/service-key.ts'

const HOUR = 3600

let door: Door
let ann: Person
let good: string
beforeAll(async () => {
  door = await openDoor()
  ann = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'admin' })
  good = await freshToken()
})
afterAll(() => door.close())

type Parts = Record<string, unknown>

/** The claims and header of a valid token, with changes; undefined values are omitted. */
interface Forgery {
  header?: Parts
  claims?: Parts
  key?: KeyObject
}

async function freshToken(): Promise<string> {
  const { headers } = await signIn(door, ann)
  return headers.authorization.replace('Bearer ', '')
}

function ours(): KeyObject {
  return door.deps.serviceKey.keyPair('access-token').privateKey
}

function partsOf(token: string): { header: Parts; claims: Parts; signature: string } {
  const [header = '', claims = '', signature = ''] = token.split('.')
  return { header: decode(header), claims: decode(claims), signature }
}

function decode(part: string): Parts {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Parts
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Signs any header, with our own key by default. */
function forge({ header = {}, claims = {}, key = ours() }: Forgery): string {
  const parts = partsOf(good)
  const head = encode({ ...parts.header, ...header })
  const body = encode({ ...parts.claims, ...claims })
  const signature = signBytes(null, Buffer.from(`${head}.${body}`), key).toString('base64url')
  return `${head}.${body}.${signature}`
}

function hmacSigned(alg: string, secret: string | Buffer): string {
  const head = encode({ ...partsOf(good).header, alg })
  const body = encode(partsOf(good).claims)
  const hash = `sha${alg.slice(2)}`
  const mac = createHmac(hash, secret).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${mac}`
}

function foreign(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

function unsigned(alg: string): string {
  return `${encode({ typ: 'at+jwt', alg })}.${encode(partsOf(good).claims)}.`
}

function publicPem(): string {
  const { publicKey } = door.deps.serviceKey.keyPair('access-token')
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

function publicRaw(): Buffer {
  const { publicKey } = door.deps.serviceKey.keyPair('access-token')
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
}

function seconds(): number {
  return Math.floor(door.harness.clock.now() / 1000)
}

/** The signing key of an installation with another service key. */
function elsewhere(): KeyObject {
  const other = openServiceKey({ key: new Uint8Array(32).fill(3), random: door.deps.random })
  return other.keyPair('access-token').privateKey
}

async function withJwkInside(): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return forge({ header: { jwk: await exportJWK(publicKey) }, key: privateKey })
}

async function rsaSigned(alg: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new SignJWT(partsOf(good).claims).setProtectedHeader({ alg }).sign(privateKey)
}

async function ecSigned(): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new SignJWT(partsOf(good).claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
}

const UNKNOWN = '019b76da-0000-7000-8000-000000000000'

const BAD: [name: string, make: () => string | Promise<string>][] = [
  ['algorithm none', () => unsigned('none')],
  ['algorithm None', () => unsigned('None')],
  ['algorithm nOnE', () => unsigned('nOnE')],
  ['algorithm NONE', () => unsigned('NONE')],
  ['no algorithm at all', () => forge({ header: { alg: undefined } })],
  ['an algorithm that is a list', () => forge({ header: { alg: ['EdDSA', 'none'] } })],
  ['algorithm none beside our signature', () => forge({ header: { alg: 'none' } })],
  ['the library’s own unsecured token', () => new UnsecuredJWT(partsOf(good).claims).encode()],
  ['HS256 with our public key as PEM', () => hmacSigned('HS256', publicPem())],
  ['HS256 with our public key as bytes', () => hmacSigned('HS256', publicRaw())],
  ['HS384 with our public key', () => hmacSigned('HS384', publicRaw())],
  ['HS512 with our public key', () => hmacSigned('HS512', publicRaw())],
  ['HS256 with a blank key', () => hmacSigned('HS256', '')],
  ['HS256 with a key that is guessed', () => hmacSigned('HS256', 'secret')],
  ['RS256', () => rsaSigned('RS256')],
  ['PS256', () => rsaSigned('PS256')],
  ['ES256', () => ecSigned()],
  ['EdDSA by another key', () => forge({ key: foreign() })],
  ['another installation', () => forge({ key: elsewhere() })],
  ['a key id that is a path', () => forge({ header: { kid: '../../../../dev/null' } })],
  ['a key id that is SQL', () => forge({ header: { kid: "x' union select 'key' --" } })],
  ['a key inside', () => withJwkInside()],
  ['the address of a key', () => forge({ header: { jku: 'https://evil.example/jwks' } })],
  ['the address of a certificate', () => forge({ header: { x5u: 'https://evil.example/x' } })],
  ['a certificate inside', () => forge({ header: { x5c: ['MIIB'] } })],
  ['a critical extension', () => forge({ header: { crit: ['exp2'], exp2: 1 } })],
  ['a payload that is not encoded', () => forge({ header: { b64: false, crit: ['b64'] } })],
  ['another type', () => forge({ header: { typ: 'JWT' } })],
  ['no type', () => forge({ header: { typ: undefined } })],
  ['an empty signature', () => good.slice(0, good.lastIndexOf('.') + 1)],
  ['no signature', () => good.slice(0, good.lastIndexOf('.'))],
  ['a signature cut short', () => good.slice(0, -10)],
  ['a token cut short', () => good.slice(0, 40)],
  ['a signature of zeros', () => `${good.slice(0, good.lastIndexOf('.'))}.${'A'.repeat(86)}`],
  ['four parts', () => `${good}.x`],
  ['five parts', () => `${good}.x.y`],
  ['claims that were changed', () => good.replace(/\.[^.]+\./, `.${encode({ sub: 'x' })}.`)],
  ['claims that are no object', () => good.replace(/\.[^.]+\./, `.${encode([1])}.`)],
  ['no end', () => forge({ claims: { exp: undefined } })],
  ['an end that is past', () => forge({ claims: { exp: seconds() - 60 } })],
  ['an end that is text', () => forge({ claims: { exp: '9999999999' } })],
  ['an end that is null', () => forge({ claims: { exp: null } })],
  ['no beginning', () => forge({ claims: { iat: undefined } })],
  ['a beginning to come', () => forge({ claims: { iat: seconds() + 600 } })],
  ['a beginning long ago', () => forge({ claims: { iat: 1, exp: 99_999_999_999 } })],
  ['not before some time to come', () => forge({ claims: { nbf: seconds() + 600 } })],
  ['another issuer', () => forge({ claims: { iss: 'https://evil.example' } })],
  ['no issuer', () => forge({ claims: { iss: undefined } })],
  ['another audience', () => forge({ claims: { aud: 'another-service' } })],
  ['no audience', () => forge({ claims: { aud: undefined } })],
  ['no session', () => forge({ claims: { jti: undefined } })],
  ['an unknown session', () => forge({ claims: { jti: UNKNOWN } })],
  ['a session that is no id', () => forge({ claims: { jti: "' or 1=1 --" } })],
  ['another user', () => forge({ claims: { sub: UNKNOWN } })],
  ['another organization', () => forge({ claims: { org: door.b.orgId } })],
  ['an organization that is no id', () => forge({ claims: { org: '*' } })],
  ['another role', () => forge({ claims: { role: 'viewer' } })],
  ['an unknown role', () => forge({ claims: { role: 'root' } })],
  ['an API key', () => door.a.key],
  ['a megabyte', () => `${good}${'A'.repeat(1_000_000)}`],
  ['a megabyte of header', () => `${'A'.repeat(1_000_000)}.${good.split('.').slice(1).join('.')}`],
  ['dots', () => '..'],
  ['characters of no alphabet', () => good.replace(/.$/, '!')],
]

describe('an access token', () => {
  test('is accepted as signed [S01]', async () => {
    const answer = await ask(good)
    expect([answer.status, answer.json['username']]).toEqual([200, ann.username])
    expect((await ask(forge({}))).status).toBe(200)
    expect(BAD.length).toBeGreaterThan(25)
  })

  test.each(BAD)('with %s is a 401 INVALID_TOKEN [S01]', async (_name, make) => {
    const answer = await ask(await make())
    const { error, statusCode } = refusalIn(answer)
    expect([error, statusCode]).toEqual(['INVALID_TOKEN', 401])
  })

  test('has claims for user, organization, role, times and session [S01]', () => {
    const { header, claims } = partsOf(good)
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt' })
    expect(claims).toEqual({
      iss: 'sluice',
      aud: 'sluice',
      sub: ann.userId,
      org: door.a.orgId,
      role: 'admin',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: Number(claims['iat']) + HOUR,
    })
  })

  test('expires with its session when the session ends first [S01]', async () => {
    const token = await freshToken()
    const late = forge({ claims: { ...partsOf(token).claims, exp: 99_999_999_999 } })
    expect((await ask(late)).status).toBe(200)
    await door.harness.clock.advance(HOUR * 1000)
    for (const one of [token, late]) expect(refusalIn(await ask(one)).error).toBe('INVALID_TOKEN')
  })

  test('is refused by the next request after the database ends its session [S02]', async () => {
    const token = await freshToken()
    expect((await ask(token)).status).toBe(200)
    await door.harness.database.transaction((tx) =>
      tx.run(sql`update sessions set ended_at = now() where user_id = ${ann.userId}`),
    )
    expect(refusalIn(await ask(token)).error).toBe('INVALID_TOKEN')
  })
})

function ask(token: string): ReturnType<Door['ask']> {
  return door.ask('/auth/profile', { key: null, headers: { authorization: `Bearer ${token}` } })
}
