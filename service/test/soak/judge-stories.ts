import type { Difference } from './judge.ts'

type Kind = 'deposit' | 'withdrawal'

/** What the organization was told of something, and what the database says of it in the end. */
export interface Subject {
  kind: Kind
  key: string
  status: string
}

/**
 * What may have been told of what ends so, in order. What a reorg took is told as reverted, and as
 * detected when it comes back, and is confirmed anew; nothing is ever held for a doubt (see
 * `judgeReleased`). A withdrawal's end is told once, whatever a reorg makes of its transaction.
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

/** Adds an event to the story of what it tells of; others leave the stories as they are. */
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

/** Each row was told as it is, and nothing was told of what is not there. */
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
    const what = `a ${kind} was told otherwise than it is`
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
