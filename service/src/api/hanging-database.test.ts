import { expect, test, vi } from 'vitest'
import { openDoor, refusalIn } from '../../test/support/door.ts'

test.each(['asApi', 'forOrg'] as const)(
  'O05 a database that hangs is a 503 before the connection is closed (%s)',
  async (asked) => {
    const other = await openDoor()
    const hangs = () => new Promise<never>(() => undefined)
    const means = { ...other.means, database: { ...other.means.database, [asked]: hangs } }
    const hanging = await openDoor(means)
    const answering = hanging.ask('/chains', { key: other.a.key })
    const { clock } = other.house
    await vi.waitFor(() => expect(clock.sleeping).toBeGreaterThan(0))
    await clock.advance(45_000)
    const answer = await answering
    expect([answer.status, refusalIn(answer).error]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    await Promise.all([other.close(), hanging.close()])
  },
)
