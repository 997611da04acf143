import { useSyncExternalStore } from 'react'

/** A signed-in person, kept in this tab until it is closed. */
export interface Session {
  accessToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
  username: string
  /** After a recovery code only a new TOTP secret can be enrolled. */
  mustEnrolTotp: boolean
  /** After a recovery code: how many are left. */
  recoveryCodesLeft?: number
}

const KEY = 'sluice.session'
const listeners = new Set<() => void>()
let current: Session | null = read()
/** The service refused the token: the page stays, and the person signs in again on top of it. */
let isExpired = false

/** The session, null before signing in; it stays after it expired. */
export function useSession(): { session: Session | null; isExpired: boolean } {
  const session = useSyncExternalStore(subscribe, () => current)
  const expired = useSyncExternalStore(subscribe, () => isExpired)
  return { session, isExpired: expired }
}

/** The access token of the session; empty without one. */
export function accessToken(): string {
  return current?.accessToken ?? ''
}

/** Stores a session, after signing in. */
export function openSession(session: Session): void {
  current = session
  isExpired = false
  sessionStorage.setItem(KEY, JSON.stringify(session))
  announce()
}

/** Forgets the session. */
export function closeSession(): void {
  current = null
  isExpired = false
  sessionStorage.removeItem(KEY)
  announce()
}

/** Notes that the service no longer accepts a token; a newer session is left alone. */
export function expireSession(refused: string): void {
  if (current?.accessToken !== refused || isExpired) return
  isExpired = true
  announce()
}

function announce(): void {
  for (const listen of listeners) listen()
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

function read(): Session | null {
  const text = typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(KEY)
  return text === null ? null : toSession(JSON.parse(text))
}

function toSession(value: unknown): Session | null {
  const { accessToken: token, expiresAt, username, mustEnrolTotp } = { ...(value as Session) }
  if (typeof token !== 'string' || typeof expiresAt !== 'number') return null
  return { accessToken: token, expiresAt, username, mustEnrolTotp }
}
