import { Value } from 'typebox/value'
import { Type } from 'typebox'
import { Refusal } from '../base/fault.ts'
import type { BackupHead } from './backup.ts'

const Head = Type.Object({
  sluice: Type.Literal('backup'),
  version: Type.Literal(1),
  createdAt: Type.String(),
  program: Type.String(),
  seed: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
})

/** Parses the first line of a backup. */
export function parseHead(line: string): BackupHead {
  const head = parseJson(line)
  if (Value.Check(Head, head)) return head
  const says = 'The file is not a Sluice backup, or has a format that this program cannot read.'
  throw new Refusal('BAD_REQUEST', {}, says)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
