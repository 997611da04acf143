import { describe, expect, test } from 'vitest'
import { canonicalAddress, isPublicAddress } from './public-address.ts'

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
]

const SPECIAL = [
  ['this host', '0.0.0.0', '0.1.2.3', '::'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fc00::1'],
  ['link-local', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  ['shared by carriers', '100.64.0.1', '100.127.255.255', '100.100.100.200'],
  ['protocol assignments', '192.0.0.1', '192.0.0.192', '2001:2::1', '2001:1::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['benchmarking', '198.18.0.1', '198.19.255.255'],
  ['multicast, reserved, broadcast', '224.0.0.1', 'ff02::1', '240.0.0.1', '255.255.255.255'],
  ['IPv4 mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1'],
  ['IPv4 compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  ['IPv4 translated', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ['6to4, Teredo', '2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:0:7f00:1::'],
  ['site-local, discard, SRv6', 'fec0::1', '100::1', '5f00::1', '4000::1', 'e000::1'],
  ['a platform’s own host', '168.63.129.16', 'fd00:ec2::254', '::ffff:168.63.129.16'],
  ['no address', '', 'localhost', '127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '08.8.8.8'],
] as const

describe('a public address', () => {
  test.each(PUBLIC)('%s is a public address', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each(SPECIAL.map(([what, ...addresses]) => ({ what, addresses })))(
    '$what is not a public address [H01]',
    ({ addresses }) => {
      expect(addresses.filter(isPublicAddress)).toEqual([])
    },
  )

  test('two spellings of an address are equal', () => {
    expect(canonicalAddress('::ffff:7f00:1')).toBe('127.0.0.1')
    expect(canonicalAddress('2001:DB8:0:0:0:0:0:1')).toBe(canonicalAddress('2001:db8::1'))
    expect(canonicalAddress('')).toBe('')
  })
})
