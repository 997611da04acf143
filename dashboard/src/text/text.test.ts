import { expect, test } from 'vitest'
import { sentence } from './text.ts'

test.each([
  ['answered 503', 'Answered 503.'],
  ['Not an XRPL address.', 'Not an XRPL address.'],
  ['what is this?', 'What is this?'],
  ['', ''],
])('the text "%s" of the service is shown as "%s"', (text, shown) => {
  expect(sentence(text)).toBe(shown)
})
