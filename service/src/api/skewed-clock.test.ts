import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asking, type Door, ETHER, ETHEREUM, openDoor } from '../../test/support/door.ts'

const ISSUE = `/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${ETHER}&userId=`
const WEBHOOK = '/organisation/webhook'

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

describe('a server whose clock is skewed', () => {
  const skewed = { isClockSkewed: () => true }

  test('answers reads and health [O04]', async () => {
    for (const path of ['/healthz', '/readyz', '/chains', '/withdrawals', '/events'])
      expect([path, (await door.askWith(skewed, path)).status]).toEqual([path, 200])
  })

  test('refuses changes with 503 [O04]', async () => {
    const requests: [string, Asking][] = [
      [`${ISSUE}ann`, {}],
      ['/withdrawals', { method: 'POST', body: {} }],
      ['/auth/login', { method: 'POST', body: {} }],
      [WEBHOOK, { method: 'PUT', body: {} }],
    ]
    for (const [path, asking] of requests) {
      const { status, json } = await door.askWith(skewed, path, asking)
      expect([path, status, json['error']]).toEqual([path, 503, 'SERVICE_UNAVAILABLE'])
    }
  })
})
