import { expect, test } from 'vitest'
import { BURNT_ADDRESSES, parseEvmAddress } from './address.ts'

test.each([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  '0x00000000000000000000000000000000000000fF',
  '0x0000000000000000000000000000000000000100',
  '0x000000000000000000000000000000000000dEaD',
])('V02 nobody has the key of %s', (text) => {
  expect(BURNT_ADDRESSES).toContain(parseEvmAddress(text.toLowerCase()))
})

test.each([
  '0x0000000000000000000000000000000000000200',
  '0x000000000000000000000000000000000000dEaF',
  '0x52908400098527886E0F7030069857D2E4169EE7',
])('V02 somebody may have the key of %s', (text) => {
  expect(BURNT_ADDRESSES).not.toContain(parseEvmAddress(text.toLowerCase()))
})
