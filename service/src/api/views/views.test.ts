import { expect, test } from 'vitest'
import { parseChain } from '../../../test/adapters/brands.ts'
import { depositOf } from '../../../test/support/sample-deposit.ts'
import { openCatalogue } from '../../catalogue/find.ts'
import { viewDeposit } from './views.ts'

const BITCOIN = parseChain('bip122:000000000019d6689c085ae165831e93')

test('a deposit shows its required confirmations, more for a coinbase output [B05]', () => {
  const given = { catalogue: openCatalogue({ chains: [], tokens: [] }), tipHeight: 59 }
  const deposit = depositOf({ chainId: BITCOIN })
  expect(viewDeposit(deposit, given)).toMatchObject({
    confirmations: 50,
    requiredConfirmations: 3,
  })
  const mined = { ...deposit, maturesAt: deposit.block.height + 100 }
  expect(viewDeposit(mined, given)).toMatchObject({
    status: 'Detected',
    confirmations: 50,
    requiredConfirmations: 100,
  })
})
