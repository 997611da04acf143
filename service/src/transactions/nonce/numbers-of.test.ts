import { describe, expect, test } from 'vitest'
import { stranger } from '../../../test/support/spend-harness.ts'
import { Outage } from '../../base/fault.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { numbersOf } from './numbers-of.ts'
import type { SpendDeps } from '../core/payment-request.ts'

describe('the next number of a sender', () => {
  test('is 0 on chains whose accounts begin at 0', async () => {
    expect(await ask('from-zero', 0)).toEqual({ latest: 0, pending: 0 })
  })

  test('is an Outage when an XRPL node does not know the account [N01]', async () => {
    await expect(ask('from-ledger', 0)).rejects.toThrow(Outage)
    expect(await ask('from-ledger', 7)).toEqual({ latest: 7, pending: 7 })
  })
})

function ask(
  accountNumbers: ChainEntry['accountNumbers'],
  latest: number,
): Promise<{ latest: number; pending: number }> {
  const adapter = { paymentModel: 'nonce', nonces: async () => ({ latest, pending: latest }) }
  const deps = { adapter, entry: { accountNumbers, id: 'x:1' } } as unknown as SpendDeps
  return numbersOf(deps, stranger(1))
}
