import { expect, test } from 'vitest'
import { standardOf } from './token-standard.ts'

test.each([
  ['eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7', 'ERC-20'],
  ['eip155:56/erc20:0x55d398326f99059fF775485246999027B3197955', 'BEP-20'],
  ['tron:shasta/trc20:TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs', 'TRC-20'],
  ['xrpl:mainnet/slip44:144', null],
])('the standard of %s is %s', (tokenId, standard) => {
  expect(standardOf(tokenId)).toBe(standard)
})
