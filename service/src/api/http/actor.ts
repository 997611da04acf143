import type { Caller } from '../../orgs/caller.ts'

/** How the audit log names who sent a request; an API key acts as the user it belongs to. */
export function actorOf({ userId }: Caller): string {
  return `user:${userId}`
}
