import { describe, expect, test } from 'vitest'
import { type Network, parseNetwork } from '../../orgs/network.ts'
import { type Arrival, openPeers } from './peer.ts'

function networks(...texts: string[]): Network[] {
  return texts.flatMap((text) => parseNetwork(text) ?? [])
}

const named = (trusted: Network[]) => (arrival: Arrival) => openPeers(trusted)(arrival).name
const nobody = named([])
const behind = named(networks('10.0.0.0/8', '127.0.0.1', 'fd00::/8'))

describe('a client', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['nonsense', 'unknown'],
  ])('at %s is identified as %s [S12]', (remoteAddress, peer) => {
    expect(nobody({ remoteAddress, forwardedFor: undefined })).toBe(peer)
  })

  test('cannot set its address with X-Forwarded-For [S12]', () => {
    for (const forwardedFor of ['1.2.3.4', '1.2.3.4, 10.0.0.1', ['1.2.3.4', '5.6.7.8'], '', ',,,'])
      for (const peers of [nobody, behind])
        expect(peers({ remoteAddress: '203.0.113.7', forwardedFor })).toBe('203.0.113.7')
  })

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['6.6.6.6,198.51.100.1 ,  fd12::1', '198.51.100.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    [['6.6.6.6', '198.51.100.1'], '198.51.100.1'],
    ['10.1.1.1', '10.1.1.1'],
    ['nonsense', '10.0.0.1'],
    ['198.51.100.1, nonsense', '10.0.0.1'],
    ['', '10.0.0.1'],
    [undefined, '10.0.0.1'],
  ])('behind our proxy has the address that the proxy names: %j [S12]', (forwardedFor, peer) => {
    expect(behind({ remoteAddress: '10.0.0.1', forwardedFor })).toBe(peer)
  })
})

describe('a network', () => {
  test.each(['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '::1', '0.0.0.0/0'])('is valid: %s', (text) => {
    expect(parseNetwork(text)).not.toBeNull()
  })

  test.each(['', 'localhost', '10.0.0.0/33', '10.0.0/8', '1', 'fd00::/129', '*'])(
    'is invalid: %j',
    (text) => {
      expect(parseNetwork(text)).toBeNull()
    },
  )
})
