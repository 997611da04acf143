import type { ApiKey } from '@sluice/client'
import { expect, test } from 'vitest'
import { matchingKeys, networksIn } from './key-terms.ts'

const KEY: ApiKey = {
  id: '019ab4ee-3333-7000-8000-000000000003',
  name: 'Accounting',
  scopes: ['read'],
  allowedCidrs: [],
  isDefault: false,
  status: 'active',
  lastFour: '_xyz',
  createdBy: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
}

test.each([
  [{}, 1],
  [{ q: 'account' }, 1],
  [{ q: '_xyz' }, 1],
  [{ q: 'shop' }, 0],
  [{ status: 'revoked' }, 0],
  [{ scope: 'read', status: 'active' }, 1],
  [{ scope: 'withdrawals' }, 0],
])('the filter %j matches %i keys', (filter, count) => {
  expect(matchingKeys([KEY], filter)).toHaveLength(count)
})

test('networks are separated by lines, commas or spaces', () => {
  const typed = ' 10.0.0.0/8\n203.0.113.7,  fd00::/8;\n'
  expect(networksIn(typed)).toEqual(['10.0.0.0/8', '203.0.113.7', 'fd00::/8'])
  expect(networksIn(' \n')).toEqual([])
})
