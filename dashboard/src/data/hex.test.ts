import { expect, test } from 'vitest'
import { hexOf } from './hex.ts'

test.each([
  ['', ''],
  ['AA', '00'],
  ['-_8', 'fbff'],
  [
    'GYFuFfIHz5zG9GIG2EMmpCO_XXP79aBA7Uh27jMpnH8',
    '19816e15f207cf9cc6f46206d84326a423bf5d73fbf5a040ed4876ee33299c7f',
  ],
])('the challenge %j is %j in hexadecimal digits', (base64url, hex) => {
  expect(hexOf(base64url)).toBe(hex)
})
