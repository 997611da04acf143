import { Value } from 'typebox/value'
import { Type } from 'typebox'
import type { BackupHead } from './backup.ts'

const Head = Type.Object({
  sluice: Type.Literal('backup'),
  version: Type.Literal(1),
  createdAt: Type.String(),
  program: Type.String(),
  seed: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
})

/** Reads the first line of a backup. Throws a plain sentence where it is none. */
export function parseHead(line: string): BackupHead {
  const head = parseJson(line)
  if (Value.Check(Head, head)) return head
  throw new Error('This is no backup of sluice, or one of a format that this program cannot read.')
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
