import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pauseOf, signedBy } from '../test/policies.ts'
import { type Entry, History } from './history.ts'
import { FileStore, StoreDamaged } from './store.ts'

let folder: string
let path: string
const opened: FileStore[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-signer-'))
  path = join(folder, 'signer.log')
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(folder, { recursive: true })
})

async function open(): Promise<{ store: FileStore; history: History }> {
  const history = new History()
  const store = await FileStore.open(path, history)
  opened.push(store)
  return { store, history }
}

const entry = (wallet: number): Entry => ({ at: wallet, wallets: [[wallet, 'org']], slots: [] })
const owned = (history: History, upTo = 9) =>
  Array.from({ length: upTo }, (_, wallet) => wallet).filter(
    (wallet) => history.ownerOf(wallet) === 'org',
  )

describe('the store of a signer', () => {
  test('is readable by its user alone, and read again after a restart', async () => {
    const { store } = await open()
    expect(await store.append([entry(1), entry(2)])).toBe(true)
    expect(await store.append([entry(3)])).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const again = await open()
    expect(owned(again.history)).toEqual([1, 2, 3])
    expect(again.store.head()).toBe(store.head())
  })

  test('reads lines without the fields of a policy, and adds lines with them', async () => {
    const json = '{"at":1,"wallets":[[1,"org"]],"slots":[]}'
    const first = '0'.repeat(64)
    const head = createHash('sha256').update(first).update(json).digest('hex')
    await writeFile(path, `${first} ${head} ${json}\n`)
    const { store, history } = await open()
    const order = { ...signedBy(pauseOf(1, true)), activeAt: 2 }
    const spendings = [{ orgId: 'org', tokenId: 'token', amount: '7', tier: 0 }]
    await store.append([{ ...entry(2), order, spendings }])
    for (const { policy } of [history, (await open()).history]) {
      expect(policy.pause).toEqual(pauseOf(1, true))
      expect(policy.spent({ orgId: 'org', tokenId: 'token' }, 0, 0)).toBe(7n)
    }
    expect(owned(history)).toEqual([1, 2])
  })

  test('counts only the first of two signers that write behind the same head', async () => {
    const [one, other] = [await open(), await open()]
    expect(await one.store.append([entry(1)])).toBe(true)
    expect(await other.store.append([entry(2)])).toBe(false)
    expect(owned(other.history)).toEqual([1])
    expect(await other.store.append([entry(2)])).toBe(true)
    await one.store.catchUp()
    expect(owned(one.history)).toEqual([1, 2])
    expect(one.store.head()).toBe(other.store.head())
    expect(owned((await open()).history)).toEqual([1, 2])
  })

  test('reads over several lines of a signer that was second', async () => {
    const [one, other] = [await open(), await open()]
    await one.store.append([entry(1)])
    expect(await other.store.append([entry(2), entry(3)])).toBe(false)
    expect(await one.store.append([entry(4)])).toBe(true)
    expect(owned((await open()).history)).toEqual([1, 4])
  })

  test('lets many signers write at once, each entry once', async () => {
    const signers = await Promise.all(Array.from({ length: 4 }, () => open()))
    const write = async ({ store }: { store: FileStore }, wallet: number) => {
      for (let tries = 0; !(await store.append([entry(wallet)])); tries += 1) {
        if (tries > 100) throw new Error('never first')
      }
    }
    await Promise.all(signers.map((signer, at) => write(signer, at + 1)))
    expect(owned((await open()).history)).toEqual([1, 2, 3, 4])
  })

  test('forgets a torn line and goes on behind it', async () => {
    const { store } = await open()
    await store.append([entry(1)])
    await store.append([entry(2)])
    await truncate(path, (await stat(path)).size - 5)
    const after = await open()
    expect(owned(after.history)).toEqual([1])
    expect(await after.store.append([entry(3)])).toBe(true)
    expect(owned((await open()).history)).toEqual([1, 3])
  })

  const damage: readonly [string, (text: string) => string][] = [
    ['a changed line', (text) => text.replace('"at":2', '"at":8')],
    ['a changed last line', (text) => text.replace('"at":3', '"at":8')],
    ['a removed line', (text) => text.split('\n').toSpliced(1, 1).join('\n')],
    ['two lines in another order', (text) => swapped(text.split('\n')).join('\n')],
    ['a line of another program', (text) => `${text}hello\n`],
  ]
  test.each(damage)('does not open with %s', async (_what, change) => {
    const { store } = await open()
    for (const wallet of [1, 2, 3]) await store.append([entry(wallet)])
    await writeFile(path, change(await readFile(path, 'utf8')))
    await expect(open()).rejects.toThrow(StoreDamaged)
  })

  test('notices damage while it is open', async () => {
    const { store } = await open()
    await store.append([entry(1)])
    await appendFile(path, `${'1'.repeat(64)} ${'2'.repeat(64)} {}\n`)
    await expect(store.append([entry(2)])).resolves.toBe(true)
    await appendFile(path, 'nonsense\n')
    await expect(store.append([entry(3)])).resolves.toBe(true)
    await appendFile(path, 'nonsense\n')
    await expect(store.catchUp()).rejects.toThrow(StoreDamaged)
  })
})

function swapped([first = '', second = '', ...rest]: string[]): string[] {
  return [second, first, ...rest]
}
