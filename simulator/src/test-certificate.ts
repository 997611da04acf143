import { generateKeyPairSync, sign } from 'node:crypto'

/** DER tags (X.690). */
const TAG = {
  boolean: 1,
  integer: 2,
  bits: 3,
  octets: 4,
  oid: 6,
  text: 12,
  time: 24,
  list: 48,
  set: 49,
}
const SIGNED_WITH = '06082a8648ce3d040302' // ecdsa-with-SHA256, 1.2.840.10045.4.3.2
const COMMON_NAME = '0603550403' // 2.5.4.3
const BASIC_CONSTRAINTS = '0603551d13' // 2.5.29.19
const ALTERNATIVE_NAME = '0603551d11' // 2.5.29.17

export interface TestCertificate {
  /** PEM texts. Self-signed: a client trusts it if it names it as its `ca`. */
  key: string
  cert: string
}

/**
 * A fresh self-signed certificate (RFC 5280, P-256) for host names and IPv4 addresses, valid from
 * 2020 to 2090, so that tests of TLS need no other program and no committed key.
 */
export function testCertificate(
  hosts: readonly string[] = ['localhost', '127.0.0.1'],
): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = der(TAG.list, hex(SIGNED_WITH))
  const name = der(TAG.list, der(TAG.set, der(TAG.list, hex(COMMON_NAME), text('Test receiver'))))
  const names = hosts.map((host) => (isIpv4(host) ? ipv4(host) : der(0x82, Buffer.from(host))))
  const body = der(
    TAG.list,
    der(0xa0, der(TAG.integer, hex('02'))),
    der(TAG.integer, hex('01')),
    algorithm,
    name,
    der(TAG.list, time('20200101000000Z'), time('20900101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        TAG.list,
        extension(BASIC_CONSTRAINTS, der(TAG.list, der(TAG.boolean, hex('ff')))),
        extension(ALTERNATIVE_NAME, der(TAG.list, ...names)),
      ),
    ),
  )
  const signature = der(TAG.bits, hex('00'), sign('sha256', body, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(TAG.list, body, algorithm, signature)),
  }
}

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
}

function extension(oid: string, value: Buffer): Buffer {
  return der(TAG.list, hex(oid), der(TAG.octets, value))
}

function time(moment: string): Buffer {
  return der(TAG.time, Buffer.from(moment))
}

function text(value: string): Buffer {
  return der(TAG.text, Buffer.from(value))
}

function ipv4(host: string): Buffer {
  return der(0x87, Buffer.from(host.split('.').map(Number)))
}

function isIpv4(host: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex')
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
