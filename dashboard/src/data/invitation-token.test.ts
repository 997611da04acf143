import { expect, test } from 'vitest'
import { tokenIn } from './invitation-token.ts'

const TOKEN = `sli_${'Ab3_'.repeat(10)}xyz`

test.each([
  [`https://sluice.example/dashboard/invitation#token=${TOKEN}`, TOKEN],
  [`  ${TOKEN}\n`, TOKEN],
  [`#token=${TOKEN}&more`, TOKEN],
  ['#token=sli_short', ''],
  [`${TOKEN}A`, ''],
  ['', ''],
])('the token in %j is %j', (text, token) => {
  expect(tokenIn(text)).toBe(token)
})
