import { withSession } from '../../service/src/store/connection.ts'

const TOKEN = '{"id":"eip155:1/slip44:60","name":"Ether","symbol":"ETH","decimals":18,"address":""}'

/**
 * Fills the outbox with events as `deposit.detected` makes them, so many for each organization, all
 * due at one moment (milliseconds since 1970).
 */
export async function fillOutbox(
  adminUrl: string,
  given: { orgIds: readonly string[]; each: number; dueAt: number },
): Promise<void> {
  const { orgIds, each, dueAt } = given
  const due = `to_timestamp(${dueAt} / 1000.0)`
  const lists = orgIds.map((orgId) => `('${orgId}'::uuid)`).join(', ')
  await withSession(adminUrl, async (session) => {
    await session.script(`
      set session_replication_role = replica;
      with made as (
        insert into events (org_id, id, sequence, type, subject_id, body, created_at)
        select o.org_id, e.id, i, 'deposit.detected', e.id,
               format('{"id":"%s","type":"deposit.detected","timestamp":"2026-01-01T00:00:00.000Z",'
                 '"orgId":"%s","sequence":%s,"payload":{"id":"%s","index":0,"status":"Detected",'
                 '"chainId":"eip155:1","txnHash":"0x%s","tokenId":"eip155:1/slip44:60",'
                 '"amount":"10000000000000000","externalUserId":"user %s",'
                 '"accountChainId":"eip155:1","senderAddress":"0x%s","blockNumber":10000000,'
                 '"confirmations":0,"Token":${TOKEN.replaceAll('%', '%%')}}}',
                 e.id, o.org_id, i, e.id, encode(sha256(e.id::text::bytea), 'hex'), i,
                 substr(encode(sha256(o.org_id::text::bytea), 'hex'), 1, 40)),
               ${due}
          from (values ${lists}) o (org_id)
         cross join generate_series(1, ${each}) i
         cross join lateral (
           select (lpad(to_hex(${dueAt}::bigint), 12, '0') || '7000' || '8000' ||
                   substr(md5(o.org_id::text || i), 1, 12))::uuid as id) e
        returning org_id, id, sequence
      )
      insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
      select org_id, id, org_id, sequence, 'pending', ${due}
        from made;
      set session_replication_role = origin`)
    await session.script('vacuum (analyze) events')
    await session.script('vacuum (analyze) deliveries')
  })
}
