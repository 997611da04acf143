import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicKeysOf, signerWith } from '../../test/support/signer.ts'
import { type Door, ETHEREUM, openDoor, SEPOLIA } from '../../test/support/door.ts'
import { CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { SeededRandom } from '../../test/support/clock.ts'
import { withSession } from '../store/connection.ts'
import {
  type PlatformPurpose,
  listPlatformAmong,
  listOwnAddresses,
  openOwnAddress,
  proveOwnAddress,
  readOwnAddress,
} from './own-address.ts'
import { roleOn, signerPath } from './signer-path.ts'

const random = new SeededRandom('own addresses')
const keys = {
  signer: publicKeysOf(openKeyring(new Seed(random.bytes(32)))),
  serviceKey: openServiceKey({ key: random.bytes(32), random }),
}

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

function entryOf(id: string): ChainEntry {
  const entry = CHAINS.find((one) => one.id === id)
  if (entry === undefined) throw new Error(id)
  return entry
}

const open = (orgId: string, purpose: PlatformPurpose, chain = ETHEREUM) =>
  door.harness.database.transaction((tx) =>
    openOwnAddress(tx, { keys, entry: entryOf(chain), orgId, purpose }),
  )

describe('an organization’s own addresses', () => {
  test('an organization has one address for each purpose on a chain [K06]', async () => {
    const { orgId } = door.a
    const asked = Array.from({ length: 8 }, () => open(orgId, 'gas'))
    const opened = await Promise.all(asked)
    expect(new Set(opened.map(({ address }) => address)).size).toBe(1)
    const settlement = await open(orgId, 'settlement')
    const elsewhere = await open(orgId, 'gas', SEPOLIA)
    const other = await open(door.b.orgId, 'gas')
    const all = [...opened.slice(0, 1), settlement, elsewhere, other]
    expect(new Set(all.map(({ address }) => address)).size).toBe(4)
    expect(new Set(all.map(({ walletNumber }) => walletNumber)).size).toBe(4)
    const listed = await door.harness.database.transaction((tx) =>
      listOwnAddresses(tx, { chainId: entryOf(ETHEREUM).id, orgId }),
    )
    expect(listed.map(({ purpose }) => purpose)).toEqual(['gas', 'settlement'])
  })

  test('a wallet skips numbers that the signer gave to another organization', async () => {
    const { orgId } = door.a
    const entry = entryOf('eip155:56')
    const { namespace, isTestnet } = entry
    const latest = await open(door.b.orgId, 'settlement', SEPOLIA)
    const signer = signerWith(openKeyring(new Seed(new Uint8Array(32).fill(9))))
    // As by a transaction that was rolled back: the database does not know these.
    for (const more of [1, 2]) {
      const wallet = latest.walletNumber + more
      await signer.accountXpub('another', { namespace, isTestnet, wallet })
    }
    const { walletNumber } = await door.harness.database.transaction((tx) =>
      openOwnAddress(tx, { keys: { ...keys, signer }, entry, orgId, purpose: 'gas' }),
    )
    expect(walletNumber).toBe(latest.walletNumber + 3)
  })

  test('the key of an own address is found again on chains of its kind too [K05]', async () => {
    const { orgId } = door.a
    const { address, walletNumber } = await open(orgId, 'settlement')
    const entry = entryOf('eip155:137')
    const path = await door.harness.database.transaction((tx) =>
      signerPath(tx, keys, { entry, address }),
    )
    expect(path).toMatchObject({ orgId, purpose: 'settlement', walletNumber, pathIndex: 0 })
    if (path === null) throw new Error('not found')
    expect(roleOn(path, entryOf(ETHEREUM).id)).toBe('settlement')
    expect(roleOn(path, entry.id)).toBe('deposit')
  })

  test('the door learns of an own address of another only that it is one [S09]', async () => {
    const { address } = await open(door.b.orgId, 'settlement')
    const entry = entryOf(ETHEREUM)
    await door.harness.database.forOrg(door.a.orgId, async (tx) => {
      const among = { scope: watchScope(entry), addresses: [address] }
      expect(await listPlatformAmong(tx, among)).toEqual([address])
      const question = { orgId: door.b.orgId, chainId: entry.id, purpose: 'settlement' } as const
      expect(await readOwnAddress(tx, question)).toBeNull()
    })
  })

  test('an own address that was written into the database is found out [A12]', async () => {
    const { orgId } = door.b
    const { address } = await open(orgId, 'settlement', SEPOLIA)
    const entry = entryOf(SEPOLIA)
    const prove = () =>
      door.harness.database.transaction((tx) =>
        proveOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' }),
      )
    expect(await prove()).toMatchObject({ address })
    await withSession(door.harness.adminUrl, (session) =>
      session.script(
        `update watched_addresses set address = '0x${'9'.repeat(40)}' where address = '${address}'`,
      ),
    )
    await expect(prove()).rejects.toThrow(/key|changed/)
  })
})
