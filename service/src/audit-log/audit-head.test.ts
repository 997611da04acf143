import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  NOTHING_SEALED,
  type SealableEntry,
  formatHead,
  parseHead,
  sealEntry,
} from './audit-head.ts'

const ENTRY: SealableEntry = {
  id: '7',
  at: '1767225600.000000',
  org_id: null,
  actor: 'cli:root',
  action: 'chain.resume',
  object: 'eip155:1',
  details: '{"reason": "sah ß"}',
}

test('a seal is the SHA-256 that the documentation describes [O03]', () => {
  const text =
    `["sluice audit 1","${'0'.repeat(64)}",1,"7","1767225600.000000",null,"cli:root",` +
    `"chain.resume","eip155:1","{\\"reason\\": \\"sah ß\\"}"]`
  const hash = createHash('sha256').update(text, 'utf8').digest('hex')
  expect(sealEntry(NOTHING_SEALED, ENTRY)).toEqual({ sequence: 1, hash })
})

const text = fc.constantFrom('', 'a', '"')
const entry: fc.Arbitrary<SealableEntry> = fc.record({
  id: text,
  at: text,
  org_id: fc.option(text),
  actor: text,
  action: text,
  object: text,
  details: text,
})

test('a seal depends on every field and on the position of its entry [O03]', () => {
  const head = fc.record({
    sequence: fc.nat(2),
    hash: fc.constantFrom('00'.repeat(32), 'ff'.repeat(32)),
  })
  fc.assert(
    fc.property(head, entry, head, entry, (beforeA, a, beforeB, b) => {
      const isSame = JSON.stringify([beforeA, a]) === JSON.stringify([beforeB, b])
      expect(sealEntry(beforeA, a).hash === sealEntry(beforeB, b).hash).toBe(isSame)
    }),
  )
})

test('parseHead accepts exactly what formatHead writes [O03]', () => {
  const head = sealEntry(NOTHING_SEALED, ENTRY)
  expect(parseHead(` ${formatHead(head)}\n`)).toEqual(head)
  const { hash } = head
  for (const wrong of ['', hash, `1:${hash.slice(1)}`, `01:${hash}`, `-1:${hash}`, `1:${hash}0`])
    expect([wrong, parseHead(wrong)]).toEqual([wrong, null])
})
