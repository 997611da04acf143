import { expect, test } from 'vitest'
import { openCatalogue } from '../../catalogue/find.ts'
import { nativeTokenId } from '../../catalogue/chains.ts'
import { openServiceKey } from '../../keys/service-key.ts'
import { Overdrawn } from '../../ledger/post.ts'
import { SeededRandom } from '../../../test/support/clock.ts'
import { toChainId } from '../../../test/support/door.ts'
import { requestWithdrawal } from './request.ts'

const CHAIN = toChainId('xrpl:testnet')
const FEE = 12n
const HELD = 10n * FEE

const random = new SeededRandom('request')
const serviceKey = openServiceKey({ key: random.bytes(32), random })
const catalogue = openCatalogue({ chains: [{ id: CHAIN }], tokens: [] })

/** Other requests take the balance first each time, and leave the same amount. */
async function refusedOver(available: bigint, amount: bigint): Promise<unknown> {
  const entry = catalogue.chain(CHAIN)
  if (entry === null) throw new Error('no such chain')
  const tokenId = nativeTokenId(entry)
  let calls = 0
  const database = Object({
    forOrg: async () => {
      calls += 1
      if (calls % 2 === 1) throw new Overdrawn([], null)
      return { available, unconfirmed: 0n }
    },
  })
  const request = { ...REQUEST, chainId: CHAIN, tokenId, amount: amount.toString() }
  const initiator = { id: 'ann', role: 'admin' } as const
  const given = { catalogue, orgId: 'org', initiator, request, fee: FEE }
  const offersOf = async () => ({ chain: () => true, token: () => true, isVerifying: () => false })
  return requestWithdrawal(database, serviceKey, given, offersOf).catch((error: unknown) => error)
}

const REQUEST = {
  reference: 'one',
  recipient: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  memo: null,
  internalNote: null,
  externalUserId: null,
}

test('a request that lost a race is refused with its amount and held fee [X13]', async () => {
  const refusal = (available: bigint, required: bigint) => ({
    code: 'INSUFFICIENT_BALANCE',
    details: { available: available.toString(), required: required.toString() },
  })
  const amount = 2_000_000n
  const needed = amount + HELD
  // Enough for the amount, and not for the fee as well.
  expect(await refusedOver(needed - 1n, amount)).toMatchObject(refusal(needed - 1n, needed))
  expect(await refusedOver(amount, amount)).toMatchObject(refusal(amount, needed))
  expect(await refusedOver(needed, amount)).toMatchObject(refusal(needed, needed))
})
