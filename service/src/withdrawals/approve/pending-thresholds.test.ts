import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Desk, openDesk, type Signer } from '../../../test/support/withdrawal-desk.ts'
import { listAudit } from '../../audit-log/list-audit.ts'
import { disableUser, changeUser } from '../../orgs/change-user.ts'
import { pendingThresholds } from './pending-thresholds.ts'

const actor = 'cli:test'

let desk: Desk
let ann: Signer
beforeAll(async () => {
  desk = await openDesk()
  // Three are left when Ann, who is another one each time, has gone.
  for (let left = 0; left < 3; left += 1) await desk.signer()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
  await desk.threshold(2)
  ann = await desk.signer()
})

const WAYS: [what: string, take: () => ReturnType<typeof disableUser>][] = [
  ['disabled', disable],
  ['demoted', demote],
]

describe.each(WAYS)('a signer who must be %s', (_what, take) => {
  test.each(['required_approvals', 'required_humans'])(
    'leaves out a withdrawal with a tampered %s, and lists it [A13]',
    async (column) => {
      const [changed, authentic] = [await desk.created(), await desk.created()]
      await desk.tamper(`update withdrawals set ${column} = 1000 where id = '${changed}'`)
      const { leftOut } = await take()
      expect(leftOut).toEqual({ thresholds: false, withdrawals: [changed] })
      expect(await desk.alerts('withdrawal.tampered')).toContain(changed)
      expect(await desk.alerts('withdrawal.tampered')).not.toContain(authentic)
      expect(await noted()).toMatchObject({ leftOut })
    },
  )

  test('leaves out tampered settings, and lists them [A13]', async () => {
    await desk.tamper(`update organizations set min_human_approvals = 1000`)
    const { leftOut } = await take()
    expect(leftOut).toEqual({ thresholds: true, withdrawals: [] })
    expect(await desk.alerts('organization.tampered')).toContain(desk.orgId)
    expect(await noted()).toMatchObject({ leftOut })
  })

  test('A11 is not where what was asked for in truth needs as many', async () => {
    await desk.threshold(4)
    const [changed, authentic] = [await desk.created(), await desk.created()]
    await desk.tamper(`update withdrawals set required_approvals = 5 where id = '${changed}'`)
    await desk.threshold(2)
    await expect(take()).rejects.toMatchObject({
      code: 'INVALID_MIN_SIGNERS',
      details: { withdrawals: [{ withdrawalId: authentic, requiredApprovals: 4 }] },
    })
    await ann.ask(`/withdrawals/${authentic}`, 'DELETE')
    expect(await take()).toMatchObject({ user: { id: ann.userId } })
  })
})

function disable(): ReturnType<typeof disableUser> {
  return desk.database.transaction((tx) =>
    disableUser(tx, desk.serviceKey, { user: ann.userId, actor }, pendingThresholds),
  )
}

function demote(): ReturnType<typeof changeUser> {
  const given = { user: ann.userId, role: 'viewer', actor } as const
  return desk.database.transaction((tx) =>
    changeUser(tx, desk.serviceKey, given, pendingThresholds),
  )
}

/** The last change in the audit log. */
async function noted(): Promise<Record<string, unknown> | undefined> {
  const [entry] = await desk.database.transaction((tx) => listAudit(tx, { orgId: desk.orgId }))
  expect(entry).toMatchObject({ object: ann.userId })
  return entry?.details
}
