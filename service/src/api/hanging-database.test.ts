import { expect, onTestFinished, test, vi } from 'vitest'
import { openDoor, refusalIn } from '../../test/support/door.ts'

test.each(['asApi', 'forOrg'] as const)(
  'a database that hangs is a 503 before the connection is closed (%s) [O05]',
  async (asked) => {
    const { answer } = await answeredLate(asked)
    expect([answer.status, refusalIn(answer).error]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  },
)

test.each(['asApi', 'forOrg'] as const)(
  'an error after a 503 is logged under the id of its request (%s) [O05]',
  async (asked) => {
    const { lines, fail } = await answeredLate(asked)
    lines.length = 0
    fail(new TypeError('select * from accounts failed'))
    await vi.waitFor(() => expect(lines).toHaveLength(1))
    expect(lines.join('')).toMatch(/"level":"error".*"requestId":"asked".*select/)
  },
)

/** A request whose database query hangs, and a function that ends the query. */
async function answeredLate(asked: 'asApi' | 'forOrg') {
  const other = await openDoor()
  const { lines, harness, deps } = other
  let fail: ((error: Error) => void) | null = null
  const hangs = () => new Promise<never>((_, reject) => (fail = reject))
  const hanging = await openDoor({ ...deps, database: { ...deps.database, [asked]: hangs } })
  onTestFinished(async () => void (await Promise.all([other.close(), hanging.close()])))
  const headers = { 'x-request-id': 'asked' }
  const answering = hanging.ask('/chains', { key: other.a.key, headers })
  await vi.waitFor(() => expect(fail).not.toBeNull())
  await harness.clock.advance(45_000)
  return { answer: await answering, lines, fail: (error: Error) => fail?.(error) }
}
