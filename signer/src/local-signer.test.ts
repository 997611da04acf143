import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { Transaction } from 'micro-eth-signer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { History } from './history.ts'
import { LocalSigner } from './local-signer.ts'
import type { KeyPath, Signature, SigningKeys, SigningRequest } from './request.ts'
import { FileStore } from './store.ts'

const CHAIN = 'eip155:11155111'
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const FROM: KeyPath = { namespace: 'eip155', isTestnet: true, wallet: 1, branch: 0, index: 0 }

/** One key for every path; remembers each use. */
class OneKey implements SigningKeys {
  readonly fingerprint = '5d770e82'
  readonly #key = new Uint8Array(32).fill(7)
  uses = 0

  accountXpub(): string {
    return 'xpub'
  }

  publicKey(): Uint8Array {
    return secp256k1.getPublicKey(this.#key, true)
  }

  sign(_at: KeyPath, digest: Uint8Array): Signature {
    this.uses += 1
    const bytes = secp256k1.sign(digest, this.#key, { prehash: false, format: 'recovered' })
    const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered')
    return { r, s, recovery }
  }

  destroy(): void {}
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-signer-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function open(keys = new OneKey()): Promise<{ signer: LocalSigner; keys: OneKey }> {
  const history = new History()
  const store = await FileStore.open(join(folder, 'signer.log'), history)
  const authority = { keys: [], quorum: 1, withoutPolicy: 'open' } as const
  const parts = { keys, history, store, now: () => 0, maxFee: () => 10n ** 18n, authority }
  return { signer: new LocalSigner(parts), keys }
}

function payment(nonce: number, { id = 'one', amount = 1_000n } = {}): SigningRequest {
  const transaction = Transaction.prepare(
    {
      type: 'eip1559',
      chainId: 11155111n,
      nonce: BigInt(nonce),
      to: RECIPIENT,
      value: amount,
      data: '0x',
      gasLimit: 21000n,
      accessList: [],
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 1n,
    },
    false,
  )
  const fields = { orgId: 'org', id, chainId: CHAIN, tokenId: `${CHAIN}/slip44:60` }
  const asked = { ...fields, amount: '1000', recipient: RECIPIENT, memo: null }
  return {
    orgId: 'org',
    chainId: CHAIN,
    from: FROM,
    payment: {
      kind: 'withdrawals',
      withdrawals: [
        {
          ...asked,
          reference: id,
          createdAt: '2026-01-31T09:30:00.000Z',
        },
      ],
    },
    body: transaction.toBytes({ includeSignature: false }),
  }
}

describe('a signer with its store', () => {
  test('signs the digest of the bytes with the key of the path', async () => {
    const { signer, keys } = await open()
    const request = payment(7)
    const [signature] = await signer.sign(request)
    if (signature === undefined) throw new Error('not signed')
    const compact = new secp256k1.Signature(signature.r, signature.s).toBytes('compact')
    const digest = keccak_256(request.body)
    expect(secp256k1.verify(compact, digest, keys.publicKey(), { prehash: false })).toBe(true)
  })

  test('signs one of two nonces that are asked for at once', async () => {
    const { signer, keys } = await open()
    const asked = await Promise.allSettled([7, 8, 7, 9].map((nonce) => signer.sign(payment(nonce))))
    expect(asked.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ])
    expect(keys.uses).toBe(2)
  })

  test('remembers after a restart, and the signatures of another process', async () => {
    const [{ signer: one }, { signer: other }] = [await open(), await open()]
    await one.sign(payment(7))
    await expect(other.sign(payment(8))).rejects.toMatchObject({ code: 'signed-elsewhere' })
    const { signer: later } = await open()
    await expect(later.sign(payment(8))).rejects.toMatchObject({ code: 'signed-elsewhere' })
    await expect(later.sign(payment(7))).resolves.toHaveLength(1)
  })

  test('signs each payment under one nonce, however many processes are asked at once', async () => {
    const signers = await Promise.all(Array.from({ length: 4 }, () => open()))
    const asked = signers.flatMap(({ signer }, at) =>
      Array.from({ length: 5 }, (_, id) => signer.sign(payment(at, { id: `w${id}` }))),
    )
    const done = await Promise.allSettled(asked)
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('uses no key for what it refuses', async () => {
    const { signer, keys } = await open()
    const { body } = payment(7, { amount: 1_001n })
    await expect(signer.sign({ ...payment(7), body })).rejects.toMatchObject({
      code: 'other-payment',
    })
    const cut = payment(7).body.subarray(1)
    await expect(signer.sign({ ...payment(7), body: cut })).rejects.toMatchObject({
      code: 'undecodable',
    })
    expect(keys.uses).toBe(0)
  })

  test('gives a wallet to the first organization that asks for its keys', async () => {
    const { signer } = await open()
    await signer.publicKey('org', FROM)
    await expect(signer.publicKey('other', FROM)).rejects.toMatchObject({
      code: 'other-organization',
    })
    await expect(signer.accountXpub('other', FROM)).rejects.toMatchObject({
      code: 'other-organization',
    })
  })
})
