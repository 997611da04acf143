import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { encodeForSigning } from 'ripple-binary-codec'
import { describe, expect, test } from 'vitest'
import { addressOf } from './address.ts'
import { parseBitcoin } from './bitcoin.ts'
import { spentDigests } from './bitcoin-digest.ts'
import { decodeUnsigned, digestsOf } from './decode.ts'
import type { Decoded } from './decoded.ts'

const DER = { prehash: false, lowS: true, format: 'der' } as const
const TRON = 'tron:0x00000000000000000000000000000000'
const XRPL = 'xrpl:mainnet'

describe('the example of EIP-155', () => {
  test('decodes, and has its signing hash, signature and address', () => {
    const body = hexToBytes(
      'ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080',
    )
    const to = `0x${'35'.repeat(20)}`
    expect(decodeUnsigned('eip155:1', body)).toEqual({
      chainId: 'eip155:1',
      from: null,
      action: { kind: 'payment', contract: null, to, amount: 10n ** 18n, memo: null },
      slot: { kind: 'nonce', nonce: 9 },
      maxFee: 21_000n * 20n * 10n ** 9n,
    } satisfies Decoded)
    const [digest = new Uint8Array()] = digestsOf('eip155:1', body)
    expect(bytesToHex(digest)).toBe(
      'daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53',
    )
    const signature = new secp256k1.Signature(
      0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276n,
      0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83n,
      0,
    )
    const key = signature.recoverPublicKey(digest).toBytes(true)
    expect(key).toEqual(secp256k1.getPublicKey(new Uint8Array(32).fill(0x46), true))
    expect(addressOf('eip155:1', key)).toBe('0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F')
  })
})

/** Their version, lock time and sequences are not the service's: only the digests are compared. */
describe('the examples of Bitcoin', () => {
  test('have the digest of the P2WPKH input in BIP-143', () => {
    const transaction = parseBitcoin(
      hexToBytes(
        '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000ee' +
          'ffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffff' +
          'ff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000' +
          '001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000',
      ),
    )
    const bare = '2103c9f4836b9a4f77fc0d81f7bcb01b7f1b35916864b9476c241ce9fc198bd25432ac'
    const spent = [
      { amount: 625_000_000n, script: hexToBytes(bare) },
      { amount: 600_000_000n, script: hexToBytes('00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1') },
    ]
    const [, digest = new Uint8Array()] = spentDigests(transaction, spent)
    expect(bytesToHex(digest)).toBe(
      'c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670',
    )
    const signature =
      '304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a' +
      '0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee'
    const key = '025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357'
    const isSigned = secp256k1.verify(hexToBytes(signature), digest, hexToBytes(key), DER)
    expect(isSigned).toBe(true)
  })

  test('have the digest of the input with SIGHASH_DEFAULT in BIP-341', () => {
    const transaction = parseBitcoin(
      hexToBytes(
        '02000000097de20cbff686da83a54981d2b9bab3586f4ca7e48f57f5b55963115f3b334e9c0100000000' +
          '00000000d7b7cab57b1393ace2d064f4d4a2cb8af6def61273e127517d44759b6dafdd990000000000ff' +
          'fffffff8e1f583384333689228c5d28eac13366be082dc57441760d957275419a418420000000000ffff' +
          'fffff0689180aa63b30cb162a73c6d2a38b7eeda2a83ece74310fda0843ad604853b0100000000feffff' +
          'ffaa5202bdf6d8ccd2ee0f0202afbbb7461d9264a25e5bfd3c5a52ee1239e0ba6c0000000000feffffff' +
          '956149bdc66faa968eb2be2d2faa29718acbfe3941215893a2a3446d32acd050000000000000000000e6' +
          '64b9773b88c09c32cb70a2a3e4da0ced63b7ba3b22f848531bbb1d5d5f4c94010000000000000000e9aa' +
          '6b8e6c9de67619e6a3924ae25696bb7b694bb677a632a74ef7eadfd4eabf0000000000ffffffffa778eb' +
          '6a263dc090464cd125c466b5a99667720b1c110468831d058aa1b82af10100000000ffffffff0200ca9a' +
          '3b000000001976a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac807840cb0000000020ac9a' +
          '87f5594be208f8532db38cff670c450ed2fea8fcdefcc9a663f78bab962b0065cd1d',
      ),
    )
    const spent: [script: string, amount: bigint][] = [
      ['512053a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343', 420_000_000n],
      ['5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3', 462_000_000n],
      ['76a914751e76e8199196d454941c45d1b3a323f1433bd688ac', 294_000_000n],
      ['5120e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e', 504_000_000n],
      ['512091b64d5324723a985170e4dc5a0f84c041804f2cd12660fa5dec09fc21783605', 630_000_000n],
      ['00147dd65592d0ab2fe0d0257d571abf032cd9db93dc', 378_000_000n],
      ['512075169f4001aa68f15bbed28b218df1d0a62cbbcf1188c6665110c293c907b831', 672_000_000n],
      ['5120712447206d7a5238acc7ff53fbe94a3b64539ad291c7cdbc490b7577e4b17df5', 546_000_000n],
      ['512077e30a5522dd9f894c3f8b8bd4c4b2cf82ca7da8a3ea6a239655c39c050ab220', 588_000_000n],
    ]
    const outputs = spent.map(([script, amount]) => ({ script: hexToBytes(script), amount }))
    const digest = spentDigests(transaction, outputs)[4] ?? new Uint8Array()
    expect(bytesToHex(digest)).toBe(
      '4f900a0bae3f1446fd48490c2958b5a023228f01661cda3496a11da502a7f7ef',
    )
    const signature =
      'b4010dd48a617db09926f729e79c33ae0b4e94b79f04a1ae93ede6315eb3669d' +
      'e185a17d2b0ac9ee09fd4c64b678a0b61a0a86fa888a273c8511be83bfd6810f'
    const key = (outputs[4]?.script ?? new Uint8Array()).subarray(2)
    expect(schnorr.verify(hexToBytes(signature), digest, key)).toBe(true)
  })
})

describe("the example of TRON's documentation (wallet/broadcasttransaction)", () => {
  test('decodes, and has its id', () => {
    const body = hexToBytes(
      '0a025e4b220847c9dc89341b300d40f8fed3a2a72e5a66080112620a2d747970652e676f6f676c65617069732e' +
        '636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412310a1541608f8da72479edc7dd92' +
        '1e4c30bb7e7cddbe722e121541e9d79cc47518930bc322d9bf7cddd260a0260a8d18e8077093afd0a2a72e',
    )
    const to = 'TXHejmNKzgHFmjtt4qx9TWTv3majM9TP6B'
    expect(decodeUnsigned(TRON, body)).toEqual({
      chainId: null,
      from: 'TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFh',
      action: { kind: 'payment', contract: null, to, amount: 1_000n, memo: null },
      slot: { kind: 'window', expiresAt: 1_591_089_627_000 },
      maxFee: 0n,
    } satisfies Decoded)
    expect(digestsOf(TRON, body).map(bytesToHex)).toEqual([
      '77ddfa7093cc5f745c0d3a54abb89ef070f983343c05e0f89e5a52f3e5401299',
    ])
  })
})

/** Both are in validated ledgers of the main network. */
describe('a payment in a validated ledger of the XRP Ledger', () => {
  const tagged = {
    TransactionType: 'Payment',
    Flags: 2_147_483_648,
    Sequence: 105_791,
    DestinationTag: 3_663_729_509,
    LastLedgerSequence: 57_313_352,
    Amount: '199000000',
    Fee: '6335',
    SigningPubKey: '02053A627976CE1157461336AC65290EC1571CAAD1B327339980F7BF65EF776F83',
    Account: 'r4DymtkgUAh2wqRxVfdd3Xtswzim6eC6c5',
    Destination: 'rsekGH9p9neiPxym2TMJhqaCzHFuokenTU',
  }
  const untagged = {
    TransactionType: 'Payment',
    Flags: 2_147_483_648,
    Sequence: 9_754,
    LastLedgerSequence: 11_119_626,
    Amount: '700000000',
    Fee: '15000',
    SigningPubKey: '03CAF0E9A6F073D6666AC81434F592E578A14D62DEC17E57B731659BD56BC6C10A',
    Account: 'rwnbcDUqrfjyAd37vveDqFkdaptsGyK8ts',
    Destination: 'rfcKbAy4XQhk52TX1fXzC7AEAoKdBKmYMf',
  }
  const signed: [name: string, json: typeof untagged, memo: string | null, signature: string][] = [
    [
      'a tag',
      tagged,
      '3663729509',
      '30440220086d3330cd6ce01d891a26ba0355d8d5a5d28a5c9a1d0c5e06e321c81a02318a' +
        '0220027c3f6606e41fea35103ede5224cc489b6514acfe27543185b0419dd02e301c',
    ],
    [
      'no tag',
      untagged,
      null,
      '3044022031191b9727d1156b7325e6a6c1604608ef1547da6f353bcabc2bdf0bdca4f935' +
        '0220116d41ed664f8edb9147e093d85192c7917862764ad124b13f49e99dc42650cb',
    ],
  ]
  test.each(signed)('decodes with %s, and its digest is what was signed', (...row) => {
    const [, json, memo, signature] = row
    const { Account: from, Destination: to, Amount, Fee, Sequence: nonce } = json
    const body = hexToBytes(encodeForSigning(json).toLowerCase())
    expect(decodeUnsigned(XRPL, body)).toEqual({
      chainId: null,
      from,
      action: { kind: 'payment', contract: null, to, amount: BigInt(Amount), memo },
      slot: { kind: 'nonce', nonce },
      maxFee: BigInt(Fee),
    } satisfies Decoded)
    const [digest = new Uint8Array()] = digestsOf(XRPL, body)
    const key = hexToBytes(json.SigningPubKey.toLowerCase())
    expect(secp256k1.verify(hexToBytes(signature), digest, key, DER)).toBe(true)
    expect(addressOf(XRPL, key)).toBe(from)
  })
})
