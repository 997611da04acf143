import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readBackupFile, writeBackupFile } from './backup-file.ts'

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-backup-'))
  file = join(folder, 'a.backup')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function write(lines: readonly string[], path = file): Promise<void> {
  await writeBackupFile(path, async (onLine) => {
    for (const line of lines) await onLine(line)
  })
}

async function read(path = file): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readBackupFile(path)) lines.push(line)
  return lines
}

const LINE = fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text))

describe('the file of a backup', () => {
  test('a backup returns every line unchanged, with any characters [K07]', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(LINE), async (lines) => {
        const path = join(folder, `${(count += 1)}.backup`)
        await write(lines, path)
        expect(await read(path)).toEqual(lines)
      }),
      { numRuns: 50 },
    )
    const separators = ['"one\u2028two\u2029three\u0085four"', '"five\rsix"']
    await write(separators)
    expect(await read()).toEqual(separators)
  })

  test('is readable by its owner only [K03]', async () => {
    await write(['"a"'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('never replaces a file and leaves no incomplete one', async () => {
    await write(['"first"'])
    await expect(write(['"second"'])).rejects.toThrow(`The file ${file} already exists.`)
    expect(await read()).toEqual(['"first"'])
    const failing = writeBackupFile(join(folder, 'b'), async (onLine) => {
      await onLine('"a"')
      throw new Error('the database went away')
    })
    await expect(failing).rejects.toThrow('the database went away')
    expect(() => statSync(join(folder, 'b'))).toThrow('ENOENT')
    expect(() => statSync(join(folder, 'b.part'))).toThrow('ENOENT')
  })

  test('is refused before the database is read if its folder is missing', async () => {
    let isRead = false
    const path = join(folder, 'none', 'a')
    const nowhere = writeBackupFile(path, async () => {
      isRead = true
    })
    await expect(nowhere).rejects.toThrow('The backup cannot be written: ENOENT')
    expect(isRead).toBe(false)
  })

  test('is not changed by a second backup into the same file', async () => {
    let second: unknown = null
    await writeBackupFile(file, async (onLine) => {
      await onLine('"first"')
      second = await write(['"second"']).catch((error: unknown) => error)
    })
    expect(String(second)).toContain('The backup cannot be written: EEXIST')
    expect(await read()).toEqual(['"first"'])
  })

  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
    'is whole, and its owner’s alone, on a disk that knows no links (%s)',
    async (code) => {
      const link = () => {
        throw Object.assign(new Error(code), { code })
      }
      await writeBackupFile(file, (onLine) => onLine('"a"'), link)
      expect(await read()).toEqual(['"a"'])
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(() => statSync(`${file}.part`)).toThrow('ENOENT')
    },
  )

  test.each(['EPERM', 'EEXIST'])(
    'is never written over one that came meanwhile, with links or without (%s)',
    async (code) => {
      const link = () => {
        writeFileSync(file, 'another')
        throw Object.assign(new Error(code), { code })
      }
      const late = writeBackupFile(file, (onLine) => onLine('"a"'), link)
      await expect(late).rejects.toThrow('EEXIST')
      expect(readFileSync(file, 'utf8')).toBe('another')
    },
  )

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)],
    ['changed in one byte', (bytes: Buffer) => change(bytes, '"12"', '"13"')],
    ['without one line', (bytes: Buffer) => change(bytes, '"b"\n', '')],
    ['with one line more', (bytes: Buffer) => change(bytes, '"b"\n', '"b"\n"b"\n')],
    ['without its last line', (bytes: Buffer) => change(bytes, /= .*\n$/, '')],
    ['with something after its last line', (bytes: Buffer) => change(bytes, /\n$/, '\n"c"\n')],
    ['without an end of its last line', (bytes: Buffer) => change(bytes, /\n$/, '')],
    ['that is no file of ours', () => Buffer.from('PGDMP')],
  ])('K07 is refused %s', async (_how, damage) => {
    await write(['"a"', '"12"', '"b"'])
    writeFileSync(file, damage(readFileSync(file)))
    await expect(read()).rejects.toThrow(/is incomplete|cannot be read/)
  })

  test('is refused if it cannot be read', async () => {
    await expect(read(join(folder, 'none'))).rejects.toThrow('cannot be read')
    await write(['"a"'])
    chmodSync(file, 0o600)
    expect(await read()).toEqual(['"a"'])
  })
})

function change(bytes: Buffer, from: string | RegExp, to: string): Buffer {
  return gzipSync(gunzipSync(bytes).toString('utf8').replace(from, to))
}
