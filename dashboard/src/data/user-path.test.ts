import { expect, test } from 'vitest'
import { userHref, userIdIn } from './user-path.ts'

test.each(['customer-42', 'org/7/anna@example.com', '100%25 #1?', 'مستخدم-٤٢/خاص', ' a ', '%'])(
  'the page of the end user %j names the same id',
  (userId) => {
    expect(userIdIn(`/dashboard${userHref(userId)}`)).toBe(userId)
  },
)

test('end users that a path cannot name are found through the list', () => {
  expect(userHref('..')).toBe('/accounts?userId=..')
})

test('another path names no end user', () => {
  expect(userIdIn('/dashboard/accounts')).toBeNull()
  expect(userIdIn('/dashboard/accounts/%E0%A4%A')).toBeNull()
})
