import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../support/clock.ts'
import { loadServiceKey } from '../../src/keys/service-key.ts'
import { withSession } from '../../src/store/connection.ts'
import { macOfWithdrawal } from '../../src/withdrawals/mac.ts'
import { fromRow, type WithdrawalRow } from '../../src/withdrawals/rows.ts'
import { install, type Installation } from './installation.ts'
import { build, sluice, sluiceJson } from './program.ts'

beforeAll(build)

const CHAIN = 'eip155:11155111'
const [REVERTED, REFUSED, REJECTED] = [idOf(1), idOf(2), idOf(4)]
const SPEND = idOf(3)
const TXN = `0x${'ab'.repeat(32)}`
const AT = "'2026-01-01T00:00:00.000Z'"

test('W22 an operator sees withdrawals, and the proof that one has failed', async () => {
  const harness = await install()
  const { config, orgId } = harness
  expect(await sluice(config, ['withdrawal', 'list', '--org', orgId])).toMatchObject({
    code: 0,
    stdout: 'No matching withdrawals.\n',
  })
  await bring(harness)
  const list = await sluiceJson<unknown[]>(config, ['withdrawal', 'list', '--org', orgId])
  expect(list).toHaveLength(3)
  const pending = ['withdrawal', 'list', '--org', orgId, '--status', 'Pending']
  expect(await sluiceJson<unknown[]>(config, pending)).toEqual([])
  const shown = await sluiceJson<unknown>(config, ['withdrawal', 'show', REVERTED])
  expect(shown).toMatchObject({
    id: REVERTED,
    status: 'Failed',
    failureCode: 'REVERTED',
    amount: '60',
    proof: `${TXN} is included in block 7 0xb7 and failed (Settled)`,
    spends: [
      {
        nonce: 4,
        block: { height: 7, hash: '0xb7' },
        transactions: [{ txnHash: TXN, broadcasts: 2, lastAnswer: 'taken' }],
      },
    ],
  })
  expect(JSON.stringify(shown)).not.toContain('mac')
  const { stdout } = await sluice(config, ['withdrawal', 'show', REVERTED])
  expect(stdout).toMatch(/^proof: 0xab.* is included in block 7 0xb7 and failed/m)
  expect(stdout).toMatch(new RegExp(`^${TXN} .* 2 times +taken$`, 'm'))
  const refused = await sluice(config, ['withdrawal', 'show', REFUSED])
  expect(refused.stdout).toContain('proof: no transaction was signed: no gas came')
  expect(refused.stdout).not.toContain('rejection:')
})

test('A06 an operator sees why one was rejected, and all that was done to it', async () => {
  const harness = await install()
  const { config } = harness
  await bring(harness)
  const { stdout } = await sluice(config, ['withdrawal', 'show', REJECTED])
  expect(stdout).toMatch(/^rejection: not this one$/m)
  const done = ['audit-log', 'list', '--object', REJECTED]
  expect(await sluiceJson<unknown[]>(config, done)).toEqual([
    expect.objectContaining({ action: 'withdrawal.reject', object: REJECTED }),
  ])
})

test('A13 an operator is not shown another withdrawal than was asked for', async () => {
  const harness = await install()
  const { config, databaseUrl } = harness
  await bring(harness)
  const thief = `0x${'e1'.repeat(20)}`
  const tamper = `update withdrawals set recipient = '${thief}' where id = '${REVERTED}'`
  await withSession(databaseUrl, (session) => session.script(tamper))
  const refused = await sluice(config, ['withdrawal', 'show', REVERTED])
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('--as-stored')
  expect(await sluiceJson(config, ['alert', 'list'])).toMatchObject([
    { code: 'withdrawal.tampered', subject: REVERTED },
  ])
  const stored = await sluice(config, ['withdrawal', 'show', REVERTED, '--as-stored'])
  expect(stored.stdout).toMatch(/^This record was changed in the database: .*\n/)
  expect(stored.stdout).toContain(`recipient: 0xE1`)
  expect(stored.stdout).toMatch(/^proof: 0xab.* is included in block 7/m)
  const json = await sluiceJson(config, ['withdrawal', 'show', REVERTED, '--as-stored'])
  expect(json).toMatchObject({ id: REVERTED, authentic: false })
})

test('a list shows the memos of two payments to one address [V05]', async () => {
  const harness = await install()
  const { config, databaseUrl, orgId } = harness
  await bring(harness)
  await withSession(databaseUrl, (session) =>
    session.script(`
      update withdrawals set memo = '1001' where id = '${REVERTED}';
      update withdrawals set memo = '1002' where id = '${REFUSED}'`),
  )
  const { stdout } = await sluice(config, ['withdrawal', 'list', '--org', orgId])
  expect(stdout).toMatch(/^id +reference +created .* recipient +memo +transaction$/m)
  expect(stdout).toMatch(new RegExp(`^${REVERTED} .* 0x\\w+ +1001$`, 'm'))
  expect(stdout).toMatch(new RegExp(`^${REFUSED} .* 0x\\w+ +1002$`, 'm'))
  const { stdout: shown } = await sluice(config, ['withdrawal', 'show', REJECTED])
  expect(shown).toMatch(/^requiredHumans: 0$/m)
})

test('A07 an operator sees what an API key asked for, and nothing of others', async () => {
  const harness = await install()
  const { config, orgId } = harness
  await bring(harness)
  const people = await sluiceJson<{ id: string; role: string }[]>(config, ['user', 'list'])
  const key = people.find(({ role }) => role === 'api')?.id ?? ''
  const askedBy = (id: string) => ['withdrawal', 'list', '--org', orgId, '--initiator', id]
  expect(await sluiceJson<unknown[]>(config, askedBy(key))).toHaveLength(3)
  const failed = [...askedBy(key), '--status', 'Failed']
  expect(await sluiceJson<unknown[]>(config, failed)).toHaveLength(2)
  expect(await sluiceJson<unknown[]>(config, askedBy(orgId))).toEqual([])
  expect(await sluice(config, askedBy('nonsense'))).toMatchObject({ code: 2 })
})

test('S09 a withdrawal that is not there is refused, and a text that is no id', async () => {
  const { config } = await install()
  const unknown = await sluice(config, ['withdrawal', 'show', REVERTED])
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('No withdrawal has') })
  expect(unknown.stderr).not.toMatch(/your|GET/)
  expect(await sluice(config, ['withdrawal', 'show', 'nonsense'])).toMatchObject({ code: 2 })
})

test('a command refuses an invalid address [V02]', async () => {
  const { config } = await install()
  const resume = (address: string) =>
    sluice(config, ['sender', 'resume', CHAIN, '--address', address, '--reason', 'a look'])
  const wrong = `0x${'a1'.repeat(19)}`
  const stderr = expect.stringContaining('not valid for the chain')
  expect(await resume(wrong)).toMatchObject({ code: 4, stderr })
  const nobody = expect.stringContaining('No matching halted sender')
  expect(await resume(`0x${'a1'.repeat(20)}`)).toMatchObject({ code: 4, stderr: nobody })
})

test('the list of halted addresses says if it is empty', async () => {
  const { config } = await install()
  expect(await sluice(config, ['sender', 'list', '--halted'])).toMatchObject({
    code: 0,
    stdout: 'No halted senders.\n',
  })
  expect(await sluice(config, ['sender', 'list'])).toMatchObject({
    stdout: 'No senders.\n',
  })
})

/** Ended withdrawals, each with a checksum by the service key. */
async function bring({ config, databaseUrl, orgId }: Installation): Promise<void> {
  const path = join(dirname(config), 'data', 'service.key')
  const serviceKey = loadServiceKey(path, new SeededRandom('withdrawals'))
  await withSession(databaseUrl, async (session) => {
    await session.script(scriptOf(orgId))
    const rows = await session.many(sql<WithdrawalRow>`select * from withdrawals`)
    for (const row of rows) {
      const mac = macOfWithdrawal(serviceKey, fromRow(row))
      await session.run(sql`update withdrawals set mac = ${mac} where id = ${row.id}`)
    }
  })
}

function idOf(number: number): string {
  return `01990000-0000-7000-8000-00000000000${number}`
}

/** A reverted withdrawal, one that was refused before it was signed, and one that was rejected. */
function scriptOf(orgId: string): string {
  const withdrawal = (id: string, values: string, status = 'Failed') => `
    insert into withdrawals
      (org_id, id, chain_id, token_id, amount, recipient, reference, status, required_approvals,
       required_humans, initiator, mac, created_at, updated_at, failure_code, txn_error)
    select org_id, '${id}', '${CHAIN}', '${CHAIN}/slip44:60', 60, '0x${'a1'.repeat(20)}', '${id}',
           '${status}', 1, 0, id, 'mac', ${AT}, ${AT}, ${values}
      from users where org_id = '${orgId}' and role = 'api';`
  return `
    ${withdrawal(REVERTED, "'REVERTED', 'it failed'")}
    ${withdrawal(REFUSED, "'INSUFFICIENT_GAS', 'no gas came'")}
    ${withdrawal(REJECTED, "null, 'CANCELLED BY a-user'", 'Cancelled')}
    insert into audit_log (at, org_id, actor, action, object, details)
    values (${AT}, '${orgId}', 'user:a-user', 'withdrawal.reject', '${REJECTED}',
            '{"reason": "not this one"}');
    insert into senders
      (chain_id, address, org_id, purpose, wallet_number, path_index, next_nonce, created_at,
       updated_at)
    values ('${CHAIN}', '0x01', '${orgId}', 'settlement', 0, 0, 5, ${AT}, ${AT});
    insert into spends
      (org_id, id, chain_id, purpose, subject_id, sender, nonce, token_id, recipient, amount, state,
       max_fee, txn_hash, succeeded, fee, block_height, block_hash, settled_at, created_at,
       updated_at)
    values ('${orgId}', '${SPEND}', '${CHAIN}', 'withdrawal', '${REVERTED}', '0x01', 4,
            '${CHAIN}/slip44:60', '0x02', 60, 'Settled', 9, '${TXN}', false, 8, 7, '0xb7', ${AT},
            ${AT}, ${AT});
    insert into spend_transactions
      (chain_id, txn_hash, org_id, spend_id, number, raw, max_fee, terms, signed_height, signed_at,
       broadcasts, last_answer)
    values ('${CHAIN}', '${TXN}', '${orgId}', '${SPEND}', 1, 'raw', 9,
            '{"family":"eip155","gasLimit":"1","maxFeePerGas":"9","maxPriorityFeePerGas":"1"}',
            5, ${AT}, 2, 'taken');`
}
