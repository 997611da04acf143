import type { Difference } from './judge.ts'

type Kind = 'deposit' | 'withdrawal'

/** The events of a deposit or withdrawal, and its row at the end. */
export interface Subject {
  kind: Kind
  key: string
  status: string
}

/**
 * Valid event sequences by final status. An orphaned deposit emits reverted, then detected and
 * confirmed when it returns; no deposit is held for a doubt (see `judgeReleased`). A withdrawal
 * ends with one event, regardless of reorgs of its transaction.
 */
const STORIES: Readonly<Record<Kind, Readonly<Record<string, RegExp>>>> = {
  deposit: {
    Confirmed: /^(detected( confirmed)? reverted )*detected confirmed$/,
    Orphaned: /^detected( confirmed)? reverted( detected( confirmed)? reverted)*$/,
  },
  withdrawal: {
    Completed: /^created approved processing completed$/,
    Failed: /^created approved( processing)? failed$/,
  },
}

/** A row of the database as its story names it. */
export function subjectOf(
  kind: Kind,
  row: { id: string; status: string; reference?: string; userId?: string },
): Subject {
  const name = kind === 'deposit' ? row.userId : row.reference
  return { kind, key: keyOf(kind, row.id, name), status: row.status }
}

/** Adds an event to the story of its subject; ignores other events. */
export function addToStory(
  stories: Map<string, string>,
  { type, body }: { type: string; body: string },
): void {
  const [noun, what] = type.split('.')
  if (noun !== 'deposit' && noun !== 'withdrawal') return
  const { payload } = Object(JSON.parse(body))
  const { id, externalUserId, reference } = Object(payload)
  const key = keyOf(noun, id, noun === 'deposit' ? externalUserId : reference)
  const before = stories.get(key)
  stories.set(key, before === undefined ? `${what}` : `${before} ${what}`)
}

/** The events of each row match it, and no event is about a missing row. */
export function judgeStories(
  stories: ReadonlyMap<string, string>,
  subjects: readonly Subject[],
): Difference[] {
  const rest = new Map(stories)
  const differences: Difference[] = []
  for (const { kind, key, status } of subjects) {
    const story = rest.get(key) ?? ''
    rest.delete(key)
    if (STORIES[kind][status]?.test(story) === true) continue
    const what = `a ${kind} has events that do not match it`
    differences.push({ what, details: `${key} ${status}: ${story}` })
  }
  for (const [key, story] of rest) {
    differences.push({ what: 'a story of nothing there is', details: `${key}: ${story}` })
  }
  return differences
}

function keyOf(kind: Kind, id: unknown, name: unknown): string {
  return `${kind} ${String(id)} of ${String(name)}`
}
