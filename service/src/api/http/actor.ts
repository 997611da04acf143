import type { Caller } from '../../orgs/caller.ts'

/** The caller's name in the audit log; an API key acts as the user it belongs to. */
export function actorOf({ userId }: Caller): string {
  return `user:${userId}`
}
