import { expect, test } from 'vitest'
import { describeAnswer } from './describe-answer.ts'

test.each([
  [200, '', ''],
  [204, '', ''],
  [null, '', ''],
  [302, '', 'answered 302: redirects are not followed'],
  [399, '', 'answered 399: redirects are not followed'],
  [400, '', 'answered 400'],
  [500, '', 'answered 500'],
  [null, 'connect: refused', 'connect: refused'],
  [200, 'no whole answer within 30000 ms', 'no whole answer within 30000 ms'],
  [500, 'cut off', 'cut off'],
])('an answer of %s with the error %j is described as %j', (status, error, said) => {
  expect(describeAnswer({ status, error })).toBe(said)
})
