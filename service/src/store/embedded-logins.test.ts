import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Refusal } from '../base/fault.ts'
import { readLogins } from './embedded-logins.ts'

async function makeHome() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-logins-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { runAs: null, folder, data: join(folder, 'data'), socketLink: join(folder, 'socket') }
}

test('refuses a file of passwords that is damaged, and says how to replace it', async () => {
  const home = await makeHome()
  expect(await readLogins(home)).toBeNull()
  await writeFile(join(home.folder, 'logins.json'), '{"owner": "a", "engine": ""')
  const refused = readLogins(home)
  await expect(refused).rejects.toBeInstanceOf(Refusal)
  await expect(refused).rejects.toMatchObject({ says: expect.stringContaining('Remove it') })
})
