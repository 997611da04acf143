import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { keyringIsHeldByFew, secretsStayInKeys } from './secrets.ts'

const KEYS = {
  'service/src/keys/keyring.ts': '',
  'service/src/keys/service-key.ts': '',
  'service/src/keys/seal.ts': '',
  'service/src/keys/draw.ts': '',
}

describe('secrets', () => {
  test.each(['@scure/bip39', '@scure/bip39/wordlists/english.js', '@scure/bip32'])(
    '%s is imported by keys only',
    (library) => {
      const text = `import { a } from '${library}'`
      expect(
        judge(secretsStayInKeys, { 'service/src/transactions/core/sign.ts': text }),
      ).toHaveLength(1)
      expect(judge(secretsStayInKeys, { 'client/src/sign.ts': text })).toHaveLength(1)
      expect(judge(secretsStayInKeys, { 'service/src/keys/seed.ts': text })).toEqual([])
      expect(judge(secretsStayInKeys, { 'service/test/a.test.ts': text })).toEqual([])
    },
  )

  test.each([
    ['service/src/deposits/a.ts', "import type { Keyring } from '../keys/keyring.ts'"],
    ['service/src/orgs/a.ts', "import type { K } from '../keys/keyring.ts'"],
    ['service/src/webhooks/a.ts', 'function deliver(keyring: unknown) {}'],
    ['service/src/ledger/a.ts', "import { seal } from '../keys/seal.ts'"],
  ])('%s may not contain %s', (path, text) => {
    expect(judge(keyringIsHeldByFew, { ...KEYS, [path]: text })).not.toEqual([])
  })

  test.each([
    ['service/src/accounts/open.ts', "import type { Keyring } from '../keys/keyring.ts'"],
    ['service/src/gas/wallet.ts', 'function open(keyring: unknown) {}'],
    ['service/src/orgs/a.ts', "import { seal } from '../keys/seal.ts'"],
    ['service/src/webhooks/a.ts', "import { S } from '../keys/service-key.ts'"],
    ['service/src/orgs/a.ts', "import { draw } from '../keys/draw.ts'"],
    ['service/src/deposits/a.ts', '// the keyring is in another module'],
  ])('%s may contain %s', (path, text) => {
    expect(judge(keyringIsHeldByFew, { ...KEYS, [path]: text })).toEqual([])
  })
})
