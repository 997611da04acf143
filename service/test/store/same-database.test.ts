import { expect, test } from 'vitest'
import { requireOneDatabase } from '../../src/store/same-database.ts'
import { openTestDatabase } from '../support/database.ts'

test('three URLs of one database are accepted, and of two are refused [K07]', async () => {
  const [one, other] = await Promise.all([openTestDatabase(), openTestDatabase()])
  await expect(requireOneDatabase(one.urls)).resolves.toBeUndefined()
  for (const key of ['owner', 'engine', 'api'] as const) {
    const mixed = { ...one.urls, [key]: other.urls[key] }
    await expect(requireOneDatabase(mixed)).rejects.toThrow('different databases')
  }
  await Promise.all([one.close(), other.close()])
})
