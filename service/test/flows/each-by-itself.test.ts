import { startTronNode } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { listOwnAddresses } from '../../src/accounts/own-address.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { spendRound } from '../../src/app/spend-round.ts'
import { Bug } from '../../src/base/assert.ts'
import { ensureOwnAddresses } from '../../src/gas/wallets.ts'
import type { Signer } from '@sluice/signer'
import { withOutages } from '../../src/transactions/core/signer-outage.ts'
import { listSenders } from '../../src/transactions/core/read.ts'
import { parseChain } from '../adapters/brands.ts'
import { SeededRandom } from '../support/clock.ts'
import { openSpender } from '../support/money-world.ts'
import { openedWorld } from '../support/opened-world.ts'

const SHASTA = parseChain('tron:shasta')

test('errors of two organizations are reported to both and stop no other [W25]', async () => {
  const node = await startTronNode()
  onTestFinished(() => node.stop())
  const world = await openedWorld([{ id: SHASTA, nodes: [node.url] }])
  const { database, keys } = world
  const lines: string[] = []
  const spender = await openSpender(world, SHASTA, lines)
  await ensureOwnAddresses(database, { keys, entry: spender.entry })
  const random = new SeededRandom('two more')
  for (const name of ['Second', 'Third'])
    await foundOrganization(database, keys.serviceKey, { name, actor: 'test', random })
  const known = await ownAddresses()
  const bugs: string[] = []
  const publicKey: Signer['publicKey'] = async (orgId, path) => {
    if (path.wallet < known.length) return keys.signer.publicKey(orgId, path)
    bugs.push(`the wallet was changed in the database, time ${bugs.length}`)
    throw new Bug(bugs.at(-1) ?? '')
  }
  await spendRound({
    ...spender,
    keys: { ...keys, signer: { ...withOutages(keys.signer), publicKey } },
  })
  expect(bugs).toHaveLength(4)
  for (const bug of bugs) expect(lines.join('')).toContain(bug)
  const senders = await database.transaction((tx) => listSenders(tx, { chainId: SHASTA }))
  expect(senders.map(({ address }) => address).toSorted()).toEqual(known)

  async function ownAddresses() {
    const own = await database.transaction((tx) => listOwnAddresses(tx, { chainId: SHASTA }))
    return own.map(({ address }) => address).toSorted()
  }
})
