import { expect, test } from 'vitest'
import { parseChain, parseHolder } from '../../test/adapters/brands.ts'
import { leastPaymentOf } from './least-payment.ts'

const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')

/** What Core says of outputs of these kinds (GetDustThreshold at its 3 satoshi a virtual byte). */
test.each([
  ['a key', 'bcrt1qzyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3lgth6c', 294n],
  ['a taproot key', 'bcrt1pamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhwamhqz6nvlh', 330n],
  ['a script', '2NF2b3KS8xXb9XHvbRMXdZh8s5g92rUZHtp', 540n],
  ['an old key', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 546n],
])('the least that goes to %s is no dust', (_name, to, least) => {
  expect(leastPaymentOf(REGTEST, parseHolder(REGTEST, to))).toBe(least)
})

test('elsewhere the least is one', () => {
  const chain = parseChain('eip155:1')
  const to = parseHolder(chain, '0x5FbDB2315678afecb367f032d93F642f64180aa3')
  expect(leastPaymentOf(chain, to)).toBe(1n)
})
