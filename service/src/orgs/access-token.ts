import { SignJWT, errors, jwtVerify } from 'jose'
import { type Millis, toDate } from '../base/clock.ts'
import { isId } from '../base/id.ts'
import type { KeyPair } from '../keys/service-key.ts'
import { ROLES, type Role } from './user.ts'

/** The claims of an access token (decisions, section 5). */
export interface Claims {
  userId: string
  orgId: string
  role: Role
  /** The session: the token's `jti`. */
  sessionId: string
  /** The session of a recovery code: signed, because the row of a session has no MAC. */
  isRecovery?: boolean
}

const RECOVERY = 'recovery'

/** The only accepted algorithm; the token's own `alg` header does not choose it (S01). */
const ALGORITHM = 'EdDSA'
/** RFC 9068, section 2.1: separates access tokens from tokens of any other kind. */
const TYPE = 'at+jwt'
const PARTY = 'sluice'
/** Our tokens have about 400 characters. */
const LENGTH_MAX = 2_000
/** Tolerated difference between the clocks of two processes; the session's end is exact. */
const TOLERANCE_SECONDS = 5

/** Signs a token that is good from `at` for `ttlSeconds`: JWS, compact, EdDSA (RFC 8037). */
export function signAccessToken(
  { privateKey }: KeyPair,
  claims: Claims,
  { at, ttlSeconds }: { at: Millis; ttlSeconds: number },
): Promise<string> {
  const from = Math.floor(at / 1000)
  const scope = claims.isRecovery === true ? { scope: RECOVERY } : {}
  return new SignJWT({ org: claims.orgId, role: claims.role, ...scope })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(PARTY)
    .setAudience(PARTY)
    .setSubject(claims.userId)
    .setJti(claims.sessionId)
    .setIssuedAt(from)
    .setExpirationTime(from + ttlSeconds)
    .sign(privateKey)
}

/**
 * Returns the claims of a token; null unless we issued it and it is valid now. The header must
 * equal ours exactly: a key, key URL or certificate in a token is never read. The caller checks the
 * session.
 */
export async function readAccessToken(
  { publicKey }: KeyPair,
  token: string,
  { at, ttlSeconds }: { at: Millis; ttlSeconds: number },
): Promise<Claims | null> {
  if (token.length > LENGTH_MAX) return null
  try {
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: PARTY,
      audience: PARTY,
      requiredClaims: ['sub', 'org', 'role', 'iat', 'exp', 'jti'],
      currentDate: toDate(at),
      maxTokenAge: ttlSeconds,
      clockTolerance: TOLERANCE_SECONDS,
    })
    return Object.keys(protectedHeader).length === 2 ? readClaims(payload) : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function readClaims(payload: Record<string, unknown>): Claims | null {
  const { sub: userId, org: orgId, jti: sessionId } = payload
  const role = ROLES.find((one) => one === payload['role'])
  if (!isIdText(userId) || !isIdText(orgId) || !isIdText(sessionId)) return null
  const { scope } = payload
  if (role === undefined || (scope !== undefined && scope !== RECOVERY)) return null
  return { userId, orgId, role, sessionId, ...(scope === RECOVERY && { isRecovery: true }) }
}

function isIdText(value: unknown): value is string {
  return typeof value === 'string' && isId(value)
}
