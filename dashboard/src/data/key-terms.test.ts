import { expect, test } from 'vitest'
import { networksIn } from './key-terms.ts'

test('networks are separated by lines, commas or spaces', () => {
  const typed = ' 10.0.0.0/8\n203.0.113.7,  fd00::/8;\n'
  expect(networksIn(typed)).toEqual(['10.0.0.0/8', '203.0.113.7', 'fd00::/8'])
  expect(networksIn(' \n')).toEqual([])
})
